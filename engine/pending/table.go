package pending

import (
	"cmp"
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/few"
	"github.com/elicit-engine/elicit/engine/internal/order"
)

// Item is the place of one open request. Its ID is 32 lower-case hex digits. Items are copies: changing one changes
// nothing in the table.
type Item struct {
	ID      elicit.ID
	Session string
	// The host's name of the server. Rates and turns go by it, across all sessions of that server.
	Server   string
	State    State
	Deadline int64 // milliseconds since 1970 when it settles by itself, 0 for never
	Finished bool  // URL mode: completion came before consent
	Apart    bool  // shown where it takes no turn from others; see ShowApart
}

// Limits bound what the table holds. Times are milliseconds; zero means none for the TTLs. A Queue, Shown or Burst of 0
// lets nothing through, and a rate a minute of 0 never refills.
type Limits struct {
	Queue int // open requests a session may hold
	// Requests shown apart, and those that were preferred, may exceed it.
	Shown            int // requests before a person at once, over all sessions
	PerMinute        int // requests of a server that may be held in a minute
	Burst            int // requests of a server that may be held at once
	PerMinuteSession int // the same for a session, 0 for no bound
	BurstSession     int

	// AdmittedPerMinute and AdmittedBurst bound a server's requests of every kind, also those that nobody is asked. Where
	// PerMinute or Burst is higher, that holds in their place.
	AdmittedPerMinute int
	AdmittedBurst     int

	AnswerTTL int64 // from holding to timeout
	ShownTTL  int64 // from showing to timeout; the earlier of the two holds
	PageTTL   int64 // from consent to lapse
	Ended     int   // settlements remembered, to explain late answers
}

// Table is the set of open requests of one engine. Every list it returns is in order of arrival, so that equal inputs
// give equal effects. Find is a look-up. A change of a deadline or of a queue moves a record in a heap, which is log n
// for n open requests. Unanswered and Admit walk the requests of one session that are not Awaiting. Open also walks its
// pages.
type Table struct {
	limits Limits
	slab   slab
	// To the place in slab.records. Places are used again, so no caller sees one.
	byID few.Map[key, int32]
	// Both counts go up in enter and down in leave, and Next does the second by itself.
	queued       int
	shown        int
	servers      servers
	timers       timers
	rates        rates
	sessionRates rates
	admissions   rates // by server
	apart        rates // by server: the same of requests that are shown apart
	ended        ended
}

// New returns an empty table.
func New(limits Limits) *Table {
	t := &Table{limits: limits}
	t.slab.free = none
	return t
}

// SetLimits replaces the limits; deadlines already given stay, and of the settlements the newest that still fit.
func (t *Table) SetLimits(limits Limits) {
	t.limits = limits
	t.ended.resize(limits.Ended)
}

// Refusal says why a request was not admitted.
type Refusal string

// Refusals, in the order they are checked: the first two by Admit, the others by Charge.
const (
	Admitted       Refusal = ""
	Flooded        Refusal = "flood_limited"        // too many requests of any kind from this server
	QueueFull      Refusal = "queue_full"           // too many open requests of this session
	RateLimited    Refusal = "rate_limited"         // too many requests of this server that had to be held
	SessionLimited Refusal = "session_rate_limited" // the same in this session
)

// Admit decides whether one more request may enter. It spends the bound on requests of every kind, which is there so
// that a flood costs bounded work. besides counts requests of the session that are open but not held here. apart says
// that the request would be shown apart, by somebody who limits what a person gets.
func (t *Table) Admit(session, server string, besides int, apart bool, at int64) Refusal {
	refusal := t.Refuses(session, server, besides, apart, at)
	if refusal != Flooded {
		spent, limits, _ := t.bounds(apart)
		spent.spend(server, at, limits)
	}
	return refusal
}

// Refuses is what Admit would answer. It changes nothing. Flooded comes before QueueFull: a server beyond its rate
// learns nothing of the queue.
func (t *Table) Refuses(session, server string, besides int, apart bool, at int64) Refusal {
	left, limits, queue := t.bounds(apart)
	open := besides
	waiting, _ := t.slab.lists(session)
	// A request of our own surface is not crowded out by those that the client draws. The other way round all count.
	for r := range t.slab.walk(waiting) {
		if apart || !r.apart {
			open++
		}
	}
	switch {
	case !left.has(server, at, limits):
		return Flooded
	case open >= queue:
		return QueueFull
	}
	return Admitted
}

