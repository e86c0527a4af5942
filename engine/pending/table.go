// Package pending keeps requests over time: who waits, who is shown, whose time is up, and how each one ended. It
// knows no schema, no policy and no wire, and has no clock; time comes in with every call that needs it.
package pending

import "github.com/elicit-engine/elicit/engine/elicit"

// State is where a request stands between being held and being settled.
type State uint8

// The states of an open request. A settled one is no longer in the table; Ended remembers it.
const (
	Queued   State = iota // waits for its turn
	Shown                 // before a person
	Awaiting              // URL mode: consented and answered, the page is not known to be finished
)

// Item is one open request.
type Item struct {
	ID       elicit.ID
	Session  string
	Server   string
	Ref      string
	Parent   string
	Link     string
	State    State
	Deadline int64 // milliseconds since 1970 when it settles by itself, 0 for never
	Finished bool  // URL mode: completion came before consent
}

// Limits bound what the table holds. Times are milliseconds; zero means none for the two TTLs.
type Limits struct {
	Queue     int   // open requests a session may hold
	Shown     int   // requests before a person at once, over all sessions
	PerMinute int   // requests a minute a server may make
	Burst     int   // requests a server may make at once
	AnswerTTL int64 // from holding to timeout
	PageTTL   int64 // from consent to lapse
	Ended     int   // settlements remembered, to explain late answers
}

// Ended is how a request ended.
type Ended struct {
	ID      elicit.ID
	Session string
	Outcome elicit.Outcome
	Cause   elicit.Cause
}

// Table is the set of open requests of one engine. Every list it returns is in order of arrival, so that equal inputs
// give equal effects.
type Table struct {
	limits  Limits
	items   []*Item
	byID    map[elicit.ID]*Item
	buckets map[string]bucket
	turns   map[string]uint64 // server → when it last had a request shown; the smallest goes next
	turn    uint64
	ended   []Ended // ring; endedAt is its oldest once it is full
	endedAt int
}

// New returns an empty table.
func New(limits Limits) *Table {
	return &Table{limits: limits, byID: map[elicit.ID]*Item{}, buckets: map[string]bucket{}, turns: map[string]uint64{}}
}

// SetLimits replaces the limits; deadlines already given stay, and of the settlements the newest that still fit.
func (t *Table) SetLimits(limits Limits) {
	t.limits = limits
	ended := t.inOrder()
	t.ended, t.endedAt = ended[max(0, len(ended)-limits.Ended):], 0
}

// Refusal says why a request was not admitted.
type Refusal string

// Refusals, in the order they are checked.
const (
	Admitted    Refusal = ""
	RefInUse    Refusal = "ref_in_use"   // the peer's own handle still names an open request
	RateLimited Refusal = "rate_limited" // too many requests from this server
	QueueFull   Refusal = "queue_full"   // too many open requests of this session
)

// Admit decides whether one more request may enter and spends the server's allowance for it.
func (t *Table) Admit(session, server, ref string, at int64) Refusal {
	open := 0
	for _, it := range t.items {
		if it.Session != session || it.State == Awaiting {
			continue
		}
		open++
		if it.Ref == ref {
			return RefInUse
		}
	}
	if !t.spend(server, at) {
		return RateLimited
	}
	if open >= t.limits.Queue {
		return QueueFull
	}
	return Admitted
}

// Hold queues an admitted request and gives it its deadline. The ID must be new.
func (t *Table) Hold(it Item, at int64) {
	it.State = Queued
	if t.limits.AnswerTTL > 0 {
		it.Deadline = at + t.limits.AnswerTTL
	}
	held := &it
	t.items = append(t.items, held)
	t.byID[it.ID] = held
}

// Find returns the open request id.
func (t *Table) Find(id elicit.ID) (Item, bool) {
	if it := t.byID[id]; it != nil {
		return *it, true
	}
	return Item{}, false
}

// Open returns the open requests that keep accepts, oldest first.
func (t *Table) Open(keep func(*Item) bool) []Item {
	var found []Item
	for _, it := range t.items {
		if keep(it) {
			found = append(found, *it)
		}
	}
	return found
}

// Waiting counts the requests that are queued behind those shown.
func (t *Table) Waiting() int {
	n := 0
	for _, it := range t.items {
		if it.State == Queued {
			n++
		}
	}
	return n
}

// Settle removes id and remembers how it ended. It reports false when id is not open: nothing settles twice.
func (t *Table) Settle(id elicit.ID, outcome elicit.Outcome, cause elicit.Cause) bool {
	it := t.byID[id]
	if it == nil {
		return false
	}
	t.Remember(Ended{id, it.Session, outcome, cause})
	t.remove(id)
	return true
}

// Remember notes a settlement, also of a request that was never held.
func (t *Table) Remember(e Ended) {
	if t.limits.Ended <= 0 {
		return
	}
	if len(t.ended) < t.limits.Ended {
		t.ended = append(t.ended, e)
		return
	}
	t.ended[t.endedAt] = e
	t.endedAt = (t.endedAt + 1) % len(t.ended)
}

// Ended tells how id ended, as far back as is remembered.
func (t *Table) Ended(id elicit.ID) (Ended, bool) {
	for _, e := range t.ended {
		if e.ID == id {
			return e, true
		}
	}
	return Ended{}, false
}

func (t *Table) remove(id elicit.ID) {
	delete(t.byID, id)
	for i, it := range t.items {
		if it.ID == id {
			t.items = append(t.items[:i], t.items[i+1:]...)
			return
		}
	}
}
