package engine

import (
	"bytes"
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/schema"
)

// typedValue is one remembered value. It is suggested only where name and type of the field are the same, so that a
// server cannot have it put into a field of another make. The embedded Suggestion has what the person sees: the field,
// the value, when it was typed and for which question.
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
func (s *session) retain(r *elicit.Request, form *schema.Form, secrets []elicit.Finding, content []byte, wall int64) {
	if len(r.Tool) > maxTypedName {
		return
	}
	var scan jsontext.Scanner
	scan.Reset(content, documentLimits)
	for scan.Enter(); scan.More(); {
		name, raw := scan.Key().String(), scan.Skip()
		field := form.Field(name)
		if field == nil || field.Sensitive || len(name) > maxTypedName || len(raw) > maxTypedValue ||
			bytes.Equal(raw, field.Initial) ||
			slices.ContainsFunc(secrets, func(f elicit.Finding) bool { return isAbout(f, name) }) {
			continue
		}
		said := effect.Suggestion{Field: name, Value: bytes.Clone(raw), At: wall, ID: r.ID}
		s.retainValue(typedValue{said, r.Tool, field.Kind})
	}
}

// isAbout reports whether a finding in an answer is in the field of that name.
func isAbout(f elicit.Finding, field string) bool {
	return under(strings.TrimPrefix(f.Pointer, "/content"), []string{field}) != ""
}

// retainValue keeps a value in the place of the one that the same field had before.
func (s *session) retainValue(t typedValue) {
	list := slices.DeleteFunc(slices.Clone(s.typed), func(old typedValue) bool {
		return old.Field == t.Field && old.kind == t.kind && old.tool == t.tool
	})
	list = append(list, t)
	s.typed = list[max(0, len(list)-maxTyped):]
}

// suggestions are what may be offered beside a form: never to a field that asks for a secret, nor in a question that a
// person should be warned of. One for each field at most: the newest of that tool and type, if it still fits. The list
// is in the order of the form.
func (s *session) suggestions(r *elicit.Request, form *schema.Form, stack *policy.Stack) (list []effect.Suggestion) {
	scope, remembered := stack.Suggestions(), s.typed
	if scope <= policy.SuggestionsNone || form == nil || len(remembered) == 0 ||
		scope < policy.SuggestionsServer && r.Ambiguous() {
		return nil
	}
	for i := range form.Fields {
		field := &form.Fields[i]
		// A rule may have become stricter since the value was typed.
		if field.Sensitive || stack.Withholds(r.Server, field.Name) {
			continue
		}
		for _, t := range slices.Backward(remembered) {
			if t.Field != field.Name || t.kind != field.Kind || scope < policy.SuggestionsServer && t.tool != r.Tool {
				continue
			}
			// A value that is filled in already is no suggestion. One that does not fit any more would be an error of
			// ours.
			if !bytes.Equal(t.Value, field.Initial) && form.Fits(t.Field, t.Value) {
				list = append(list, t.Suggestion)
			}
			break
		}
	}
	return list
}

// AppendJSON appends {"field","value","at","id","tool"?,"kind"}.
func (t typedValue) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "field", t.Field)
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
		// An unknown kind becomes Text, whose spelling then differs from what the state says.
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

// fieldKind is the kind of a name. An unknown name gives Text, and the caller compares the names again.
func fieldKind(name string) schema.FieldKind {
	for k := schema.Text; k <= schema.ManyChoices; k++ {
		if k.String() == name {
			return k
		}
	}
	return schema.Text
}
