package pending

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// model is Table once more, written to be read and not to be fast: plain items in one list, every question answered by
// looking through it, and time passing one millisecond after another.
type model struct {
	limits   Limits
	items    []*Item // in order of arrival
	queue    []*Item // those that were queued, in that order; the others in it do not count
	turns    map[string]int
	turn     int
	servers  map[string]*bucket
	admitted map[string]*bucket
	apart    map[string]*bucket
	sessions map[string]*bucket
	ended    []Ended
}

// bucket is what a server or a session has left, in sixty-thousandths of a request.
type bucket struct{ level, at int64 }

func newModel(limits Limits) *model {
	return &model{limits: limits, turns: map[string]int{}, servers: map[string]*bucket{}, admitted: map[string]*bucket{},
		apart:    map[string]*bucket{},
		sessions: map[string]*bucket{}}
}

func (b *bucket) until(now int64, perMinute, burst int) {
	full := int64(burst) * 60_000
	for ; b.at < now; b.at++ {
		b.level = min(b.level+int64(perMinute), full)
	}
	b.level = min(b.level, full)
}

// left is a bucket as it stands now; asking for it changes nothing.
func left(buckets map[string]*bucket, name string, now int64, perMinute, burst int) *bucket {
	if buckets[name] == nil {
		return &bucket{int64(burst) * 60_000, now}
	}
	b := *buckets[name]
	b.until(now, perMinute, burst)
	return &b
}

func (m *model) find(id elicit.ID) *Item {
	for _, it := range m.items {
		if it.ID == id {
			return it
		}
	}
	return nil
}

func (m *model) where(keep func(*Item) bool) (found []Item) {
	for _, it := range m.items {
		if keep(it) {
			found = append(found, *it)
		}
	}
	return found
}

func (m *model) open(session string) []Item {
	return m.where(func(it *Item) bool { return it.Session == session })
}

func (m *model) admit(session, server string, besides int, apart bool, at int64) Refusal {
	unanswered := m.where(func(it *Item) bool {
		return it.Session == session && it.State != Awaiting && (apart || !it.Apart)
	})
	l := m.limits
	buckets, perMinute, burst := m.admitted, max(l.PerMinute, l.AdmittedPerMinute), max(l.Burst, l.AdmittedBurst)
	if apart {
		buckets, perMinute, burst, l.Queue = m.apart, 60_000, 60_000, 1000
	}
	all := left(buckets, server, at, perMinute, burst)
	if all.level < 60_000 {
		return Flooded
	}
	all.level -= 60_000
	buckets[server] = all
	if len(unanswered)+besides >= l.Queue {
		return QueueFull
	}
	return Admitted
}

func (m *model) charge(session, server string, at int64) Refusal {
	l := m.limits
	ofServer := left(m.servers, server, at, l.PerMinute, l.Burst)
	ofSession := left(m.sessions, session, at, l.PerMinuteSession, max(1, l.BurstSession))
	switch {
	case ofServer.level < 60_000:
		return RateLimited
	case l.PerMinuteSession > 0 && ofSession.level < 60_000:
		return SessionLimited
	}
	ofServer.level -= 60_000
	m.servers[server] = ofServer
	if l.PerMinuteSession > 0 {
		ofSession.level -= 60_000
		m.sessions[session] = ofSession
	}
	return Admitted
}

func (m *model) allow(server string, level, at, now int64) {
	b := &bucket{max(level, 0), min(max(at, 0), now)}
	b.until(now, m.limits.PerMinute, m.limits.Burst)
	if here := m.servers[server]; here != nil {
		same := *here
		same.until(now, m.limits.PerMinute, m.limits.Burst)
		b.level = min(b.level, same.level)
	}
	m.servers[server] = b
}

func (m *model) allowSession(session string, level, at, now int64) {
	if m.limits.PerMinuteSession > 0 {
		b := &bucket{max(level, 0), min(max(at, 0), now)}
		b.until(now, m.limits.PerMinuteSession, max(1, m.limits.BurstSession))
		m.sessions[session] = b
	}
}

func (m *model) hold(it Item, at int64) bool {
	it.State = Queued
	if m.limits.AnswerTTL > 0 {
		it.Deadline = at + m.limits.AnswerTTL
	}
	return m.restore(it)
}

func (m *model) restore(it Item) bool {
	if m.find(it.ID) != nil {
		return false
	}
	m.items = append(m.items, &it)
	m.enqueue(&it)
	return true
}

// enqueue puts an item behind all that are queued.
func (m *model) enqueue(it *Item) {
	m.queue = append(slices.DeleteFunc(m.queue, func(o *Item) bool { return o == it }), it)
}

func (m *model) review(it Item) bool {
	it.State = Reviewing
	return m.restore(it)
}

