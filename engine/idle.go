package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/pending"
)

// somethingDue reports that the time of something has come: what time does in the same step needs a record.
func (s *step) somethingDue() bool {
	first := s.open.Wake()
	return first != 0 && first <= s.at
}

// onlyRefused reports that the event was a question whose only effect is a reply that accepts nothing. Policy or a
// limit settled such a question, and nothing is left of it.
func (s *step) onlyRefused(what recordedEvent) bool {
	if _, asked := what.(event.Asked); !asked || len(s.effects) != 2 {
		return false
	}
	r, ok := s.effects[1].(effect.Reply)
	return ok && r.Outcome != elicit.Accepted
}

// overFloodLimit reports that the bound on requests of every kind refuses a question. That bound counts every question,
// recorded or not, so a replay could not come to the same refusal: it is never recorded.
func (s *step) overFloodLimit(what recordedEvent) bool {
	asked, ok := what.(event.Asked)
	if !ok || recordProblem(what) != "" {
		return false
	}
	session, open := s.sessions[asked.Session]
	if !open {
		return false
	}
	more, inUse := s.open.correction(asked.Session, asked.Ref)
	return !inUse && s.open.refuses(&asked.Request, &session.opened, more, s.at) == pending.Flooded
}

// changesNothing reports that an event of a peer changes nothing, whatever it is answered with.
func (s *step) changesNothing(what recordedEvent) bool {
	if recordProblem(what) != "" {
		return true
	}
	switch ev := what.(type) {
	case event.Asked:
		session, open := s.sessions[ev.Session]
		if !open {
			return true
		}
		more, inUse := s.open.correction(ev.Session, ev.Ref)
		return inUse || s.open.refuses(&ev.Request, &session.opened, more, s.at) != pending.Admitted
	case event.Called:
		_, open := s.sessions[ev.Session]
		return !open
	case event.Completed:
		_, news := s.open.page(ev)
		return !news
	case event.Cancelled:
		return !s.open.cancels(ev)
	case refusedEvent:
		return true
	}
	return false
}

// countUnrecorded counts an event that has been performed and gets no record.
func (s *step) countUnrecorded(what, kept recordedEvent) []effect.Effect {
	session, texts := "", 0
	switch ev := what.(type) {
	case event.Asked:
		session, texts = ev.Session, len(ev.Message)+len(ev.Schema)+len(ev.URL)
	case event.Completed:
		session = ev.Session
	case event.Cancelled:
		session = ev.Session
	}
	if _, open := s.sessions[session]; !open {
		session = ""
	}
	s.records.count(session, texts, kept, s.at)
	return s.take()[1:]
}
