package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/elicit-engine/elicit/engine/schema"
)

// Drafted keeps what a person has typed so far, so that a reload or another machine can show it again. Values of
// sensitive fields, of none, and those that hold a secret by its form are left out at once; the rest need not fit the
// form yet.
type Drafted struct {
	Session string
	ID      elicit.ID
	Draft   []byte // a JSON object, or nil to drop the draft
}

// handleDrafted returns the event as the journal may keep it.
func (s *step) handleDrafted(ev Drafted) Event {
	draft := ev.Draft
	ev.Draft = nil
	if _, ok := s.shownItem(ev.Session, ev.ID); !ok {
		return ev
	}
	h := s.held[ev.ID]
	if draft == nil || h.form == nil {
		h.draft = nil
		return ev
	}
	if unreadable(draft, s.config.limits.answer) != nil {
		s.problem(AboutQuestion, ev.Session, ev.ID, elicit.Problem{Code: "draft_unreadable"})
		return Drafted{ev.Session, ev.ID, []byte(`""`)} // replays to the same refusal without a word of it
	}
	h.draft = draftOf(h.form, h.facts.shown, s.privateFields(h), jsontext.AppendValue(nil, draft))
	ev.Draft = h.draft
	return ev
}

// draftOf keeps the members that are fields of the form, not private and without a secret in them. A member that the
// form does not know may be anything, also a secret.
func draftOf(form *schema.Form, fields []risk.Field, private []string, content []byte) []byte {
	var s jsontext.Scanner
	s.Reset(content, documentLimits)
	o := jsontext.Begin(nil)
	for s.Enter(); s.More(); {
		key := s.Key()
		raw := s.Skip()
		if field := form.Field(key.String()); field != nil && !slices.Contains(private, field.Name) {
			o.Text(key, raw)
		}
	}
	return withholdSecrets(form, fields, o.End(), nil).content
}

func (Drafted) isEvent() {}

// AppendJSON appends {"event":"drafted","session","id","draft"?}.
func (e Drafted) AppendJSON(dst []byte) []byte {
	o := beginEvent(dst, "drafted")
	o.Str("session", e.Session)
	o.Str("id", string(e.ID))
	putDocument(&o, "draft", e.Draft)
	return o.End()
}
