package relay

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/acp"
)

// chain is the state of a machine that is one proxy of a chain of ACP. A conductor is the only peer of such a machine.
// It stands for the client and for the successor, which has the place of the server. A message from or to the successor
// is the content of a proxy/successor message. An answer is never wrapped, so its id says which end it comes from.
type chain struct {
	from map[gate.Key]End // the open requests of the conductor, by the end that they come from
	sent map[gate.Key]End // the open requests to the conductor, by the end that they go to
}

func newChain(on bool) *chain {
	if !on {
		return nil
	}
	return &chain{from: map[gate.Key]End{}, sent: map[gate.Key]End{}}
}

// chainReceived handles one message of the conductor. msg has passed the gate.
func (m *Machine) chainReceived(msg *gate.Message) {
	c := m.chain
	switch {
	case msg.Kind == gate.Batch:
		m.refuseMessage(Client, msg, elicit.Problem{Code: "envelope_batch"})
	case msg.Kind == gate.Result || msg.Kind == gate.Failure:
		end := Client
		if key, open := gate.Find(c.sent, msg.ID); open {
			end = c.sent[key]
			delete(c.sent, key)
		}
		m.handleFrom(end, gate.Clone(msg.Raw))
	case msg.ID != nil && c.from[gate.KeyOf(msg.ID)] != 0: // an error under this id would pass for another answer
		m.inUse(msg.ID)
	case len(c.from) >= 2*maxCalls:
		m.refuseID(msg.ID, wire.InternalError, tooManyCalls)
	default:
		m.chainCall(msg)
	}
}

// chainCall handles a request or a notification of the conductor.
func (m *Machine) chainCall(msg *gate.Message) {
	end, raw := Client, gate.Clone(msg.Raw)
	switch msg.Method {
	case methodSuccessor:
		inner, problem := unwrapped(msg)
		if problem != nil {
			m.refuseMessage(Client, msg, *problem)
			return
		}
		end, raw = Server, inner
	case methodProxyInitialize:
		raw = gate.Splice(raw, "method", gate.Quote(acp.MethodInitialize))
	case methodInitialize: // only an agent at the end of a chain gets it
		m.refuseMessage(Client, msg, elicit.Problem{Code: "chain_initialize"})
		return
	case methodCancelled: // it is about one hop, so it is not wrapped either
		id := gate.CancelledID(msg.Params)
		if id == nil || m.chain.from[gate.KeyOf(id)] == 0 {
			return // its request has an answer
		}
		end = m.chain.from[gate.KeyOf(id)]
	}
	if msg.ID != nil {
		m.chain.from[gate.KeyOf(msg.ID)] = end
	}
	m.handleFrom(end, raw)
}

// handleFrom handles a message as one that came from an end.
func (m *Machine) handleFrom(end End, raw []byte) {
	msg := &m.message
	*msg = gate.Message{}
	if problem := m.gate.Read(msg, raw); problem != nil {
		m.refuseMessage(end, msg, *problem)
		return
	}
	switch v := m.judge(end, msg); {
	case !v.Pass:
	case v.Text != nil:
		m.send(end.other(), v.Text)
	default:
		m.send(end.other(), gate.Clone(msg.Raw))
	}
}

// chainRefused refuses a message of the conductor that cannot be read.
func (m *Machine) chainRefused(msg *gate.Message, problem elicit.Problem) {
	end := Client
	if g := gate.Glance(msg.Raw); g.ID != nil {
		key := gate.KeyOf(g.ID)
		switch {
		case g.Answer && !g.Call && m.chain.sent[key] != 0:
			end = m.chain.sent[key]
			delete(m.chain.sent, key)
		case g.Call && m.chain.from[key] != 0:
			m.refused(Client, problem)
			return
		}
	}
	m.refuseMessage(end, msg, problem)
}

// unwrapped returns the message inside a proxy/successor message, under the same id.
func unwrapped(msg *gate.Message) ([]byte, *elicit.Problem) {
	r := wire.Read(msg.Params, "/params")
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
	return appendCall(nil, msg.ID, r.Get("method"), params), nil
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
			delete(c.from, gate.KeyOf(id))
		}
		return text
	case id != nil:
		c.sent[gate.KeyOf(id)] = to
	}
	if name, _ := wire.Text(method); to == Client || name == acp.MethodWithdraw {
		return text
	}
	params := append([]byte(`{"method":`), method...)
	if inner := o.Get("params"); inner != nil {
		params = append(append(params, `,"params":`...), inner...)
	}
	return appendCall(nil, id, gate.Quote(acp.MethodSuccessor), append(params, '}'))
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
