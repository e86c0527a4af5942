package relay

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/acp"
)

// chain is the state of a machine that is one proxy of a chain of ACP. A conductor is the only peer of such a machine.
// It stands for the client and for the successor, which has the place of the server. A message from or to the successor
// is the content of a proxy/successor message. An answer is never wrapped, so its id says which end it comes from.
type chain struct {
	from map[idKey]End // the open requests of the conductor, by the end that they come from
	sent map[idKey]End // the open requests to the conductor, by the end that they go to
}

func newChain(on bool) *chain {
	if !on {
		return nil
	}
	return &chain{from: map[idKey]End{}, sent: map[idKey]End{}}
}

// chainReceived handles one message of the conductor. msg has passed the gate.
func (m *Machine) chainReceived(msg *message) {
	c := m.chain
	switch {
	case msg.kind == batch:
		m.refuseMessage(Client, msg, elicit.Problem{Code: "envelope_batch"})
	case msg.kind == result || msg.kind == failure:
		end := Client
		if key, open := find(c.sent, msg.id); open {
			end = c.sent[key]
			delete(c.sent, key)
		}
		m.handleFrom(end, clone(msg.raw))
	case msg.id != nil && c.from[keyOf(msg.id)] != 0: // an error under this id would pass for another answer
		m.inUse(msg.id)
	case len(c.from) >= 2*maxCalls:
		m.refuseID(msg.id, wire.InternalError, tooManyCalls)
	default:
		m.chainCall(msg)
	}
}

// chainCall handles a request or a notification of the conductor.
func (m *Machine) chainCall(msg *message) {
	end, raw := Client, clone(msg.raw)
	switch msg.method {
	case methodSuccessor:
		inner, problem := unwrapped(msg)
		if problem != nil {
			m.refuseMessage(Client, msg, *problem)
			return
		}
		end, raw = Server, inner
	case methodProxyInitialize:
		raw = splice(raw, "method", quote(acp.MethodInitialize))
	case methodInitialize: // only an agent at the end of a chain gets it
		m.refuseMessage(Client, msg, elicit.Problem{Code: "chain_initialize"})
		return
	case methodCancelled: // it is about one hop, so it is not wrapped either
		id := cancelledID(msg.params)
		if id == nil || m.chain.from[keyOf(id)] == 0 {
			return // its request has an answer
		}
		end = m.chain.from[keyOf(id)]
	}
	if msg.id != nil {
		m.chain.from[keyOf(msg.id)] = end
	}
	m.handleFrom(end, raw)
}

// handleFrom handles a message as one that came from an end.
func (m *Machine) handleFrom(end End, raw []byte) {
	msg := &m.message
	*msg = message{}
	if problem := m.gate.read(msg, raw); problem != nil {
		m.refuseMessage(end, msg, *problem)
		return
	}
	switch v := m.judge(end, msg); {
	case !v.pass:
	case v.text != nil:
		m.send(end.other(), v.text)
	default:
		m.send(end.other(), clone(msg.raw))
	}
}

// chainRefused refuses a message of the conductor that cannot be read.
func (m *Machine) chainRefused(msg *message, problem elicit.Problem) {
	end := Client
	if g := glance(msg.raw); g.id != nil {
		key := keyOf(g.id)
		switch {
		case g.answer && !g.call && m.chain.sent[key] != 0:
			end = m.chain.sent[key]
			delete(m.chain.sent, key)
		case g.call && m.chain.from[key] != 0:
			m.refused(Client, problem)
			return
		}
	}
	m.refuseMessage(end, msg, problem)
}

// unwrapped returns the message inside a proxy/successor message, under the same id.
func unwrapped(msg *message) ([]byte, *elicit.Problem) {
	r := wire.Read(msg.params, "/params")
	method := r.Filled("method", maxMethod)
	params := r.Get("params")
	if params != nil && wire.TypeOf(params) != wire.Map && wire.TypeOf(params) != wire.Null {
		r.WrongType("params", params, "object")
	}
	switch {
	case r.Problems != nil:
		return nil, &r.Problems[0]
	case method == acp.MethodSuccessor, method == acp.MethodProxyInitialize, method == acp.MethodInitialize,
		method == acp.MethodWithdraw:
		return nil, &elicit.Problem{Code: "chain_nested", Pointer: "/params/method",
			Args: []elicit.Arg{elicit.Str("method", method)}}
	case wire.TypeOf(params) == wire.Null:
		params = nil
	}
	return appendCall(nil, msg.id, r.Get("method"), params), nil
}

// maxMethod is the most bytes of the name of a wrapped method.
const maxMethod = 1024

// toConductor returns a message for an end as the conductor gets it.
func (c *chain) toConductor(to End, text []byte) []byte {
	o, _ := wire.ReadObject(text)
	id, method := o.Get("id"), o.Get("method")
	switch {
	case method == nil: // an answer
		if id != nil {
			delete(c.from, keyOf(id))
		}
		return text
	case id != nil:
		c.sent[keyOf(id)] = to
	}
	if name, _ := wire.Text(method); to == Client || name == acp.MethodWithdraw {
		return text
	}
	params := append([]byte(`{"method":`), method...)
	if inner := o.Get("params"); inner != nil {
		params = append(append(params, `,"params":`...), inner...)
	}
	return appendCall(nil, id, quote(acp.MethodSuccessor), append(params, '}'))
}

// appendCall appends a request, or a notification if id is nil. method and params are as spelled.
func appendCall(dst, id, method, params []byte) []byte {
	o := jsontext.Begin(dst)
	o.Str("jsonrpc", "2.0")
	for _, m := range [...]struct {
		name string
		raw  []byte
	}{{"id", id}, {"method", method}, {"params", params}} {
		if m.raw != nil {
			o.Name(m.name, func(dst []byte) []byte { return append(dst, m.raw...) })
		}
	}
	return o.End()
}