// Charge spends the allowance of a server, and of a session, for an admitted request that somebody has to look at. A
// refused request spends nothing. Both allowances are asked before one is spent. Otherwise a request that its session
// refuses would cost its server.
func (t *Table) Charge(session, server string, at int64) Refusal {
	limited := t.limits.PerMinuteSession > 0
	switch {
	case !t.rates.has(server, at, t.limits):
		return RateLimited
	case limited && !t.sessionRates.has(session, at, t.limits.session()):
		return SessionLimited
	}
	t.rates.spend(server, at, t.limits)
	if limited {
		t.sessionRates.spend(session, at, t.limits.session())
	}
	return Admitted
}

// Hold queues an admitted request and gives it its deadline. The ID must be new and well formed; it reports whether it
// was. A deadline in it stays when AnswerTTL gives none.
func (t *Table) Hold(it Item, at int64) bool {
	it.State = Queued
	if deadline := after(at, t.limits.AnswerTTL); deadline != 0 {
		it.Deadline = deadline
	}
	return t.Restore(it)
}

// after is the deadline that a limit of time gives from at on, 0 for none.
func after(at, ttl int64) int64 {
	if ttl <= 0 {
		return 0
	}
	return at + ttl
}

// Review keeps an admitted request out of the queue until Release. The ID must be new and well formed; it reports
// whether it was.
func (t *Table) Review(it Item) bool {
	it.State = Reviewing
	return t.Restore(it)
}

// Recall takes a request that nobody has answered out of the queue, or from before the person, as if it had been given
// to Review. Its deadline stays. It is no longer apart, so a later Release gives it a turn like any other.
func (t *Table) Recall(id elicit.ID) {
	if slot, ok := t.find(id); ok && t.slab.records[slot].state != Awaiting {
		t.leave(slot)
		t.slab.records[slot].state, t.slab.records[slot].apart = Reviewing, false
	}
}

// Release queues a request that was under review and gives it its deadline. It queues behind all that wait now, and not
// at the place of its arrival. Lists of the session keep the arrival.
func (t *Table) Release(id elicit.ID, at int64) {
	slot, ok := t.find(id)
	if !ok || t.slab.records[slot].state != Reviewing {
		return
	}
	t.slab.records[slot].state = Queued
	t.enter(slot)
	t.timers.set(&t.slab, slot, after(at, t.limits.AnswerTTL))
}

// SetDeadline moves the deadline of id to at, or takes it away with 0.
func (t *Table) SetDeadline(id elicit.ID, at int64) {
	if slot, ok := t.find(id); ok {
		t.timers.set(&t.slab, slot, at)
	}
}

// Restore puts a saved item back as it was, behind all that are here. It reports whether its ID was new and well
// formed. The item's state, deadline and marks are taken as they are. Its rate is not charged and no limit is checked:
// that is for the reader of the state.
func (t *Table) Restore(it Item) bool {
	id, ok := parseKey(it.ID)
	if _, open := t.byID.Find(id); !ok || open {
		return false
	}
	at := t.slab.add(id, it)
	t.byID.Set(id, at)
	t.enter(at)
	t.timers.set(&t.slab, at, it.Deadline)
	return true
}

// enter counts a record in the state it has, and leave takes it out again. Each change of a record's state stands
// between leave and enter, or the counts would drift.
func (t *Table) enter(at int32) {
	switch r := &t.slab.records[at]; r.state {
	case Queued:
		t.queued++
		t.servers.enqueue(&t.slab, at)
	case Shown:
		if !r.apart {
			t.shown++
		}
	}
}

func (t *Table) leave(at int32) {
	switch r := &t.slab.records[at]; r.state {
	case Queued:
		t.queued--
		t.servers.dequeue(&t.slab, at)
	case Shown:
		if !r.apart {
			t.shown--
		}
	}
}

// find is the place of a request in the slab. It holds until the next Settle or Restore.
func (t *Table) find(id elicit.ID) (int32, bool) {
	k, ok := parseKey(id)
	if !ok {
		return none, false
	}
	at, ok := t.byID.Find(k)
	return at, ok
}

// Find returns the open request id.
func (t *Table) Find(id elicit.ID) (Item, bool) {
	if at, ok := t.find(id); ok {
		return t.slab.itemOf(&t.slab.records[at], id), true
	}
	return Item{}, false
}

// Unanswered returns the open requests of a session that are not Awaiting, oldest first.
func (t *Table) Unanswered(session string) []Item {
	waiting, _ := t.slab.lists(session)
	return t.slab.items(slices.Collect(t.slab.walk(waiting)))
}

