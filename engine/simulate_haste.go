package engine

import (
	"cmp"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/journal"
)

// shownQuestion is a recorded question that is before the person.
type shownQuestion struct {
	at       int64 // when it was shown
	noted    bool  // a receipt has told that
	other    bool  // it is for another person, whose answers do not count
	answered int64 // when the person last answered it, 0 for not yet
}

// followHaste follows how soon the recorded person answered. The engine itself did so when the journal was written, but
// a simulation steps no engine. A journal is read for it only if a policy looks at haste. It mirrors note, show and
// countAnswer of the engine. A record of a Show is brief, but has the id, which is enough.
func (s *simulation) followHaste(rec journal.Record) {
	if !s.other.LooksAtHaste() && !s.config.stack.LooksAtHaste() {
		return
	}
	s.hasteAt = min(max(s.hasteAt, cmp.Or(rec.Now, rec.At)), lastMoment)
	at, ev := s.hasteAt, gjson.ParseBytes(rec.Event)
	id := elicit.ID(ev.Get("id").Str)
	switch q := s.shown[id]; ev.Get("event").Str {
	case "asked":
		if ev.Get("for").Str != "" {
			s.shown[s.ids.mint(rec.Random)] = &shownQuestion{other: true}
		}
	case "noted":
		if q != nil && !q.noted && ev.Get("receipt").Str == string(event.ReceiptShown) {
			q.at, q.noted = at, true
		}
	case "answered":
		if q != nil && event.Via(ev.Get("via").Str) == event.ViaPerson && !hasProblem(rec.Effects) {
			q.answered = at
		}
	}
	gjson.ParseBytes(rec.Effects).ForEach(func(_, e gjson.Result) bool {
		id := elicit.ID(e.Get("id").Str)
		q := s.shown[id]
		switch e.Get("effect").Str {
		case "show":
			if q == nil {
				s.shown[id] = &shownQuestion{at: at}
			}
		case "withdraw":
			delete(s.shown, id)
		case "reply":
			delete(s.shown, id)
			session, open := s.sessions.byName.Find(e.Get("session").String())
			if !open || q == nil || q.other || q.answered == 0 || elicit.Cause(e.Get("cause").Str) != elicit.ByUser {
				break
			}
			accepted := elicit.Outcome(e.Get("outcome").Str) == elicit.Accepted
			session.haste.answered(accepted && answeredSoon(q.at, q.answered))
		}
		return true
	})
}

// resumeHaste takes over what a saved session tells of the person.
func (s *simulation) resumeHaste(session *session, state gjson.Result) {
	session.haste = haste(min(max(state.Get("haste").Int(), 0), int64(mostHaste)))
	state.Get("open").ForEach(func(_, item gjson.Result) bool {
		if at := item.Get("shown_at").Int(); at > 0 {
			s.shown[elicit.ID(item.Get("id").String())] = &shownQuestion{at: at, other: item.Get("asked.for").String() != ""}
		}
		return true
	})
}
