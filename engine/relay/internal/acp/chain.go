package acp

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/acp"
)

// Chain is the state of a machine that is one proxy of a chain of ACP. A conductor is the only peer of such a
// machine. It stands for the client and for the successor, which has the place of the server. A message from or to
// the successor is the content of a proxy/successor message. An answer is never wrapped, so its id says which end it
// comes from.
//
// Examples, as the conductor sends and gets them:
//
//	{"id":1,"method":"session/prompt",…}                                     from the client, to be wrapped for the agent
//	{"id":2,"method":"proxy/successor","params":{"method":"fs/read_text_file",…}}    from the agent
//	{"id":1,"result":{…}}                                                    an answer, to either
//
// The conductor numbers the requests of both ends, so an id says nothing by itself. from and sent say which end a
// request is of. A second request of the conductor under an id in from is refused.
type Chain struct {
	to   *link.Connection
	ends link.Ends
	from map[gate.Key]link.End // the open requests of the conductor, by the end that they come from
	sent map[gate.Key]link.End // the open requests to the conductor, by the end that they go to
}

// NewChain makes the state of a proxy.
func NewChain(to *link.Connection, ends link.Ends) *Chain {
	return &Chain{to: to, ends: ends, from: map[gate.Key]link.End{}, sent: map[gate.Key]link.End{}}
}

// maxOpen is the most open requests of a conductor, which has the place of two ends. It is twice link.MaxCalls, one for
// each end.
const maxOpen = 1 << 17

// Received handles one message of the conductor.
func (c *Chain) Received(msg *gate.Message, problem *elicit.Problem) {
	switch {
	case problem != nil:
		c.refused(msg, *problem)
	case msg.Kind == gate.Batch:
		c.ends.Refuse(link.Client, msg, elicit.Problem{Code: "envelope_batch"})
	case msg.Kind == gate.Result || msg.Kind == gate.Failure:
		end := link.Client
		if key, open := gate.Find(c.sent, msg.ID); open {
			end = c.sent[key]
			delete(c.sent, key)
		}
		c.ends.Handle(end, gate.Clone(msg.Raw))
	case msg.ID != nil && c.from[gate.KeyOf(msg.ID)] != 0: // an error under this id would pass for another answer
		c.to.Refuse(link.Server, nil, &wire.Refusal{Problems: []elicit.Problem{link.InUse(gate.Clipped(string(msg.ID)))}})
		c.to.Send(link.Server, link.AppendInUse(nil, gate.CanonicalID(msg.ID)), nil)
	case msg.ID != nil && len(c.from) >= maxOpen: // a notification has no answer, and opens nothing
		c.to.Send(link.Client, wire.AppendProblems(nil, gate.Clone(msg.ID), wire.InternalError,
			[]elicit.Problem{link.TooManyCalls}), nil)
	default:
		c.call(msg)
	}
}

// call handles a request or a notification of the conductor.
//
// A wrapped message is a message of the agent, and any other one is a message of the editor. The id is the same inside
// and outside.
func (c *Chain) call(msg *gate.Message) {
	end, raw := link.Client, gate.Clone(msg.Raw)
	switch msg.Method {
	case successor:
		inner, problem := unwrapped(msg)
		if problem != nil {
			c.ends.Refuse(link.Client, msg, *problem)
			return
		}
		end, raw = link.Server, inner
	// The machine's tables know initialize only. Sent gives the agent its own initialize, wrapped.
	case proxyInitialize:
		raw = gate.Splice(raw, "method", gate.Quote(acp.MethodInitialize))
	case initialize: // only an agent at the end of a chain gets it
		c.ends.Refuse(link.Client, msg, elicit.Problem{Code: "chain_initialize"})
		return
	case cancelled: // it is about one hop, so it is not wrapped either
		id := gate.CancelledID(msg.Params, requestID)
		if id == nil || c.from[gate.KeyOf(id)] == 0 {
			return // its request has an answer
		}
		end = c.from[gate.KeyOf(id)]
	}
	if msg.ID != nil {
		c.from[gate.KeyOf(msg.ID)] = end
	}
	c.ends.Handle(end, raw)
}

// refused refuses a message of the conductor that cannot be read.
//
// A readable id may show who waits. An answer that cannot be read ends the request that it is for, at its end.
func (c *Chain) refused(msg *gate.Message, problem elicit.Problem) {
	end := link.Client
	if g := gate.Glance(msg.Raw); g.ID != nil {
		key := gate.KeyOf(g.ID)
		switch {
		case g.Answer && !g.Call && c.sent[key] != 0:
			end = c.sent[key]
			delete(c.sent, key)
		// An error under this id would pass for the answer to the open request.
		case g.Call && c.from[key] != 0:
			c.to.Refuse(link.Client, nil, &wire.Refusal{Problems: []elicit.Problem{problem}})
			return
		}
	}
	c.ends.Refuse(end, msg, problem)
}

// unwrapped returns the message inside a proxy/successor message, under the same id.
//
// params may be absent, null or an object. The methods of a chain may not be nested: a message inside a message inside
// a message would pass one proxy unread.
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

// Sent returns a message for an end as the conductor gets it.
//
// An answer goes out bare and closes the request of the conductor. A request to the agent is wrapped, and one to the
// editor is not. $/cancel_request is about the id of one hop, so it is never wrapped.
func (c *Chain) Sent(to link.End, text []byte) []byte {
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
	if name, _ := wire.Text(method); to == link.Client || name == acp.MethodWithdraw {
		return text
	}
	params := jsontext.Begin(nil)
	params.Raw("method", method)
	if inner := o.Get("params"); inner != nil {
		params.Raw("params", inner)
	}
	return appendCall(nil, id, gate.Quote(acp.MethodSuccessor), params.End())
}

// appendCall appends a request, or a notification if id is nil. method and params are as spelled.
func appendCall(dst, id, method, params []byte) []byte {
	o := jsontext.With(dst, "jsonrpc", "2.0")
	for _, m := range [...]struct {
		name string
		raw  []byte
	}{{"id", id}, {"method", method}, {"params", params}} {
		if m.raw != nil {
			o.Raw(m.name, m.raw)
		}
	}
	return o.End()
}
