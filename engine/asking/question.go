package asking

import (
	"cmp"
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// posed takes a question of a handler: from an earlier run, still open, or new.
//
// A handler that runs again poses its questions again. The position in the run says which one it is, and the digest
// says that it is still the same. With another digest the handler has changed its mind, or is another version of
// itself. Its later answers then belong to another run and are forgotten.
//
//	the position has an answer, same digest       Settle with Replayed
//	the position is open, same digest             the run waits, is interrupted again, or its Responses count
//	else                                          later answers are forgotten, and the engine is asked
func (m *Machine) posed(ev Posed) {
	c := m.calls.waiting(ev.Call)
	if c == nil {
		m.out.problem("unknown_call", "")
		return
	}
	if ev.Position < 0 || ev.Position >= MaxPositions {
		m.out.emit(Settle{Call: c.id, Position: ev.Position, Outcome: elicit.Failed, Cause: elicit.ByRateLimit,
			Problems: []elicit.Problem{{Code: "too_many_questions", Args: []elicit.Arg{elicit.Num("limit", MaxPositions)}}}})
		return
	}
	if jsontext.Check(ev.Question.Schema, jsontext.DocumentLimits()) == nil { // white space makes no other question
		ev.Question.Schema = jsontext.AppendValue(nil, ev.Question.Schema)
	}
	d := ev.Question.digest()
	if a := c.at(ev.Position); a != nil && a.digest == d {
		// A settled question is settled for good. Asking the person again would let a handler ask until it hears a
		// yes.
		again := a.settle
		again.Call, again.Replayed = c.id, true
		m.out.emit(again)
		return
	}
	if q := m.questions.open(c.id, ev.Position); q != nil && q.digest == d {
		m.posedAgain(c, q)
		return
	}
	m.cut(c, ev.Position) // the handler asks something else than before
	if m.client.config.Order != Queue && !m.makeRoom(c, ev.Position) {
		return
	}
	m.ask(c, ev, d)
}

// makeRoom does what the order says about the question that is open. It returns false if the new question failed.
//
// A question of an interrupted call is not in the way: nobody here waits for it.
func (m *Machine) makeRoom(c *call, position int) bool {
	for _, q := range slices.Clone(m.questions.list) {
		if m.calls.waiting(q.call) == nil {
			continue // nobody waits for it now
		}
		if m.client.config.Order == Reject {
			m.out.emit(Settle{Call: c.id, Position: position, Outcome: elicit.Failed, Cause: elicit.ByRateLimit,
				Problems: []elicit.Problem{{Code: "question_open"}}})
			return false
		}
		m.withdraw(q, elicit.BySuperseded)
	}
	return true
}

// ask gives a new question to the engine.
func (m *Machine) ask(c *call, ev Posed, d digestOf) {
	// The link is the only thing that opens a page, so it has 128 random bits.
	link := m.clock.draw()
	q := &question{Question: ev.Question, call: c.id, position: ev.Position, digest: d, link: digest.Hex(link[:16])}
	ttl := cmp.Or(ev.Question.TTL, m.client.config.TTL)
	q.deadline = m.clock.now + min(max(ttl, 1), mostTTL)
	if b := c.before; b != nil && b.position == ev.Position && b.digest == d {
		// A client cannot get more time or more attempts by making the call again, in this process or in another.
		q.attempts, q.deadline = b.attempts, min(q.deadline, b.deadline)
	}
	// The engine may reply in the same step, so the question must be known before it is asked.
	m.questions.add(q)
	request := elicit.Request{Session: session, Ref: q.ref, Parent: c.id, Tool: c.target, Mode: q.Mode,
		Message: q.Message, Schema: q.Schema, URL: q.URL}
	if m.client.forAnother(q) {
		request.For = q.For
	}
	if q.Mode == elicit.URL && q.Wait {
		request.Link = q.link
	}
	if q.deadline <= m.clock.now { // the client came back too late: nobody is asked again
		q.offer = ByRounds
		m.do(event.Asked{Request: request})
		m.withdraw(q, elicit.ByTimeout)
		return
	}
	m.decider.asked = q
	m.do(event.Asked{Request: request})
	m.decider.asked = nil
	m.takeTurn(q)
}

// takeTurn lets the engine show a question beside others. An engine shows one at a time to its own person. Here the
// questions may be in calls that ended, and a client that gave up must not keep the others from being asked. The
// machine has its own queue, of the requests that the client has.
func (m *Machine) takeTurn(q *question) {
	if m.questions.byRef(q.ref) == q && q.show == nil {
		m.do(event.Preferred{Session: session, Ref: q.ref})
	}
}

// putNext puts the next queued question when no other is before the person, and no guardian has it.
func (m *Machine) putNext() {
	for _, q := range m.questions.list {
		if q.queued && q.ready() && !m.questions.occupied(q) {
			q.queued = false
			m.put(q)
			return
		}
	}
}

// posedAgain takes a question that a repeated run poses again while it is open.
func (m *Machine) posedAgain(c *call, q *question) {
	if !q.ready() {
		return // it still waits for its turn, and is offered then
	}
	raw := responseTo(c, q)
	switch {
	case q.consented && q.offer == ByRequest: // this run waits already
	// The person is on their way. The client asks again and again, so the call waits a little before it is
	// interrupted again.
	case q.visited():
		q.holdUntil = min(m.clock.now+m.client.config.Hold, q.deadline)
	case raw != nil:
		m.response(q, raw)
		if q.consented && m.questions.open(q.call, q.position) == q {
			q.holdUntil = min(m.clock.now+m.client.config.Hold, q.deadline)
		}
	case q.offer == ByError: // only a client that has visited the page makes the call again
		q.holdUntil = min(m.clock.now+m.client.config.Hold, q.deadline)
	default:
		m.put(q)
	}
}

// expire ends what is due: questions, holds, interrupted calls.
//
// A question ends before its call, so the journal has both ends in that order.
func (m *Machine) expire() {
	// A copy, because the end of one question may end others.
	for _, q := range slices.Clone(m.questions.list) {
		switch {
		case q.deadline != 0 && q.deadline <= m.clock.now:
			m.withdraw(q, elicit.ByTimeout)
		case q.holdUntil != 0 && q.holdUntil <= m.clock.now:
			q.holdUntil = 0
			m.put(q)
		}
	}
	for _, id := range slices.Clone(m.calls.order) {
		if c := m.calls.byID.At(id); c.expires != 0 && c.expires <= m.clock.now {
			m.endCall(c, elicit.ByTimeout)
		}
	}
	if m.decider.wake != 0 && m.decider.wake <= m.clock.now {
		m.do(event.Ticked{})
	}
}
