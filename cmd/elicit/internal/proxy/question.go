package proxy

import (
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// question is one thing the engine was asked and has not replied to yet.
type question struct {
	request elicit.Request
	show    func(engine.Show, answer) // puts it before the client; nil for our own user interface
	shown   engine.Show               // before the client, when it is
	settle  func(engine.Reply)
	resolve func(engine.Resolution) // a consented page is over; nil when nobody waits for that
	born    int                     // how many calls and questions there were before it
	abandon func()                  // the call it belongs to was taken back by the client; nil when nothing is owed
}

// answer brings what was decided in front of some user interface back to the loop.
type answer = ui.Answer

// create asks the engine what the server asks by elicitation/create.
func (p *Proxy) create(e wire.Envelope) {
	if p.ending.begun { // the server's input is closed: nobody could hear an answer
		p.log("dropped a question of the server, which has been told to leave")
		return
	}
	ref := canonicalID(e.ID)
	q, again := &question{}, p.questions[ref] != nil
	dialect := p.dialect
	if problem := askable(e.Raw); problem != nil {
		p.refuse(e.ID, again, &mcp.Refusal{Code: wire.InvalidRequest, Problems: []elicit.Problem{*problem}})
		return
	}
	req, extra, no := dialect.DecodeCreate(e.Params, p.declared)
	if no != nil {
		p.refuse(e.ID, again, no)
		return
	}
	req.Session, req.Ref = p.session, ref
	if k := p.calls.only(); k != nil {
		req.Parent, req.Tool = k.key, k.tool
	}
	q.request = req
	if p.o.ForwardToClient {
		q.show = func(s engine.Show, done answer) {
			params := e.Params
			if s.Message != req.Message {
				params = splice(params, "message", quote(s.Message))
			}
			p.askClient(s.ID, params, req.Mode, done)
		}
	} else if req.Link != "" {
		p.links.add(req.Link)
	}
	id, mode := e.ID, req.Mode
	q.settle = func(r engine.Reply) {
		p.settled.add(ref)
		p.toServer.put(ended(reply(dialect, id, mode, extra, r)))
	}
	q.abandon = func() { q.settle(engine.Reply{Outcome: elicit.Cancelled, Cause: elicit.ByPeerCancelled}) }
	if again {
		p.again[ref]++
		p.do(engine.Asked{Request: req})
		return
	}
	p.settled.drop(ref)
	p.ask(q)
}

// askable holds a message that asks something to the limits that a message which only passes does not have to meet.
func askable(raw []byte) *elicit.Problem {
	_, fault := wire.ReadEnvelope(raw, wire.Limits{})
	if fault == nil {
		return nil
	}
	problem := elicit.FromFault(fault)
	return &problem
}

// refuse answers a question the wire already knows to be unfit. Under an id that is in use the answer would be taken
// for that of the earlier question, so it goes to nobody in particular and names the id in its text.
func (p *Proxy) refuse(id []byte, again bool, no *mcp.Refusal) {
	p.logRefused(no.Problems)
	if again {
		p.refuseAgain(canonicalID(id))
		return
	}
	p.settled.add(canonicalID(id))
	p.toServer.put(ended(no.Append(nil, id)))
}

func (p *Proxy) refuseAgain(ref string) {
	problem := elicit.Problem{Code: "ref_in_use", Args: []elicit.Arg{elicit.Raw("ref", ref)}}
	text := "request id " + ref + " is still in use: the earlier elicitation with this id is not answered yet"
	content := append(elicit.AppendList([]byte(`{"problems":`), []elicit.Problem{problem}), '}')
	p.toServer.put(ended(wire.AppendError(nil, nil, wire.InvalidRequest, text, content)))
}

// reply spells what the engine replied.
func reply(d mcp.Dialect, id []byte, mode elicit.Mode, extra mcp.Extra, r engine.Reply) []byte {
	a := mcp.Answer{Action: elicit.Action(r.Outcome), Mode: mode, Content: r.Content, Echo: extra.Echo}
	if out, ok := d.AppendAnswer(nil, id, a); ok {
		return out
	}
	return wire.AppendProblems(nil, id, errorCode(r.Cause), r.Problems)
}

// errorCode is the JSON-RPC code of an error reply by its cause.
func errorCode(c elicit.Cause) int {
	switch c {
	case elicit.ByInvalidRequest, elicit.ByUnsupported:
		return wire.InvalidParams
	case elicit.ByRateLimit, elicit.ByDuplicate:
		return wire.InvalidRequest
	}
	return wire.InternalError
}

// ask puts a question to the engine; its effects are performed when the loop comes round.
func (p *Proxy) ask(q *question) {
	p.questions[q.request.Ref] = q
	if p.audience != nil {
		r := q.request
		r.Server = p.o.Name
		p.audience.Asked(r)
	}
	q.born = p.calls.bear()
	p.keepAlive()
	p.revoke()
	if q.request.Tool != "" {
		q.request.Annotations = p.tools[q.request.Tool]
	}
	p.do(engine.Asked{Request: q.request})
}

// do hands an event to the engine. When the driver cannot go on, nothing may be answered as if it had been recorded:
// whatever is open fails.
func (p *Proxy) do(ev engine.Event) {
	err := p.driver.Do(ev)
	if err == nil {
		return
	}
	p.refuseAll(err)
	p.inbox.post(func() {
		for ref, q := range p.questions {
			failed := engine.Reply{Session: q.request.Session, Ref: ref, Outcome: elicit.Failed, Cause: elicit.ByShutdown,
				Problems: []elicit.Problem{{Code: "journal_failed"}}}
			p.forget(q, &failed)
			q.settle(failed)
		}
	})
}

// refuseAll notes, once, why nothing is decided any more.
func (p *Proxy) refuseAll(why error) {
	if !p.broken {
		p.broken = true
		p.note("%v; every question is refused from now on, and everything else passes", why)
	}
}

// open returns the engine session of a server that was told of modes, and opens it when it is the first.
func (p *Proxy) open(declared mcp.Modes) string {
	name := "form+url"
	switch {
	case declared.None():
		name = "none"
	case !declared.URL:
		name = "form"
	case !declared.Form:
		name = "url"
	}
	if !p.sessions[name] {
		p.sessions[name] = true
		m := engineModes(declared)
		shown := m
		if p.o.PolicyAlone {
			shown = engine.Modes{}
		}
		p.do(engine.Opened{Session: name, Server: p.o.Name, Side: elicit.Answering, Declared: m, Shown: shown,
			Identity: p.o.Identity})
	}
	return name
}

// close ends every session.
func (p *Proxy) close(cause elicit.Cause) {
	for name := range p.sessions {
		delete(p.sessions, name)
		p.do(engine.Closed{Session: name, Cause: cause})
	}
}

// withdrawCall ends the questions of a call that the client wants no more, or that has failed.
func (p *Proxy) withdrawCall(k *call) {
	p.do(engine.Cancelled{Session: k.session, Parent: k.key})
	if k.turn != nil {
		p.unrequest(k.turn)
	}
	for _, q := range p.questions {
		if q.request.Parent != k.key || q.request.Session != k.session {
			continue
		}
		p.forget(q, nil)
		if q.abandon != nil {
			q.abandon()
		}
	}
}