// Open returns all open requests of a session, oldest first. It looks at every page that is not finished.
func (t *Table) Open(session string) []Item {
	waiting, pages := t.slab.lists(session)
	all := slices.AppendSeq(slices.Collect(t.slab.walk(waiting)), t.slab.walk(pages))
	if pages != emptyList {
		order.Stable(all, func(a, b *record) int { return cmp.Compare(a.arrival, b.arrival) })
	}
	return t.slab.items(all)
}

// Len counts the open requests.
func (t *Table) Len() int { return t.byID.Len() }

// Shown counts the requests before the person that take a place.
func (t *Table) Shown() int { return t.shown }

// Waiting counts the requests that are queued behind those shown.
func (t *Table) Waiting() int { return t.queued }

// Settle removes id and remembers how it ended. It reports false when id is not open: nothing settles twice. The caller
// must still know the request when it needs its session or state: Find knows nothing of it afterwards.
func (t *Table) Settle(id elicit.ID, outcome elicit.Outcome, cause elicit.Cause) bool {
	at, ok := t.find(id)
	if !ok {
		return false
	}
	r := &t.slab.records[at]
	t.Remember(Ended{id, t.slab.sessions.names[r.session].name, outcome, cause})
	t.leave(at)
	t.timers.set(&t.slab, at, 0)
	t.byID.Delete(r.id)
	t.slab.remove(at)
	return true
}

// Consent moves a shown URL request to Awaiting and gives its page until the page TTL. It returns the item as it now
// stands: with Finished set, completion has already come and there is nothing left to wait for. A page of a session
// that never answers costs a step nothing: it leaves the list that Unanswered walks.
func (t *Table) Consent(id elicit.ID, at int64) Item {
	slot, ok := t.find(id)
	if !ok {
		return Item{}
	}
	t.leave(slot)
	t.slab.unlink(slot)
	t.slab.records[slot].state = Awaiting
	t.slab.link(slot)
	t.timers.set(&t.slab, slot, after(at, t.limits.PageTTL))
	return t.slab.item(slot)
}

// Complete notes that the page of id is finished. It reports whether the person had already consented; a completion
// that overtakes the consent is kept for it. MCP 2025-11-25 sends the completion as a notification of its own, so it
// may arrive before the person's answer does.
func (t *Table) Complete(id elicit.ID) (awaiting bool) {
	at, ok := t.find(id)
	if !ok {
		return false
	}
	r := &t.slab.records[at]
	r.finished = true
	return r.state == Awaiting
}

// Next marks queued requests as shown until no more may be, and returns them. Servers take turns: the one whose last
// turn is longest ago goes first, and within a server the oldest request, so no server can crowd out another. The time
// of ShownTTL begins here.
func (t *Table) Next(at int64) []Item {
	var next []Item
	for t.shown < t.limits.Shown && t.queued > 0 {
		slot := t.servers.take(&t.slab)
		t.queued--
		next = append(next, t.nowShown(slot, at))
	}
	return next
}

// Prefer marks a queued request as shown, beside those that are, also when no more may be. It reports whether the
// request was queued. It takes a place before the person that is not there, so Next shows nobody until as many have
// gone.
func (t *Table) Prefer(id elicit.ID, at int64) (Item, bool) {
	slot, ok := t.find(id)
	if !ok || t.slab.records[slot].state != Queued {
		return Item{}, false
	}
	t.leave(slot)
	return t.nowShown(slot, at), true
}

// nowShown marks a record as shown that is not in the queue any more.
func (t *Table) nowShown(slot int32, at int64) Item {
	r := &t.slab.records[slot]
	r.state = Shown
	t.enter(slot)
	if until := after(at, t.limits.ShownTTL); until != 0 && (r.deadline == 0 || until < r.deadline) {
		t.timers.set(&t.slab, slot, until)
	}
	return t.slab.item(slot)
}

// Due returns the requests whose deadline is not after at. It removes nothing. A caller that neither settles a request
// nor moves its deadline gets it again.
func (t *Table) Due(at int64) []Item {
	var due []Item
	for _, slot := range t.timers.due(&t.slab, at) {
		due = append(due, t.slab.item(slot))
	}
	return due
}

// Wake is the earliest deadline, 0 when there is none.
func (t *Table) Wake() int64 { return t.timers.first(&t.slab) }

// Extend moves the deadline of id to at, a time in milliseconds. It never shortens, and gives none to a request that
// has none. It reports the deadline that now holds. Without the request it returns 0 and false.
func (t *Table) Extend(id elicit.ID, at int64) (int64, bool) {
	slot, ok := t.find(id)
	if !ok {
		return 0, false
	}
	r := &t.slab.records[slot]
	if r.deadline != 0 && at > r.deadline {
		t.timers.set(&t.slab, slot, at)
	}
	return r.deadline, true
}
