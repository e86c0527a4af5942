package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/elicit-engine/elicit/engine/schema"
)

// handleDrafted returns the event as the journal may keep it. A draft lives as long as its question stands before a
// person. Nothing of it ever reaches the peer.
func (s *step) handleDrafted(ev event.Drafted) recordedEvent {
	draft := ev.Draft
	ev.Draft = nil
	if _, ok := s.open.shownItem(ev.Session, ev.ID); !ok {
		return ev
	}
	q := s.open.byID.At(ev.ID)
	if draft == nil || q.form == nil {
		q.shown.draft = nil
		return ev
	}
	// A draft is kept for a person who comes back to the form. Nothing else is known of it, so none of it is kept.
	if unreadable(draft, s.config.limits.answer) != nil {
		s.out.problem(effect.AboutQuestion, ev.Session, ev.ID, elicit.Problem{Code: "draft_unreadable"})
		// This one replays to the same refusal, without a word of the draft. An empty string is no object, so the
		// replay refuses it alike.
		return event.Drafted{Session: ev.Session, ID: ev.ID, Draft: []byte(`""`)}
	}
	q.shown.draft = draftOf(q.form, q.facts.shown, q.privateFields(s.config.stack), jsontext.AppendValue(nil, draft))
	ev.Draft = q.shown.draft
	return ev
}

// draftOf keeps the members that are fields of the form, not private and without a secret in them. A member that the
// form does not know may be anything, also a secret. content is canonical. An incomplete or wrong value is kept,
// because the person is still typing.
func draftOf(form *schema.Form, fields []risk.Field, private []string, content []byte) []byte {
	kept := rewritten(content, func(key jsontext.Text, value []byte) []byte {
		if field := form.Field(key.String()); field == nil || slices.Contains(private, field.Name) {
			return nil
		}
		return value
	})
	return withholdSecrets(form, fields, kept, nil).content
}
