package pending

import "github.com/elicit-engine/elicit/engine/elicit"

// A request that is shown apart is before a person whose own program limits what comes to them. So it takes no turn
// from the others, and has bounds of its own.

// ShowApart marks a queued request as shown where it takes no turn: it does not count towards Shown. It reports whether
// the request was queued.
func (t *Table) ShowApart(id elicit.ID, at int64) (Item, bool) {
	slot, ok := t.find(id)
	if !ok || t.slab.records[slot].state != Queued {
		return Item{}, false
	}
	t.leave(slot)
	t.slab.records[slot].apart = true
	return t.nowShown(slot, at), true
}

// Requeue gives a request that is shown apart a turn like any other, behind those that wait, and another deadline. The
// client has had its turn without a result, and now the host's own surface shows the request. Any other request stays
// as it is.
func (t *Table) Requeue(id elicit.ID, at int64) {
	slot, ok := t.find(id)
	if !ok || t.slab.records[slot].state != Shown || !t.slab.records[slot].apart {
		return
	}
	// It leaves no count and no queue, because a request that is shown apart is in none.
	t.slab.records[slot].state, t.slab.records[slot].apart = Queued, false
	t.enter(slot)
	t.timers.set(&t.slab, slot, after(at, t.limits.AnswerTTL))
}

// bounds returns what bounds the admission of a request: what servers have left, their rate, and the open requests of a
// session.
func (t *Table) bounds(apart bool) (left *rates, limits Limits, queue int) {
	if apart {
		return &t.apart, apartLimits, max(t.limits.Queue, apartLimits.Queue)
	}
	return &t.admissions, t.limits.admissions(), t.limits.Queue
}

// apartLimits bound requests that are shown apart, so that a flood of them costs bounded work. A client that draws its
// own questions is a person's own program. These limits stop only a server that floods.
var apartLimits = Limits{Queue: 1000, PerMinute: 60_000, Burst: 60_000}