func (m *model) recall(id elicit.ID) {
	if it := m.find(id); it != nil && it.State != Awaiting {
		it.State, it.Apart = Reviewing, false
	}
}

func (m *model) release(id elicit.ID, at int64) {
	if it := m.find(id); it != nil && it.State == Reviewing {
		m.again(it, at)
	}
}

func (m *model) requeue(id elicit.ID, at int64) {
	if it := m.find(id); it != nil && it.State == Shown && it.Apart {
		it.Apart = false
		m.again(it, at)
	}
}

func (m *model) again(it *Item, at int64) {
	it.State, it.Deadline = Queued, 0
	if m.limits.AnswerTTL > 0 {
		it.Deadline = at + m.limits.AnswerTTL
	}
	m.enqueue(it)
}

func (m *model) setDeadline(id elicit.ID, at int64) {
	if it := m.find(id); it != nil {
		it.Deadline = at
	}
}

func (m *model) waiting() int {
	return len(m.where(func(it *Item) bool { return it.State == Queued }))
}

func (m *model) next(at int64) (next []Item) {
	for len(m.where(func(it *Item) bool { return it.State == Shown && !it.Apart })) < m.limits.Shown {
		var pick *Item
		firsts := m.firsts()
		for _, it := range m.items {
			if slices.Contains(firsts, it) && (pick == nil || m.turns[it.Server] < m.turns[pick.Server]) {
				pick = it
			}
		}
		if pick == nil {
			break
		}
		m.turn++
		m.turns[pick.Server] = m.turn
		next = append(next, m.show(pick, at))
	}
	return next
}

// firsts are the items that are the first in the queue of their server.
func (m *model) firsts() (firsts []*Item) {
	seen := map[string]bool{}
	for _, it := range m.queue {
		if it.State == Queued && !seen[it.Server] {
			seen[it.Server] = true
			firsts = append(firsts, it)
		}
	}
	return firsts
}

func (m *model) show(it *Item, at int64) Item {
	it.State = Shown
	if until := at + m.limits.ShownTTL; m.limits.ShownTTL > 0 && (it.Deadline == 0 || until < it.Deadline) {
		it.Deadline = until
	}
	return *it
}

func (m *model) prefer(id elicit.ID, at int64) (Item, bool) {
	it := m.find(id)
	if it == nil || it.State != Queued {
		return Item{}, false
	}
	return m.show(it, at), true
}

func (m *model) showApart(id elicit.ID, at int64) (Item, bool) {
	it := m.find(id)
	if it == nil || it.State != Queued {
		return Item{}, false
	}
	it.Apart = true
	return m.show(it, at), true
}

func (m *model) consent(id elicit.ID, at int64) Item {
	it := m.find(id)
	it.State, it.Deadline = Awaiting, 0
	if m.limits.PageTTL > 0 {
		it.Deadline = at + m.limits.PageTTL
	}
	return *it
}

func (m *model) complete(id elicit.ID) bool {
	it := m.find(id)
	if it == nil {
		return false
	}
	it.Finished = true
	return it.State == Awaiting
}

func (m *model) due(at int64) []Item {
	return m.where(func(it *Item) bool { return it.Deadline != 0 && it.Deadline <= at })
}

func (m *model) wake() (first int64) {
	for _, it := range m.items {
		if it.Deadline != 0 && (first == 0 || it.Deadline < first) {
			first = it.Deadline
		}
	}
	return first
}

func (m *model) extend(id elicit.ID, at int64) (int64, bool) {
	it := m.find(id)
	if it == nil {
		return 0, false
	}
	if it.Deadline != 0 {
		it.Deadline = max(it.Deadline, at)
	}
	return it.Deadline, true
}

func (m *model) settle(id elicit.ID, outcome elicit.Outcome, cause elicit.Cause) bool {
	it := m.find(id)
	if it == nil {
		return false
	}
	m.remember(Ended{id, it.Session, outcome, cause})
	gone := func(o *Item) bool { return o == it }
	m.items, m.queue = slices.DeleteFunc(m.items, gone), slices.DeleteFunc(m.queue, gone)
	return true
}

func (m *model) remember(e Ended) { m.ended = append(m.ended, e) }

// remembered are the settlements that the limits leave room for; what once fell out stays out.
func (m *model) remembered() []Ended {
	m.ended = m.ended[max(0, len(m.ended)-m.limits.Ended):]
	return m.ended
}

func (m *model) endedOf(session string) (list []Ended) {
	for _, e := range m.remembered() {
		if e.Session == session {
			list = append(list, e)
		}
	}
	return list
}

func (m *model) howEnded(id elicit.ID) (last Ended, known bool) {
	for _, e := range m.remembered() {
		if e.ID == id {
			last, known = e, true
		}
	}
	return last, known
}
