package pending

import (
	"cmp"

	"github.com/elicit-engine/elicit/engine/internal/order"
)

// timers orders the records that have a deadline in a heap of positions, four children a node; each record knows its
// place. A timing wheel inserts and cancels faster, but it knows its next slot and not its next deadline, and every
// wake that finds nothing due would be one more record in the journal. Equal deadlines have no order in the heap, so
// due sorts by arrival: effects must not follow the shape of a heap.
type timers struct{ heap []int32 }

// Four children make the heap half as deep as two, for a few comparisons more at each level.
const arity = 4

// set gives the record at its deadline, 0 for none.
func (t *timers) set(s *slab, at int32, deadline int64) {
	r := &s.records[at]
	r.deadline = deadline
	switch {
	case deadline == 0 && r.timer != none:
		t.remove(s, int(r.timer))
	case deadline != 0 && r.timer == none:
		t.heap = append(t.heap, at)
		t.up(s, len(t.heap)-1)
	case deadline != 0:
		t.fix(s, int(r.timer))
	}
}

// first is the earliest deadline, 0 when there is none.
func (t *timers) first(s *slab) int64 {
	if len(t.heap) == 0 {
		return 0
	}
	return s.records[t.heap[0]].deadline
}

// due lists the records whose deadline is not after at, in order of arrival. It visits only nodes whose parent is due,
// at most four for each one that is, and leaves the heap as it is.
func (t *timers) due(s *slab, at int64) []int32 {
	var due []int32
	// The depth is that of the heap, log₄ n.
	var visit func(i int)
	visit = func(i int) {
		if i >= len(t.heap) || s.records[t.heap[i]].deadline > at {
			return
		}
		due = append(due, t.heap[i])
		for k := 1; k <= arity; k++ {
			visit(arity*i + k)
		}
	}
	visit(0)
	order.Stable(due, func(a, b int32) int { return cmp.Compare(s.records[a].arrival, s.records[b].arrival) })
	return due
}

// remove puts the last record into the free place, and lets it rise or sink from there.
func (t *timers) remove(s *slab, i int) {
	s.records[t.heap[i]].timer = none
	last := len(t.heap) - 1
	moved := t.heap[last]
	t.heap = t.heap[:last]
	if i < last {
		t.put(s, i, moved)
		t.fix(s, i)
	}
}

func (t *timers) put(s *slab, i int, at int32) { t.heap[i], s.records[at].timer = at, int32(i) }

func (t *timers) fix(s *slab, i int) {
	if !t.up(s, i) {
		t.down(s, i)
	}
}

// up lets the record at place i rise while its deadline is before that of its parent. It reports whether it moved: if
// it did, it need not sink.
func (t *timers) up(s *slab, i int) (moved bool) {
	at := t.heap[i]
	deadline := s.records[at].deadline
	for i > 0 {
		parent := (i - 1) / arity
		if s.records[t.heap[parent]].deadline <= deadline {
			break
		}
		t.put(s, i, t.heap[parent])
		i, moved = parent, true
	}
	t.put(s, i, at)
	return moved
}

func (t *timers) down(s *slab, i int) {
	at := t.heap[i]
	deadline := s.records[at].deadline
	for {
		first := arity*i + 1
		if first >= len(t.heap) {
			break
		}
		child := first
		for k := first + 1; k < min(first+arity, len(t.heap)); k++ {
			if s.records[t.heap[k]].deadline < s.records[t.heap[child]].deadline {
				child = k
			}
		}
		if s.records[t.heap[child]].deadline >= deadline {
			break
		}
		t.put(s, i, t.heap[child])
		i = child
	}
	t.put(s, i, at)
}
