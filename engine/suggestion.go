package engine

import (
	"bytes"
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/elicit-engine/elicit/engine/schema"
)

// typedValue is one remembered value. It is suggested only where name and type of the field are the same, so that a
// server cannot have it put into a field of another make.
type typedValue struct {
	effect.Suggestion
	tool string
	kind schema.FieldKind
}

const (
	maxTyped      = 64  // values of one session, so that it can always be saved; the oldest goes first
	maxTypedValue = 256 // bytes of JSON
	maxTypedName  = 256 // bytes of a field's name, and of a tool's
)

// retain remembers what a person has just typed into a form. It leaves out values that the server had filled in and the
// person did not change: a suggestion must not present the server's words as the person's.
func (s *step) retain(h *held, content []byte) {
	if s.config.stack.Suggestions() <= policy.SuggestionsNone || len(h.request.Tool) > maxTypedName {
		return
	}
	secrets := risk.InspectAnswer(h.facts.shown, content)
	var scan jsontext.Scanner
	scan.Reset(content, documentLimits)
	for scan.Enter(); scan.More(); {
		name, raw := scan.Key().String(), scan.Skip()
		field := h.form.Field(name)
		if field == nil || field.Sensitive || len(name) > maxTypedName || len(raw) > maxTypedValue ||
			bytes.Equal(raw, field.Initial) ||
			slices.ContainsFunc(secrets, func(f elicit.Finding) bool { return isAbout(f, name) }) {
			continue
		}
		said := effect.Suggestion{Field: name, Value: bytes.Clone(raw), At: s.wall, ID: h.request.ID}
		h.session.retain(typedValue{said, h.request.Tool, field.Kind})
	}
}

// isAbout reports whether a finding in an answer is in the field of that name.
func isAbout(f elicit.Finding, field string) bool {
	return under(strings.TrimPrefix(f.Pointer, "/content"), []string{field}) != ""
}

// retain keeps a value in the place of the one that the same field had before.
func (s *session) retain(t typedValue) {
	list := slices.DeleteFunc(slices.Clone(s.typed), func(old typedValue) bool {
		return old.Field == t.Field && old.kind == t.kind && old.tool == t.tool
	})
	list = append(list, t)
	s.typed = list[max(0, len(list)-maxTyped):]
}

// suggestions are what may be offered beside a form: never to a field that asks for a secret, nor in a question that a
// person should be warned of.
func (s *step) suggestions(h *held) (list []effect.Suggestion) {
	scope, remembered := s.config.stack.Suggestions(), h.session.typed
	if scope <= policy.SuggestionsNone || h.form == nil || len(remembered) == 0 || worrying(h.findings) ||
		scope < policy.SuggestionsServer && h.request.Ambiguous() {
		return nil
	}
	for i := range h.form.Fields {
		field := &h.form.Fields[i]
		if field.Sensitive || s.config.stack.Withholds(h.request.Server, field.Name) {
			continue
		}
		for _, t := range slices.Backward(remembered) {
			if t.Field != field.Name || t.kind != field.Kind || scope < policy.SuggestionsServer && t.tool != h.request.Tool {
				continue
			}
			if !bytes.Equal(t.Value, field.Initial) && h.form.Fits(t.Field, t.Value) {
				list = append(list, t.Suggestion)
			}
			break
		}
	}
	return list
}

func (s *step) handleForgotten(ev event.Forgotten) {
	session, open := s.sessions[ev.Session]
	if !open {
		s.problem(effect.AboutSession, ev.Session, "", elicit.Problem{Code: "unknown_session"})
		return
	}
	gone := func(t typedValue) bool { return ev.Field == "" || t.Field == ev.Field }
	session.typed = slices.DeleteFunc(session.typed, gone)
	if ev.Field == "" {
		session.accepted = nil // an edited command may hold what the person typed
	}
}

// forgetServer drops what was typed for a server in every session.
func (s *step) forgetServer(server string) {
	for _, session := range s.sessions {
		if session.opened.Server == server {
			session.typed = nil
		}
	}
}

// AppendJSON appends {"field","value","at","id","tool"?,"kind"}.
func (t typedValue) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Str("field", t.Field)
	o.Raw("value", t.Value)
	o.Int("at", t.At)
	o.Str("id", string(t.ID))
	o.OptStr("tool", t.tool)
	o.Str("kind", t.kind.String())
	return o.End()
}

// readTypedValues reads what a saved session remembers. Whether it may be offered is seen each time a form is shown.
func readTypedValues(r *strict.Reader, name string) (list []typedValue) {
	r.Objects(name, "state_unreadable", maxTyped, func(one *strict.Reader) {
		kind := one.Str("kind")
		said := effect.Suggestion{Field: one.Str("field"), At: one.Time("at"), ID: elicit.ID(one.Str("id")),
			Value: jsontext.AppendValue(nil, []byte(one.Take("value").Raw))}
		t := typedValue{said, one.Opt("tool"), fieldKind(kind)}
		if len(t.Field) > maxTypedName || len(t.tool) > maxTypedName || len(t.Value) == 0 || len(t.Value) > maxTypedValue ||
			!pending.WellFormed(t.ID) || t.kind.String() != kind {
			one.Report("state_unreadable", "field")
		}
		list = append(list, t)
	})
	return list
}

func fieldKind(name string) schema.FieldKind {
	for k := schema.Text; k <= schema.ManyChoices; k++ {
		if k.String() == name {
			return k
		}
	}
	return schema.Text
}
