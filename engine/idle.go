package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/pending"
)

// somethingDue reports that the time of something has come: what time does in the same step needs a record. first is in
// the engine's clock, as at is. Equal counts as due: a deadline is over when it is reached.
func (o *openQuestions) somethingDue(at int64) bool {
	first := o.Wake()
	return first != 0 && first <= at
}

// onlyRefused reports that the event was a question whose only effect is a reply that accepts nothing. Policy or a
// limit settled such a question, and nothing is left of it. The first of the two effects is the place of the record
// (outbox.begin). A question that was joined, shown or consulted has other effects or none.
func onlyRefused(what recordedEvent, effects []effect.Effect) bool {
	if _, asked := what.(event.Asked); !asked || len(effects) != 2 {
		return false
	}
	r, ok := effects[1].(effect.Reply)
	return ok && r.Outcome != elicit.Accepted
}

// overFloodLimit reports that the bound on requests of every kind refuses a question. That bound counts every question,
// recorded or not, so a replay could not come to the same refusal: it is never recorded. Example: a peer has asked 600
// questions, and 500 of them have no record. A replay has spent 100, and would admit the question that was refused
// here.
func (o *openQuestions) overFloodLimit(what recordedEvent, opened func(session string) *event.Opened, at int64) bool {
	asked, ok := what.(event.Asked)
	if !ok || recordProblem(what) != "" {
		return false
	}
	in := opened(asked.Session)
	if in == nil {
		return false
	}
	more, inUse := o.correction(asked.Session, asked.Ref)
	return !inUse && o.refuses(&asked.Request, in, more, at) == pending.Flooded
}

// changesNothing reports that an event of a peer changes nothing, whatever it is answered with. opened is what an open
// session was opened with, nil for none. It must be right for every event that it says yes to: such an event may get no
// record, and a replay never sees it. Saying no is always safe, and costs a record.
func (o *openQuestions) changesNothing(what recordedEvent, opened func(session string) *event.Opened, at int64) bool {
	// An event that no record can hold is refused, and the refusal changes nothing.
	if recordProblem(what) != "" {
		return true
	}
	switch ev := what.(type) {
	case event.Asked:
		in := opened(ev.Session)
		if in == nil {
			return true
		}
		// The same questions as enter asks, without a change: the answer decides whether the step makes a record.
		more, inUse := o.correction(ev.Session, ev.Ref)
		return inUse || o.refuses(&ev.Request, in, more, at) != pending.Admitted
	case event.Called:
		return opened(ev.Session) == nil
	case event.Completed:
		_, news := o.page(ev)
		return !news
	case event.Cancelled:
		return !o.cancels(ev)
	case refusedEvent:
		return true
	}
	return false
}

// countUnrecorded counts an event that has been performed and gets no record. The effects are those of the handler
// without the place of the record. The session is "" for a name that no open session has: a peer could otherwise fill
// the record of the count with names.
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
	if s.sessions.opened(session) == nil {
		session = ""
	}
	s.records.count(session, texts, kept, s.at)
	return s.out.take()[1:]
}
