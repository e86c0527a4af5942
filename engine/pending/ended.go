package pending

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// Ended is how a request ended. A late answer is explained by it: "already settled: cancel, by timeout".
type Ended struct {
	ID      elicit.ID
	Session string
	Outcome elicit.Outcome
	Cause   elicit.Cause
}

// ended is the ring of the last settlements; at is its oldest once it is full. The ring is shared by all sessions. A
// busy one can push out the ends of a quiet one, which then get unknown_request.
type ended struct {
	ring []Ended
	at   int
	byID map[elicit.ID]int // position in ring of the newest settlement of an id
}

// resize keeps the newest settlements that fit. The ring grows one by one afterwards, so a limit of 65,536 costs
// nothing until it is used.
func (e *ended) resize(most int) {
	all := e.inOrder()
	e.ring, e.at, e.byID = nil, 0, map[elicit.ID]int{}
	for _, one := range all[max(0, len(all)-most):] {
		e.byID[one.ID] = len(e.ring)
		e.ring = append(e.ring, one)
	}
}

// inOrder copies the ring, oldest first.
func (e *ended) inOrder() []Ended { return append(slices.Clone(e.ring[e.at:]), e.ring[:e.at]...) }

// Remember notes a settlement, also of a request that was never held.
func (t *Table) Remember(one Ended) {
	e := &t.ended
	if t.limits.Ended <= 0 {
		return
	}
	if e.byID == nil {
		e.byID = map[elicit.ID]int{}
	}
	if len(e.ring) < t.limits.Ended {
		e.byID[one.ID] = len(e.ring)
		e.ring = append(e.ring, one)
		return
	}
	// An id may be in the ring twice, after a session came back. The index is of the newer place, which must stay.
	if old := e.ring[e.at].ID; e.byID[old] == e.at {
		delete(e.byID, old)
	}
	e.ring[e.at], e.byID[one.ID] = one, e.at
	e.at = (e.at + 1) % len(e.ring)
}

// Ended tells how id ended, as far back as is remembered.
func (t *Table) Ended(id elicit.ID) (Ended, bool) {
	if i, ok := t.ended.byID[id]; ok {
		return t.ended.ring[i], true
	}
	return Ended{}, false
}

// EndedOf lists the newest of the remembered settlements of a session, at most most of them, oldest first. It walks the
// whole ring when the session has few, which is for saving a session and never for a step.
func (t *Table) EndedOf(session string, most int) (list []Ended) {
	ring := t.ended.ring
	for i := 1; i <= len(ring) && len(list) < most; i++ {
		if one := ring[(t.ended.at-i+len(ring))%len(ring)]; one.Session == session {
			list = append(list, one)
		}
	}
	slices.Reverse(list)
	return list
}
