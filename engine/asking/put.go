package asking

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// put puts a question before the person. A question that cannot reach anybody ends as unsupported.
//
// It runs again for each attempt, and for each way: the state of the question says what has failed so far.
func (m *Machine) put(q *question) {
	if !q.ready() { // guardians review it again
		q.queued = true
		return
	}
	m.client.choose(q, m.calls.byID.At(q.call))
	if q.offer == "" {
		code := "nobody_reachable"
		switch {
		case q.Mode == elicit.Form && m.client.needsPage(q):
			code = "page_needed"
		case m.client.forAnother(q):
			code = "another_needs_form"
		}
		q.failure = []elicit.Problem{{Code: code}}
		m.withdraw(q, elicit.ByUnsupported)
		return
	}
	if q.offer == ByRequest && m.client.config.Order == Queue && m.questions.occupied(q) {
		q.queued = true
		return
	}
	if q.page {
		m.out.emit(m.client.pageOf(q))
	}
	if q.offer != ByRequest {
		m.interrupt(q)
		return
	}
	if q.sent != "" { // by an earlier run, whose request may be lost
		m.out.emit(CancelSent{q.sent})
	}
	// A handle that cannot be guessed: an answer can only come from a client that has the request.
	random := m.clock.draw()
	q.sent = "ask-" + digest.Hex(random[:8])
	if m.client.config.Page != "" {
		q.put = m.clock.now
	}
	m.questions.remember(sent{q.sent, q.id})
	m.out.emit(m.client.sending(q))
}

// interrupt ends the run of the question's call. Other questions of that run are posed again by the next one.
//
// The host stops the handler when it performs the Interrupt. It reports Returned later.
func (m *Machine) interrupt(q *question) {
	c := m.calls.byID.At(q.call)
	// The call is kept as long as its question may be answered, and no longer.
	c.interrupted, c.expires = true, q.deadline
	c.round++
	m.out.emit(m.client.interruption(q, c))
	for _, other := range slices.Clone(m.questions.list) {
		if other != q && other.call == q.call {
			// Its handler was stopped, so nobody is there to hear how it ended. The next run poses it again.
			other.silent = true
			m.withdraw(other, elicit.ByCallEnded)
		}
	}
}

// Outstanding returns what the host of a running call must have done: the requests that the client has, or the end of
// the run. The host may have missed it because another process made the step. It tells by Send.Ref what it has done.
//
// The machine is not stepped, so a host may call it as often as it likes.
func (m *Machine) Outstanding(call string) (effects []Effect) {
	c := m.calls.byID.At(call)
	if c == nil || !c.running {
		return nil
	}
	for _, q := range m.questions.list {
		switch {
		case q.call != call || !q.ready() || q.offer == "":
		case q.offer != ByRequest && c.interrupted:
			effects = append(effects, m.client.interruption(q, c))
		case q.sent != "" && !c.interrupted:
			effects = append(effects, m.client.sending(q))
		}
	}
	return effects
}

// CompleteNotice tells the client of a call that a page is finished. link is Settle.Completed.
func CompleteNotice(call, link string) Notify {
	return Notify{call, mcp.MethodComplete, mcp.AppendComplete(nil, link)}
}

// InputRequired is the result of a call that ByRounds interrupts: its questions, and the sealed state.
func InputRequired(requests []byte, state string) []byte {
	return mcp.AppendInputRequired(nil, requests, state)
}

// Open returns the id and the deadline of the open question at a position of a call.
func (m *Machine) Open(call string, position int) (id elicit.ID, until int64, open bool) {
	if q := m.questions.open(call, position); q != nil {
		return q.id, q.deadline, q.id != ""
	}
	return "", 0, false
}

// IsOpen reports whether a question is open.
func (m *Machine) IsOpen(id elicit.ID) bool { return m.questions.byID(id) != nil }

// Logical is what is the same in all runs of a call, and how its last run is.
type Logical struct {
	Key   string // "" for none
	Round int    // how often the call was interrupted
	Keyed bool   // its handler uses the key
	Runs  bool   // its handler runs
	Works bool   // and was not interrupted
	Waits bool   // it has no end of the question for which the call was made again
	Again Resume // the call to run again
}

// Call returns what is known of a call.
func (m *Machine) Call(call string) (l Logical, known bool) {
	c := m.calls.byID.At(call)
	if c == nil {
		return l, false
	}
	return Logical{c.key, c.round, c.keyed, c.running, c.running && !c.interrupted, c.waits(), c.again()}, true
}

// Awaits reports whether a call that was interrupted would go on with this one.
func (m *Machine) Awaits(ev Called) bool {
	arguments, problem := canonicalObject(ev.Arguments)
	return problem == nil && m.calls.interrupted(ev, arguments) != nil
}

// Idle reports whether no call is known, so that nothing can be asked or answered.
func (m *Machine) Idle() bool { return m.calls.byID.Len() == 0 && len(m.questions.list) == 0 }

// InReview reports whether guardians have a question that the person has seen, as they do after Load.
func (m *Machine) InReview() bool { return m.questions.find((*question).hidden) != nil }

// Visiting returns the open question that waits for the end of the flow behind a URL, by its link.
func (m *Machine) Visiting(link string) (id elicit.ID, open bool) {
	q := m.questions.byLink(link)
	if q == nil || !q.Wait || q.Mode != elicit.URL || q.id == "" {
		return "", false
	}
	return q.id, true
}

// Link returns the link of the open question at a position of a call, if it waits for the end of the flow behind a URL.
func (m *Machine) Link(call string, position int) string {
	if q := m.questions.open(call, position); q != nil && q.Wait && q.Mode == elicit.URL {
		return q.link
	}
	return ""
}

// WaitsFor reports whether the answer to a Send is still wanted.
func (m *Machine) WaitsFor(ref string) bool {
	return m.questions.find(func(q *question) bool { return q.sent == ref }) != nil
}
