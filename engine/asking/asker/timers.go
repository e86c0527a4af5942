package asker

import "container/heap"

// timers are moments of sessions. A session has one moment here at most: a later call of set replaces an earlier one,
// whose entry then counts for nothing.
//
// An entry of the heap counts only if at has the same moment for its name. So set costs a push, and never a search.
type timers struct {
	heap moments
	at   map[string]int64
}

type moment struct {
	at int64
	of string
}

// set lets a session be due at a moment; 0 never.
func (t *timers) set(s string, at int64) {
	if t.at == nil {
		t.at = map[string]int64{}
	}
	switch {
	case at == t.at[s]:
	case at == 0:
		delete(t.at, s)
	default:
		t.at[s] = at
		heap.Push(&t.heap, moment{at, s})
	}
	// The heap is made again from at, which bounds it to four times the live entries.
	if len(t.heap) > 64 && len(t.heap) > 4*len(t.at) { // most entries count for nothing
		t.heap = t.heap[:0]
		for s, at := range t.at {
			t.heap = append(t.heap, moment{at, s})
		}
		heap.Init(&t.heap)
	}
}

// next returns the first moment, 0 for none.
func (t *timers) next() int64 {
	for len(t.heap) > 0 {
		if first := t.heap[0]; t.at[first.of] == first.at {
			return first.at
		}
		heap.Pop(&t.heap)
	}
	return 0
}

// due takes the name of a session that is due, "" for none.
func (t *timers) due(now int64) string {
	if at := t.next(); at == 0 || at > now {
		return ""
	}
	s := heap.Pop(&t.heap).(moment).of
	delete(t.at, s)
	return s
}

type moments []moment

func (h moments) Len() int { return len(h) }
func (h moments) Less(i, j int) bool {
	return h[i].at < h[j].at || h[i].at == h[j].at && h[i].of < h[j].of
}
func (h moments) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *moments) Push(x any)   { *h = append(*h, x.(moment)) }
func (h *moments) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
