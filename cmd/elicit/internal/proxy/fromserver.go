package proxy

import (
	"bytes"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// fromServer does what one line of the server asks for. What is not understood passes, unless a client might read an
// elicitation out of it: no question goes round the engine.
func (p *Proxy) fromServer(l line) {
	switch {
	case l.end:
		p.serverGone()
		return
	case l.over:
		p.tooLong(l, "server", p.toServer, p.toClient)
		return
	}
	e, fault := wire.ReadEnvelope(l.body(), p.limits)
	if fault != nil {
		p.unreadable(l, elicit.FromFault(fault))
		return
	}
	switch e.Kind {
	case wire.Request:
		if e.Method == mcp.MethodCreate {
			p.create(e)
			return
		}
		p.settled.drop(canonicalID(e.ID))
	case wire.Notification:
		if p.serverNotice(e) {
			return
		}
	case wire.Result, wire.Error:
		p.serverAnswer(e, l)
		return
	case wire.Batch:
		p.batch(e, l)
		return
	default:
		p.unreadable(l, e.Problems...)
		return
	}
	p.toClient.put(l.raw)
}

// serverNotice reports whether a notification was meant for us alone.
func (p *Proxy) serverNotice(e wire.Envelope) bool {
	switch e.Method {
	case mcp.MethodCreate:
		p.note("dropped an elicitation without id: it could never be answered")
		return true
	case methodProgress:
		if progress, ok := wire.ReadObject(e.Params); ok {
			p.calls.heard(progress)
		}
	case mcp.MethodCancelled:
		c, problems := mcp.DecodeCancelled(e.Params)
		if problems != nil {
			return false
		}
		ref := canonicalID(c.ID)
		if q := p.questions[ref]; q != nil {
			p.forget(q, nil)
			p.settled.add(ref)
			p.do(engine.Cancelled{Session: q.request.Session, Ref: ref})
			return true
		}
		return p.settled.has(ref) // too late, and nothing the client ever heard of
	case mcp.MethodComplete:
		link, problems := p.dialect.DecodeComplete(e.Params)
		if problems != nil {
			return false
		}
		p.do(engine.Completed{Session: p.session, Link: link})
		return !p.o.ForwardToClient && p.links.has(link)
	}
	return false
}

// serverAnswer hands an answer to the client, under the client's own id, unless it asks for more first.
func (p *Proxy) serverAnswer(e wire.Envelope, l line) {
	if e.ID == nil {
		p.toClient.put(l.raw)
		return
	}
	id := e.ID
	k := p.calls.answered(id)
	switch {
	case k == nil && p.ownID(id):
		return // the answer to a call the client took back
	case k == nil:
		p.toClient.put(l.raw)
		return
	case k.method == "initialize" && e.Kind == wire.Result:
		p.initialized(k, e.Result)
	case k.method == mcp.MethodTools && e.Kind == wire.Result:
		p.tools.listed(e.Result)
	case e.Kind == wire.Result && p.roundAsked(k, e):
		return
	case e.Kind == wire.Error && p.visitRequired(k, e):
		return
	}
	p.finish(k, e.Raw, l.raw)
}

// finish gives the client the answer in body to its call, with the line end of raw.
func (p *Proxy) finish(k *call, body, raw []byte) {
	p.calls.remove(k)
	o, _ := wire.ReadObject(body)
	if bytes.Equal(o.Get("id"), k.id) {
		p.toClient.put(withEnd(body, raw))
		return
	}
	p.toClient.put(withEnd(splice(body, "id", k.id), raw))
}

// failCall answers a call with an error of our own. k may be nil: then only the id is known.
func (p *Proxy) failCall(k *call, id []byte, code int, problems ...elicit.Problem) {
	if k != nil {
		p.calls.remove(k)
		id = k.id
	}
	p.toClient.put(ended(wire.AppendProblems(nil, id, code, problems)))
}

// initialized notes the date both sides settled on and opens the session that questions belong to.
func (p *Proxy) initialized(k *call, result []byte) {
	o, _ := wire.ReadObject(result)
	version, _ := wire.Text(o.Get("protocolVersion"))
	p.dialect = direct(version)
	p.declared = mcp.Modes{Form: k.declared.Form, URL: k.declared.URL && p.dialect.URL}
	p.session = p.open(p.declared)
}

// unreadable refuses text that a lax client might read as an elicitation; any other text passes as it is. An answer to
// a call made again is recognised by an id nobody else could have made up.
func (p *Proxy) unreadable(l line, problems ...elicit.Problem) {
	g := glance(l.body())
	if g.asks() {
		p.note("refused an elicitation that cannot be read: %s", printable(wire.Sentence(problems)))
		if g.id != nil {
			p.settled.add(canonicalID(g.id))
		}
		p.toServer.put(ended(wire.AppendProblems(nil, g.id, wire.InvalidRequest, problems)))
		return
	}
	if g.answer && g.id != nil {
		if k := p.calls.answered(g.id); k != nil {
			p.calls.remove(k)
			p.toClient.put(bytes.Replace(l.raw, g.id, k.id, 1))
			return
		}
	}
	p.toClient.put(l.raw)
}

// batch passes a batch on less any elicitation in it. Batches left the protocol before elicitation entered it.
func (p *Proxy) batch(e wire.Envelope, l line) {
	list, _ := wire.Elements(e.Raw, passMembers)
	var rest [][]byte
	for _, m := range list {
		if g := glance(m); g.asks() {
			p.toServer.put(ended(wire.AppendProblems(nil, g.id, wire.InvalidRequest, []elicit.Problem{{Code: "envelope_batch"}})))
			continue
		} else if k := p.calls.answered(g.id); g.answer && k != nil {
			p.calls.remove(k)
		}
		rest = append(rest, m)
	}
	switch {
	case len(rest) == len(list):
		p.toClient.put(l.raw)
	case len(rest) > 0:
		p.toClient.put(withEnd(append(append([]byte{'['}, bytes.Join(rest, []byte{','})...), ']'), l.raw))
	}
}
