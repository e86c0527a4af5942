package asking

import (
	"cmp"
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// These are bounds of one machine. A client that makes calls without end, or a handler that asks without end, must not
// fill the memory of a server.
const (
	maxCalls     = 1024
	MaxPositions = 256 // questions and values of one call
	maxArguments = 256 << 10
)

// called begins a run. An interrupted call that is made again keeps its answers and its open question.
//
// The machine knows an interrupted call by its name or by the same method, target and arguments, and not by anything
// that the client says of itself. A client that makes another call with the same arguments gets the answers of the
// first: it is the same principal, and it asks for the same.
//
// Two runs of one call, in one process or two, have different names and the same logical call. The new name replaces
// the old one in the call, in its questions and in the order.
func (m *Machine) called(ev Called) {
	arguments, problem := canonicalObject(ev.Arguments)
	switch {
	case ev.Call == "" || len(ev.Call) > maxLabel/2 || len(ev.Target) > maxLabel || len(ev.Method) > maxLabel:
		m.out.problem("call_unnamed", "")
		return
	case problem != nil:
		m.out.problem(problem.Code, "", problem.Args...)
		return
	}
	if c := m.calls.byID.At(ev.Call); c != nil && c.running {
		// Two runs under one name could not be told apart, and one would get the answers of the other.
		m.out.problem("call_running", "")
		return
	}
	c := m.calls.interrupted(ev, arguments)
	if c == nil {
		// Calls that wait for a person give way to new ones. A call that runs does not: its handler is here.
		if m.calls.byID.Len() >= maxCalls && !m.dropOldest() {
			m.out.problem("too_many_calls", "", elicit.Num("limit", maxCalls))
			return
		}
		c = &call{method: ev.Method, target: ev.Target, arguments: arguments, logical: logical{key: ev.Key}}
	} else {
		m.calls.remove(c)
		m.questions.rename(c.id, ev.Call)
		c.key = cmp.Or(c.key, ev.Key)
	}
	c.id, c.structured, c.running, c.interrupted, c.expires = ev.Call, ev.Structured, true, false, 0
	// Responses belong to this run alone. Those of the run before were taken or did not fit.
	c.responses, c.before = nil, nil
	// Responses that are no JSON count as none. The question is then put again, as without them.
	if f := jsontext.Check(ev.Responses, jsontext.Limits{}); ev.Responses != nil && f == nil {
		c.responses = slices.Clone(ev.Responses)
	}
	if ev.Answers != nil {
		m.readBody(c, ev.Answers)
	}
	m.calls.add(c)
}

// dropOldest forgets the oldest interrupted call.
func (m *Machine) dropOldest() bool {
	for _, id := range m.calls.order {
		if c := m.calls.byID.At(id); !c.running || c.interrupted {
			m.endCall(c, elicit.ByCallEnded)
			return true
		}
	}
	return false
}

// endCall forgets a call and ends its open questions.
func (m *Machine) endCall(c *call, cause elicit.Cause) {
	for _, q := range slices.Clone(m.questions.list) {
		if q.call == c.id {
			m.withdraw(q, cause)
		}
	}
	m.calls.remove(c)
}

// returned ends a run. Of an interrupted call everything stays until the client makes it again.
//
// A handler that ends with an open question leaves that question to nobody, so it ends too.
func (m *Machine) returned(ev Returned) {
	c := m.calls.byID.At(ev.Call)
	switch {
	case c == nil || !c.running:
		m.out.problem("unknown_call", "")
	// The call is over for the handler. For the person it goes on until the client makes it again.
	case c.interrupted:
		c.running = false
		m.carry(c)
	default:
		m.endCall(c, elicit.ByCallEnded)
	}
}

// carry forgets an interrupted call whose client has all of it in the state that it brings back. A copy here would end
// by its time, and tell of a person who gave no answer.
//
// It is only for rounds. A page, a URL that is waited for, a request and a text have no state at the client.
func (m *Machine) carry(c *call) {
	q := m.questions.find(func(q *question) bool { return q.call == c.id && q.show != nil })
	if q == nil || q.offer == "" || m.client.keeps(q) {
		return
	}
	q.silent = true
	m.withdraw(q, elicit.ByCarried)
	m.calls.remove(c)
}

// cancelled takes back a question or a call.
//
// A question ends for its handler, which goes on. A call ends with all its questions.
func (m *Machine) cancelled(ev Cancelled) {
	if ev.ID != "" {
		if q := m.questions.byID(ev.ID); q != nil {
			q.by = ev.By
			m.withdraw(q, "")
			return
		}
		m.out.problem("unknown_request", ev.ID)
		return
	}
	if c := m.calls.byID.At(ev.Call); c != nil {
		m.endCall(c, elicit.ByCallEnded)
		return
	}
	m.out.problem("unknown_call", "")
}

// close ends everything. A client that closes its session does not take back a question that it was told of in a text.
// The person may still answer, and another session of the same principal may pass the answer on.
//
// With a shutdown everything ends. A closed session ends only calls that nobody could continue. A call outlives it if
// it has its answer. It also does if its question is in a text, and a page, a flow or a principal can bring the answer.
func (m *Machine) close(ev Closed) {
	outlives := func(id string) bool { // a call without an open question has its answer
		q := m.questions.find(func(q *question) bool { return q.call == id })
		return m.calls.byID.At(id).interrupted &&
			(q == nil || q.offer == ByText && (q.page || q.Wait || m.client.config.Principal != ""))
	}
	if all := slices.Clone(m.calls.order); ev.Cause == elicit.BySessionClosed && slices.ContainsFunc(all, outlives) {
		for _, id := range all {
			if !outlives(id) {
				m.endCall(m.calls.byID.At(id), ev.Cause)
			}
		}
		return
	}
	cause := ev.Cause
	if cause != elicit.ByShutdown {
		cause = elicit.BySessionClosed
	}
	end := func(which func(q *question) bool) {
		for _, q := range slices.Clone(m.questions.list) {
			if which(q) {
				m.settle(q, Settle{Outcome: elicit.Cancelled, Cause: cause})
			}
		}
	}
	// The engine has replied to a question whose page a person visits. It would say that the time is over.
	end((*question).visited)
	m.do(event.Closed{Session: session, Cause: ev.Cause})
	// The engine has withdrawn its questions by now. Questions that it had not seen yet end here.
	end(func(*question) bool { return true })
	m.calls, m.closed = calls{}, true
}

// canonicalObject returns arguments in canonical spelling: the same call is known by the same bytes.
func canonicalObject(doc []byte) ([]byte, *elicit.Problem) {
	if doc == nil {
		return nil, nil
	}
	if f := jsontext.Check(doc, jsontext.Limits{Bytes: maxArguments}); f != nil {
		p := elicit.FromFault(f)
		return nil, &p
	}
	if wire.TypeOf(doc) != wire.Map {
		return nil, &elicit.Problem{Code: "wrong_type", Args: []elicit.Arg{elicit.Str("expected", "object")}}
	}
	return jsontext.AppendValue(nil, doc), nil
}
