package pending

import "slices"

// String is the state's spelling in saved sessions.
func (s State) String() string {
	switch s {
	case Queued:
		return "queued"
	case Shown:
		return "shown"
	case Awaiting:
		return "awaiting"
	}
	return "unknown"
}

// ParseState reads what String wrote.
func ParseState(s string) (State, bool) {
	for _, state := range []State{Queued, Shown, Awaiting} {
		if state.String() == s {
			return state, true
		}
	}
	return 0, false
}

// Restore puts a saved item back as it was. Its ID must not be open.
func (t *Table) Restore(it Item) {
	held := &it
	t.items = append(t.items, held)
	t.byID[it.ID] = held
}

// EndedOf lists the remembered settlements of a session, oldest first.
func (t *Table) EndedOf(session string) []Ended {
	return slices.DeleteFunc(t.inOrder(), func(e Ended) bool { return e.Session != session })
}

// inOrder copies the ring, oldest first.
func (t *Table) inOrder() []Ended {
	return append(slices.Clone(t.ended[t.endedAt:]), t.ended[:t.endedAt]...)
}

// Allowance is what a server has left of its rate, in sixty-thousandths of a request, and when that was so.
func (t *Table) Allowance(server string) (level, at int64) {
	if b, known := t.buckets[server]; known {
		return b.level, b.at
	}
	return int64(t.limits.Burst) * wholeToken, 0
}

// SetAllowance restores, at the time now, what Allowance told. It never raises what the server already has left here,
// and a time that has not come yet counts as now.
func (t *Table) SetAllowance(server string, level, at, now int64) {
	b := t.refill(bucket{max(level, 0), min(max(at, 0), now)}, now)
	if here, known := t.buckets[server]; known {
		b.level = min(b.level, t.refill(here, now).level)
	}
	t.buckets[server] = b
}
