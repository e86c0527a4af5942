package asking

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/digest"
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

// call is a call of the client, which a handler runs for, or ran for until it was interrupted.
type call struct {
	id, method, target string
	arguments          []byte
	structured         bool
	running            bool
	interrupted        bool
	responses          []byte // of the repeated call
	before             *open  // the question that the state of the repeated call says was open
	answers            []answer
	expires            int64 // of an interrupted call
}

// answer is a settled question of a call, or a value that it keeps.
type answer struct {
	position int
	digest   digestOf
	link     string
	settle   Settle
	value    []byte // nil for a question
}

type digestOf = [digest.Size]byte

// open is what a body says of the question that was open.
type open struct {
	position int
	digest   digestOf
	attempts int
	deadline int64
}

// called begins a run. An interrupted call that is made again keeps its answers and its open question.
func (m *Machine) called(ev Called) {
	arguments, problem := canonicalObject(ev.Arguments)
	switch {
	case ev.Call == "" || len(ev.Call) > maxLabel/2 || len(ev.Target) > maxLabel || len(ev.Method) > maxLabel:
		m.problem("call_unnamed", "")
		return
	case problem != nil:
		m.problem(problem.Code, "", problem.Args...)
		return
	}
	if c := m.calls[ev.Call]; c != nil && c.running {
		m.problem("call_running", "")
		return
	}
	c := m.interruptedCall(ev, arguments)
	if c == nil {
		if len(m.calls) >= maxCalls && !m.dropOldest() {
			m.problem("too_many_calls", "", elicit.Num("limit", maxCalls))
			return
		}
		c = &call{method: ev.Method, target: ev.Target, arguments: arguments}
	} else {
		m.rename(c, ev.Call)
	}
	c.id, c.structured, c.running, c.interrupted, c.expires = ev.Call, ev.Structured, true, false, 0
	c.responses, c.before = nil, nil
	if f := jsontext.Check(ev.Responses, jsontext.Limits{}); ev.Responses != nil && f == nil {
		c.responses = slices.Clone(ev.Responses)
	}
	if ev.Answers != nil {
		m.readBody(c, ev.Answers)
	}
	m.calls[c.id] = c
	m.order = append(m.order, c.id)
}

// interruptedCall finds the call that is made again: under its own name, or by the same target and arguments.
func (m *Machine) interruptedCall(ev Called, arguments []byte) *call {
	if c := m.calls[ev.Call]; c != nil {
		return c
	}
	for _, id := range m.order {
		c := m.calls[id]
		over := !c.running || c.interrupted // the client may be faster than the handler that was stopped
		if over && c.method == ev.Method && c.target == ev.Target && string(c.arguments) == string(arguments) {
			return c
		}
	}
	return nil
}

// rename lets an interrupted call run under the name of its new run. Its open questions keep the refs that the engine
// knows.
func (m *Machine) rename(c *call, id string) {
	m.removeCall(c)
	for _, q := range m.questions {
		if q.call == c.id {
			q.call = id
		}
	}
}

func (m *Machine) removeCall(c *call) {
	delete(m.calls, c.id)
	m.order = slices.DeleteFunc(m.order, func(id string) bool { return id == c.id })
}

// dropOldest forgets the oldest interrupted call.
func (m *Machine) dropOldest() bool {
	for _, id := range m.order {
		if c := m.calls[id]; !c.running || c.interrupted {
			m.endCall(c, elicit.ByCallEnded)
			return true
		}
	}
	return false
}

// endCall forgets a call and ends its open questions.
func (m *Machine) endCall(c *call, cause elicit.Cause) {
	for _, q := range slices.Clone(m.questions) {
		if q.call == c.id {
			m.withdraw(q, cause)
		}
	}
	m.removeCall(c)
}

// returned ends a run. Of an interrupted call everything stays until the client makes it again.
func (m *Machine) returned(ev Returned) {
	c := m.calls[ev.Call]
	switch {
	case c == nil || !c.running:
		m.problem("unknown_call", "")
	case c.interrupted:
		c.running = false
	default:
		m.endCall(c, elicit.ByCallEnded)
	}
}

// cancelled takes back a question or a call.
func (m *Machine) cancelled(ev Cancelled) {
	if ev.ID != "" {
		if q := m.byID(ev.ID); q != nil {
			m.withdraw(q, "")
			return
		}
		m.problem("unknown_request", ev.ID)
		return
	}
	if c := m.calls[ev.Call]; c != nil {
		m.endCall(c, elicit.ByCallEnded)
		return
	}
	m.problem("unknown_call", "")
}

// close ends everything.
func (m *Machine) close(ev Closed) {
	m.do(event.Closed{Session: session, Cause: ev.Cause})
	cause := ev.Cause
	if cause != elicit.ByShutdown {
		cause = elicit.BySessionClosed
	}
	for _, q := range slices.Clone(m.questions) {
		m.settle(q, Settle{Outcome: elicit.Cancelled, Cause: cause})
	}
	m.calls, m.order, m.closed = map[string]*call{}, nil, true
}

// at returns the answer at a position.
func (c *call) at(position int) *answer {
	for i := range c.answers {
		if c.answers[i].position == position {
			return &c.answers[i]
		}
	}
	return nil
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
