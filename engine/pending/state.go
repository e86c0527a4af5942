// Package pending keeps requests over time: who waits, who is shown, whose time is up, and how each one ended. It
// holds nothing of what is asked, which is its caller's to keep by id. It knows no schema, no policy and no wire, and
// has no clock; time comes in with every call that needs it.
//
// Items and times come in. Items whose turn or time has come go out, and refusals. The caller is package engine, which
// keeps the question of each id and performs what follows.
//
//	t := pending.New(limits)
//	t.Admit("s", "server", 0, false, now)                        // one request may enter: "" or why not
//	t.Charge("s", "server", now)                                 // somebody will have to look at it
//	t.Hold(pending.Item{ID: id, Session: "s", Server: "server"}, now)
//	for _, it := range t.Next(now) {}                            // queued requests whose turn it is
//	for _, it := range t.Due(now) {}                             // requests whose deadline has passed
//	t.Settle(id, elicit.Accepted, elicit.ByUser)                 // it is gone, and Ended remembers it
//
// The life of a request:
//
//	Hold → Queued → Next, Prefer, ShowApart → Shown → Settle
//	Review → Reviewing → Release → Queued            Shown → Consent → Awaiting → Settle
//	Recall: Queued or Shown → Reviewing              Requeue: shown apart → Queued
//
// Read this file and table.go, then turn.go (whose turn it is), timer.go (whose time is up), rate.go (who asks too
// often), apart.go, ended.go and slab.go (how records lie in memory).
//
// These hold between two calls:
//
//   - A record is in one list of its session: waiting, or pages when it is Awaiting.
//   - A record is in the queue of its server when it is Queued, and in no queue otherwise.
//   - A record is in the heap of timers when its deadline is not 0, and knows its place there.
//   - The counts of queued and shown requests are those of the records; a request shown apart counts in neither.
//
// A million open requests are a slab of records without pointers, so the garbage collector has nothing to look at, and
// every step costs the same however many there are.
package pending

// State is where a request stands between being held and being settled. The numbers stay inside of the process. A saved
// session has the names (String).
type State uint8

// The states of an open request. A settled one is no longer in the table; Ended remembers it.
const (
	Queued    State = iota // waits for its turn
	Shown                  // before a person
	Awaiting               // URL mode: consented and answered, the page is not known to be finished
	Reviewing              // with guardians; its turn has not begun
)

// String is the state's spelling in saved sessions.
func (s State) String() string {
	switch s {
	case Queued:
		return "queued"
	case Shown:
		return "shown"
	case Awaiting:
		return "awaiting"
	case Reviewing:
		return "reviewing"
	}
	return "unknown"
}

// ParseState reads what String wrote. The spellings are part of saved sessions, which later versions read: they never
// change.
func ParseState(s string) (State, bool) {
	for _, state := range []State{Queued, Shown, Awaiting, Reviewing} {
		if state.String() == s {
			return state, true
		}
	}
	return 0, false
}
