package asking

import (
	"slices"
	"strconv"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/seal"
)

// question is an open question of a call.
type question struct {
	Question
	call     string
	position int
	digest   digestOf
	ref      string // the engine's handle
	link     string // of its page

	id        elicit.ID    // once the engine holds it
	show      *effect.Show // once it is its turn
	offer     Offer        // how it was put last; "" before
	page      bool         // the answer comes from the server's own page
	browser   string       // which has claimed the link of the page
	sent      string       // the request that the client has, "" for none
	consented bool         // the person agreed to visit the page
	attempts  int          // answers that did not fit
	problems  []elicit.Problem
	failure   []elicit.Problem // the client's error
	deadline  int64
	holdUntil int64 // a repeated call waits until then
	silent    bool  // its handler was stopped; nobody waits for its end
	queued    bool  // another question is before the person
}

// posed takes a question of a handler: from an earlier run, still open, or new.
func (m *Machine) posed(ev Posed) {
	c := m.calls[ev.Call]
	if c == nil || !c.running || c.interrupted {
		m.problem("unknown_call", "")
		return
	}
	if ev.Position < 0 || ev.Position >= MaxPositions {
		m.emit(Settle{Call: c.id, Position: ev.Position, Outcome: elicit.Failed, Cause: elicit.ByRateLimit,
			Problems: []elicit.Problem{{Code: "too_many_questions", Args: []elicit.Arg{elicit.Num("limit", MaxPositions)}}}})
		return
	}
	if jsontext.Check(ev.Question.Schema, jsontext.DocumentLimits()) == nil { // white space makes no other question
		ev.Question.Schema = jsontext.AppendValue(nil, ev.Question.Schema)
	}
	d := ev.Question.digest()
	if a := c.at(ev.Position); a != nil && a.digest == d {
		again := a.settle
		again.Call, again.Replayed = c.id, true
		m.emit(again)
		return
	}
	if q := m.open(c.id, ev.Position); q != nil && q.digest == d {
		m.posedAgain(c, q)
		return
	}
	m.cut(c, ev.Position) // the handler asks something else than before
	if m.config.Order != Queue && !m.makeRoom(c, ev.Position) {
		return
	}
	m.ask(c, ev, d)
}

// makeRoom does what the order says about the question that is open. It returns false if the new question failed.
func (m *Machine) makeRoom(c *call, position int) bool {
	for _, q := range slices.Clone(m.questions) {
		if of := m.calls[q.call]; of == nil || !of.running || of.interrupted {
			continue // nobody waits for it now
		}
		if m.config.Order == Reject {
			m.emit(Settle{Call: c.id, Position: position, Outcome: elicit.Failed, Cause: elicit.ByRateLimit,
				Problems: []elicit.Problem{{Code: "question_open"}}})
			return false
		}
		m.withdraw(q, elicit.BySuperseded)
	}
	return true
}

// ask gives a new question to the engine.
func (m *Machine) ask(c *call, ev Posed, d digestOf) {
	link := m.draw()
	q := &question{Question: ev.Question, call: c.id, position: ev.Position, digest: d, link: digest.Hex(link[:16])}
	m.minted++
	q.ref = strconv.Itoa(m.minted)
	ttl := ev.Question.TTL
	if ttl <= 0 || ttl > mostTTL {
		ttl = m.config.TTL
	}
	q.deadline = m.now + ttl
	if b := c.before; b != nil && b.position == ev.Position && b.digest == d {
		q.attempts, q.deadline = b.attempts, min(q.deadline, b.deadline)
	}
	m.questions = append(m.questions, q)
	request := elicit.Request{Session: session, Ref: q.ref, Parent: c.id, Tool: c.target, Mode: q.Mode,
		Message: q.Message, Schema: q.Schema, URL: q.URL}
	if m.forAnother(q) {
		request.For = q.For
	}
	if q.Mode == elicit.URL && q.Wait {
		request.Link = q.link
	}
	m.do(event.Asked{Request: request})
	m.takeTurn(q)
}

// takeTurn lets the engine show a question beside others. An engine shows one at a time to its own person. Here the
// questions may be in calls that ended, and a client that gave up must not keep the others from being asked. The
// machine has its own queue, of the requests that the client has.
func (m *Machine) takeTurn(q *question) {
	if m.byRef(q.ref) == q && q.show == nil {
		m.do(event.Preferred{Session: session, Ref: q.ref})
	}
}

// putNext puts the next queued question when no other is before the person.
func (m *Machine) putNext() {
	for _, q := range m.questions {
		if q.queued && !m.occupied(q) {
			q.queued = false
			m.put(q)
			return
		}
	}
}

// occupied reports whether the client has a request for another question than q.
func (m *Machine) occupied(q *question) bool {
	return m.find(func(o *question) bool { return o != q && o.offer == ByRequest && !o.queued }) != nil
}

// posedAgain takes a question that a repeated run poses again while it is open.
func (m *Machine) posedAgain(c *call, q *question) {
	visited := q.consented && q.Mode == elicit.URL && q.Wait // the engine has replied, and only the end is missing
	if q.show == nil && !visited {
		return // it still waits for its turn, and is offered then
	}
	raw := m.responseTo(c, q)
	switch {
	case q.consented && q.offer == ByRequest: // this run waits already
	case visited:
		q.holdUntil = min(m.now+m.config.Hold, q.deadline)
	case raw != nil:
		m.response(q, raw)
		if q.consented && m.open(q.call, q.position) == q {
			q.holdUntil = min(m.now+m.config.Hold, q.deadline)
		}
	case q.offer == ByError: // only a client that has visited the page makes the call again
		q.holdUntil = min(m.now+m.config.Hold, q.deadline)
	default:
		m.put(q)
	}
}

func (m *Machine) open(call string, position int) *question {
	return m.find(func(q *question) bool { return q.call == call && q.position == position })
}

func (m *Machine) byID(id elicit.ID) *question {
	return m.find(func(q *question) bool { return id != "" && q.id == id })
}

func (m *Machine) byRef(ref string) *question {
	return m.find(func(q *question) bool { return q.ref == ref })
}

func (m *Machine) byLink(link string) *question {
	return m.find(func(q *question) bool { return link != "" && q.link == link })
}

func (m *Machine) find(is func(*question) bool) *question {
	if i := slices.IndexFunc(m.questions, is); i >= 0 {
		return m.questions[i]
	}
	return nil
}

// digest names a question by its content. The order of members in its schema does not count, because processes in
// another language may write another order.
func (q Question) digest() digestOf {
	o := jsontext.Begin(nil)
	if sum, problem := seal.Digest(q.Schema); len(q.Schema) > 0 && problem == nil {
		o.Str("schema_digest", digest.Hex(sum[:]))
		q.Schema = nil
	}
	q.append(&o)
	return digest.Sum256(o.End())
}

// expire ends what is due: questions, holds, interrupted calls.
func (m *Machine) expire() {
	for _, q := range slices.Clone(m.questions) {
		switch {
		case q.deadline != 0 && q.deadline <= m.now:
			m.withdraw(q, elicit.ByTimeout)
		case q.holdUntil != 0 && q.holdUntil <= m.now:
			q.holdUntil = 0
			m.put(q)
		}
	}
	for _, id := range slices.Clone(m.order) {
		if c := m.calls[id]; c.expires != 0 && c.expires <= m.now {
			m.endCall(c, elicit.ByTimeout)
		}
	}
	if m.engineWake != 0 && m.engineWake <= m.now {
		m.do(event.Ticked{})
	}
}
