package proxy

import (
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// fromClient does what one line of the client asks for. What is not understood passes.
func (p *Proxy) fromClient(l line) {
	switch {
	case l.end:
		p.clientGone()
		return
	case l.over:
		p.tooLong(l, "client", p.toClient, p.toServer)
		return
	}
	e, fault := wire.ReadEnvelope(l.body(), p.limits)
	if fault != nil {
		p.toServer.put(l.raw)
		return
	}
	switch e.Kind {
	case wire.Request:
		p.clientRequest(e, l)
	case wire.Notification:
		p.clientNotice(e, l)
	case wire.Result, wire.Error:
		p.clientAnswer(e, l)
	default:
		p.toServer.put(l.raw)
	}
}

// clientRequest notes the call, declares elicitation in it, and sends it on.
func (p *Proxy) clientRequest(e wire.Envelope, l line) {
	if p.ending.silent {
		p.failCall(nil, e.ID, wire.InternalError, serverEnded)
		return
	}
	if p.resumed(e) {
		return
	}
	k := &call{id: e.ID, key: wire.IDKey(e.ID), method: e.Method, session: p.session, declared: p.declared}
	body := e.Raw
	o, _ := wire.ReadObject(body)
	for _, at := range places(e.Method, o) {
		var modes mcp.Modes
		body, modes = p.declare(body, at)
		k.declared = modes
		if at.dialect.Carrier == wire.Rounds {
			k.rounds = true
			k.session = p.open(modes)
		}
	}
	if params, ok := o.Child("params"); ok {
		k.pulse.token = readToken(params)
		if e.Method == "tools/call" {
			k.tool, _ = wire.Text(params.Get("name"))
		}
	}
	p.calls.add(k, body, rounds.MayAsk(e.Method))
	if len(body) == len(e.Raw) && &body[0] == &e.Raw[0] {
		p.toServer.put(l.raw)
		return
	}
	p.toServer.put(withEnd(body, l.raw))
}

// clientNotice watches for a call that the client no longer wants: its questions end with it, and the server is told by
// the id it knows the call by.
func (p *Proxy) clientNotice(e wire.Envelope, l line) {
	if e.Method != mcp.MethodCancelled {
		p.toServer.put(l.raw)
		return
	}
	c, problems := mcp.DecodeCancelled(e.Params)
	k := p.calls.byClient[wire.IDKey(c.ID)]
	if problems != nil || k == nil {
		p.toServer.put(l.raw)
		return
	}
	p.withdrawCall(k)
	serverID := k.serverID
	p.calls.remove(k)
	switch {
	case serverID == nil: // the server has answered; it was we who had the call
	case wire.IDKey(serverID) == k.key:
		p.toServer.put(l.raw)
	default:
		p.toServer.put(withEnd(splice(e.Raw, "params", splice(e.Params, "requestId", serverID)), l.raw))
	}
}

// clientAnswer takes answers to what we asked the client ourselves. An answer to a question that is being put before
// someone else is the client's mistake, and would be a second reply.
func (p *Proxy) clientAnswer(e wire.Envelope, l line) {
	if e.ID == nil {
		p.toServer.put(l.raw)
		return
	}
	if take, ours := p.asked[wire.IDKey(e.ID)]; ours {
		delete(p.asked, wire.IDKey(e.ID))
		take(e)
		return
	}
	if p.ownID(e.ID) {
		return // the answer to something we took back
	}
	if p.questions[canonicalID(e.ID)] != nil {
		p.note("dropped an answer of the client to a question it was not asked (id %s)", e.ID)
		return
	}
	p.toServer.put(l.raw)
}
