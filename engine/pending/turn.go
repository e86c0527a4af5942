package pending

import "github.com/elicit-engine/elicit/engine/internal/few"

// servers gives queued requests their turns. Servers that have something queued stand in a heap by the time of their
// last turn, and among those that never had one by their oldest request. Example: server A has queued a1 a2 a3, and
// then B queues b1. The order is a1 b1 a2 a3: after its turn, A stands behind B, which has had none. Vector
// step/queue-fair shows it.
type servers struct {
	// By name and not by number, because a server keeps its turn when it has nothing open for a while.
	turns few.Map[string, uint64] // server → its last turn
	turn  uint64
	// Servers with at least one queued record. place says where each stands, so that one can leave from the middle.
	heap  []int32               // server numbers
	place few.Map[int32, int32] // server number → position in heap
}

// enqueue puts a record at the end of its server's queue.
func (v *servers) enqueue(s *slab, at int32) {
	r := &s.records[at]
	q := &s.servers.names[r.server].waiting
	r.queuedBefore, r.queuedAfter = q.last, none
	if q.last != none {
		s.records[q.last].queuedAfter = at
		q.last = at
		return
	}
	q.first, q.last = at, at
	v.heap = append(v.heap, r.server)
	v.up(s, len(v.heap)-1)
}

// dequeue takes a record out of its server's queue, wherever it stands.
func (v *servers) dequeue(s *slab, at int32) {
	r := &s.records[at]
	q := &s.servers.names[r.server].waiting
	wasFirst := q.first == at
	if r.queuedBefore == none {
		q.first = r.queuedAfter
	} else {
		s.records[r.queuedBefore].queuedAfter = r.queuedAfter
	}
	if r.queuedAfter == none {
		q.last = r.queuedBefore
	} else {
		s.records[r.queuedAfter].queuedBefore = r.queuedBefore
	}
	switch {
	case q.first == none:
		v.leave(s, r.server)
	case wasFirst:
		v.fix(s, r.server)
	}
}

// take dequeues the request whose turn it is. There must be one. The turn is set before the record leaves: its record
// is the first of the server, so dequeue moves the server by the turn, or drops it from the heap.
func (v *servers) take(s *slab) int32 {
	server := v.heap[0]
	at := s.servers.names[server].waiting.first
	v.turn++
	v.forget(s)
	v.turns.Set(s.servers.names[server].name, v.turn)
	v.dequeue(s, at)
	return at
}

// forget bounds the table of turns: a server that has nothing open needs no turn. A server that comes back counts as
// one that never had a turn. With thousands of servers that is no advantage to rely on.
func (v *servers) forget(s *slab) {
	if v.turns.Len() < maxRates {
		return
	}
	for name := range v.turns.All() {
		if _, open := s.servers.index.Find(name); !open {
			v.turns.Delete(name)
		}
	}
}

// A server without a turn has 0, which is before every turn. Arrivals are unique, so the order is total.
func (v *servers) before(s *slab, a, b int32) bool {
	p, q := &s.servers.names[a], &s.servers.names[b]
	if x, y := v.turns.At(p.name), v.turns.At(q.name); x != y {
		return x < y
	}
	return s.records[p.waiting.first].arrival < s.records[q.waiting.first].arrival
}

// fix restores the order after the turn or the first request of a server has changed.
func (v *servers) fix(s *slab, server int32) {
	i := int(v.place.At(server))
	if !v.up(s, i) {
		v.down(s, i)
	}
}

// leave takes a server out whose queue is empty. Its last turn is kept in turns.
func (v *servers) leave(s *slab, server int32) {
	i, last := int(v.place.At(server)), len(v.heap)-1
	moved := v.heap[last]
	v.heap = v.heap[:last]
	v.place.Delete(server)
	if i < last {
		v.put(i, moved)
		v.fix(s, moved)
	}
}

func (v *servers) put(i int, server int32) {
	v.heap[i] = server
	v.place.Set(server, int32(i))
}

func (v *servers) up(s *slab, i int) (moved bool) {
	server := v.heap[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !v.before(s, server, v.heap[parent]) {
			break
		}
		v.put(i, v.heap[parent])
		i, moved = parent, true
	}
	v.put(i, server)
	return moved
}

func (v *servers) down(s *slab, i int) {
	server := v.heap[i]
	for {
		child := 2*i + 1
		if child >= len(v.heap) {
			break
		}
		if child+1 < len(v.heap) && v.before(s, v.heap[child+1], v.heap[child]) {
			child++
		}
		if !v.before(s, v.heap[child], server) {
			break
		}
		v.put(i, v.heap[child])
		i = child
	}
	v.put(i, server)
}
