package pending

import "github.com/elicit-engine/elicit/engine/elicit"

// Next marks queued requests as shown until no more may be, and returns them. Servers take turns: the one whose last
// turn is longest ago goes first, and within a server the oldest request, so no server can crowd out another.
func (t *Table) Next() []Item {
	var next []Item
	for shown := t.shown(); shown < t.limits.Shown; shown++ {
		var pick *Item
		for _, it := range t.items {
			if it.State == Queued && (pick == nil || t.turns[it.Server] < t.turns[pick.Server]) {
				pick = it
			}
		}
		if pick == nil {
			break
		}
		t.turn++
		t.forgetTurns()
		t.turns[pick.Server] = t.turn
		pick.State = Shown
		next = append(next, *pick)
	}
	return next
}

// forgetTurns bounds the table of turns: a server that asks nothing now needs no turn.
func (t *Table) forgetTurns() {
	if len(t.turns) < maxBuckets {
		return
	}
	asking := map[string]bool{}
	for _, it := range t.items {
		asking[it.Server] = true
	}
	for server := range t.turns {
		if !asking[server] {
			delete(t.turns, server)
		}
	}
}

func (t *Table) shown() int {
	n := 0
	for _, it := range t.items {
		if it.State == Shown {
			n++
		}
	}
	return n
}

// Consent moves a shown URL request to Awaiting and gives its page until the page TTL. It returns the item as it now
// stands: with Finished set, completion has already come and there is nothing left to wait for.
func (t *Table) Consent(id elicit.ID, at int64) Item {
	it := t.byID[id]
	it.State = Awaiting
	it.Deadline = 0
	if t.limits.PageTTL > 0 {
		it.Deadline = at + t.limits.PageTTL
	}
	return *it
}

// Complete notes that the page of link is finished. It returns the item when the person had already consented; a
// completion that overtakes the consent is kept for it, and one that names nothing open is dropped.
func (t *Table) Complete(session, link string) (Item, bool) {
	for _, it := range t.items {
		if it.Session != session || it.Link != link || link == "" {
			continue
		}
		it.Finished = true
		return *it, it.State == Awaiting
	}
	return Item{}, false
}

// Due returns the requests whose deadline is not after at.
func (t *Table) Due(at int64) []Item {
	return t.Open(func(it *Item) bool { return it.Deadline != 0 && it.Deadline <= at })
}

// Wake is the earliest deadline, 0 when there is none.
func (t *Table) Wake() int64 {
	var first int64
	for _, it := range t.items {
		if it.Deadline != 0 && (first == 0 || it.Deadline < first) {
			first = it.Deadline
		}
	}
	return first
}

// bucket is one server's allowance: level counts in sixty-thousandths of a request, so that a rate a minute refills
// by whole steps each millisecond and equal inputs give equal levels on every machine.
type bucket struct {
	level int64
	at    int64
}

const wholeToken = 60_000

// maxBuckets bounds the table of allowances; full ones say nothing and are dropped first.
const maxBuckets = 4096

// spend takes one request out of server's allowance.
func (t *Table) spend(server string, at int64) bool {
	limit := int64(t.limits.Burst) * wholeToken
	b, known := t.buckets[server]
	if !known {
		if len(t.buckets) >= maxBuckets {
			t.dropFull(at)
		}
		b = bucket{limit, at}
	}
	b = t.refill(b, at)
	ok := b.level >= wholeToken
	if ok {
		b.level -= wholeToken
	}
	t.buckets[server] = b
	return ok
}

func (t *Table) refill(b bucket, at int64) bucket {
	limit := int64(t.limits.Burst) * wholeToken
	rate := int64(t.limits.PerMinute)
	if passed := at - b.at; passed > 0 && rate > 0 {
		if passed > limit/rate+1 {
			b.level = limit
		} else {
			b.level = min(limit, b.level+passed*rate)
		}
	}
	b.level = min(b.level, limit)
	b.at = max(b.at, at)
	return b
}

func (t *Table) dropFull(at int64) {
	limit := int64(t.limits.Burst) * wholeToken
	for server, b := range t.buckets {
		if t.refill(b, at).level >= limit {
			delete(t.buckets, server)
		}
	}
}
