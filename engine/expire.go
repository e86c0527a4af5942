package engine

import "github.com/elicit-engine/elicit/engine/elicit"

// expire ends everything whose time is up. It runs before the event of the step, so an answer that comes at its
// deadline is late on every machine alike.
func (s *step) expire() {
	for _, it := range s.open.Due(s.at) {
		q, open := s.open.byID[it.ID]
		if !open {
			continue // an answer whose guardian was late has left a grant, which has answered this one
		}
		if c := q.consults.open; c != nil && (c.deadline == 0 || s.at < c.deadline) {
			c.failOverdue(s.at)
			s.concludeOrWait(q)
			continue
		}
		s.open.withdraw(q, elicit.Cancelled, elicit.ByTimeout)
	}
}
