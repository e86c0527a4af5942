package engine

import (
	"github.com/elicit-engine/elicit/engine/elicit"
)

// Extended asks for more time: not to settle before Until, milliseconds since 1970. A deadline is never shortened and
// never moved further than a week from now.
type Extended struct {
	Session string
	ID      elicit.ID
	Until   int64
}

// Extend says which deadline holds after an Extended event.
type Extend struct {
	Session  string
	ID       elicit.ID
	Deadline int64
}

const longestExtension = 7 * 24 * 3600 * 1000

func (s *step) handleExtended(ev Extended) {
	it, ok := s.shownItem(ev.Session, ev.ID)
	switch {
	case !ok:
		return
	case it.Deadline == 0 || s.held[ev.ID].consult != nil && s.held[ev.ID].consult.deadline == 0:
		s.problem(AboutQuestion, ev.Session, ev.ID, elicit.Problem{Code: "no_deadline"})
		return
	}
	until := min(ev.Until, s.at+longestExtension)
	if c := s.held[ev.ID].consult; c != nil {
		c.deadline = max(c.deadline, until)
		s.concludeOrWait(s.held[ev.ID])
		s.emit(Extend{Session: ev.Session, ID: ev.ID, Deadline: c.deadline})
		return
	}
	deadline, _ := s.table.Extend(ev.ID, until)
	s.emit(Extend{Session: ev.Session, ID: ev.ID, Deadline: deadline})
}

func (Extended) isEvent() {}

func (Extend) isEffect() {}

// AppendJSON appends {"event":"extended","session","id","until"}.
func (e Extended) AppendJSON(dst []byte) []byte {
	o := beginEvent(dst, "extended")
	o.Str("session", e.Session)
	o.Str("id", string(e.ID))
	o.Int("until", e.Until)
	return o.End()
}

// AppendJSON appends {"effect":"extend","session","id","deadline"}.
func (e Extend) AppendJSON(dst []byte) []byte {
	o := beginEffect(dst, "extend")
	o.Str("session", e.Session)
	o.Str("id", string(e.ID))
	o.Int("deadline", e.Deadline)
	return o.End()
}
