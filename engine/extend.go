package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

const longestExtension = 7 * 24 * 3600 * 1000

func (s *step) handleExtended(ev event.Extended) {
	it, ok := s.open.shownItem(ev.Session, ev.ID)
	switch {
	case !ok:
		return
	case it.Deadline == 0 || s.open.byID[ev.ID].consults.open != nil && s.open.byID[ev.ID].consults.open.deadline == 0:
		s.out.problem(effect.AboutQuestion, ev.Session, ev.ID, elicit.Problem{Code: "no_deadline"})
		return
	}
	until := min(ev.Until-s.clock.ahead, s.at+longestExtension)
	if c := s.open.byID[ev.ID].consults.open; c != nil {
		c.deadline = max(c.deadline, until)
		s.concludeOrWait(s.open.byID[ev.ID])
		s.out.emit(effect.Extend{Session: ev.Session, ID: ev.ID, Deadline: s.clock.onWall(c.deadline)})
		return
	}
	deadline, _ := s.open.Extend(ev.ID, until)
	s.out.emit(effect.Extend{Session: ev.Session, ID: ev.ID, Deadline: s.clock.onWall(deadline)})
}
