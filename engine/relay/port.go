package relay

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// port is the machine as a dialogue sees it. See link.Link.
type port struct{ m *Machine }

func (p *port) Over() bool { return p.m.ending.begun }

func (p *port) InUse(id []byte) bool {
	used := p.m.openAtServer(id)
	if used {
		p.m.out.refuseUsed(id)
	}
	return used
}

// maxBehind bounds the sessions of servers behind the one at the other end, whose configuration has only a few.
const maxBehind = 256

func (p *port) Session(modes mcp.Modes, name string) (session, server string) {
	switch {
	case name == p.m.config.Server: // its rules are about the one at the other end
		name += " (server)"
	case len(p.m.decider.sessions) >= maxBehind:
		name = "(other server)"
	}
	session = p.m.open(behind(modes, name))
	return session, p.m.who.opening(session).Server
}

func (p *port) Ask(asked *link.Question) {
	p.m.recents.settled.Drop(asked.Request.Ref)
	p.m.ask(&question{Question: asked, direct: true})
}

func (p *port) Open(ref string) (q *link.Question, atClient bool) {
	if open := p.m.questions.byRef[ref]; open != nil {
		return open.Question, p.m.questions.withUser[open.Request.ID] != nil
	}
	return nil, false
}

// Drop ends the latest question first, so that none is shown in the place of an earlier one just before it ends too.
func (p *port) Drop(which func(*link.Question) bool) {
	for _, q := range slices.Backward(p.m.questions.list()) {
		if which(q.Question) {
			p.m.dropQuestion(q)
		}
	}
}

// dropQuestion ends a question for which the server does not wait any more.
func (m *Machine) dropQuestion(q *question) {
	if !m.forget(q, takenBack(q.Request)) {
		return
	}
	m.recents.settled.Add(q.Request.Ref)
	engines := m.decider.replaced
	m.do(event.Cancelled{Session: q.Request.Session, Ref: q.Request.Ref})
	if m.decider.replaced > engines { // the new engine may not know that somebody has it
		m.takeDown(q)
	}
}

func (p *port) Settled(id []byte) bool {
	return !gate.Has(p.m.asks, gate.KeyOf(id)) && p.m.recents.settled.Has(gate.CanonicalID(id))
}

func (p *port) Reply(ref string, text []byte, lost func()) {
	p.m.recents.settled.Add(ref)
	p.m.out.decided(Server, text, lost)
}

func (p *port) Refuse(id []byte, no *wire.Refusal) {
	if id == nil {
		p.m.out.refused(Server, no.Problems...)
		return
	}
	p.m.refuse(id, no)
}

func (p *port) Request(s *effect.Show, r link.Request) []byte {
	m := p.m
	if r.ID == nil {
		r.ID = m.ids.Next()
	}
	m.questions.withUser[s.ID] = m.requestAs(&sent{id: r.ID, of: r.Of, taken: func(msg *gate.Message) {
		delete(m.questions.withUser, s.ID)
		if !m.hasSaid(s, msg) {
			return
		}
		if problem := m.gate.Distinct(msg.Result, ""); problem != nil {
			m.unseen(s, *problem)
			return
		}
		answer, problems := r.Taken(msg.Result)
		if problems != nil {
			m.unseen(s, problems...)
			return
		}
		answer.Session, answer.ID, answer.Principal, answer.Via = s.Session, s.ID, m.config.Principal, event.ViaClient
		m.do(answer)
	}}, r.Method, r.Params)
	return r.ID
}

func (p *port) Send(to link.End, text []byte) { p.m.out.send(End(to), text) }

func (p *port) Note(about link.End, problems ...elicit.Problem) {
	p.m.out.note(End(about), problems...)
}

func (p *port) Cancelled(msg *gate.Message, withdraw func(id []byte, ref string) gate.Passage) gate.Passage {
	m := p.m
	given := gate.CancelledID(msg.Params)
	id := given
	switch {
	case id == nil:
		return gate.Passes
	case m.ids.Own(id):
		return gate.Taken // it would cancel a question that the client has under an id of ours
	case gate.PlainID(id) == nil:
		return gate.Taken // no request has such an id
	}
	if other := gate.OtherID(id); other != nil && !m.waitsUnder(id) && m.waitsUnder(other) {
		id = other
	}
	if v := withdraw(id, gate.CanonicalID(id)); !v.Pass || v.Text != nil {
		return v
	}
	return msg.Cancelling(given, gate.PlainID(id))
}

func (p *port) Forget(id []byte) { delete(p.m.asks, gate.KeyOf(id)) }

func (p *port) Completed(session, page string) gate.Passage {
	p.m.do(event.Completed{Session: session, Link: page})
	if p.m.config.Ask != AskClient && p.m.recents.links.Has(page) {
		return gate.Taken
	}
	return gate.Passes
}

// Create asks the engine the server's question in an elicitation/create.
func (p *port) Create(
	msg *gate.Message, dialect func() mcp.Dialect, read func(*link.Question, []byte) (mcp.Extra, *wire.Refusal),
) {
	m := p.m
	if m.ending.begun { // the server's input is closed, so it cannot get an answer
		return
	}
	ref := gate.CanonicalID(msg.ID)
	if m.openAtServer(msg.ID) { // with two answers under one id, no one could tell which question each answers
		m.out.refuseUsed(msg.ID)
		return
	}
	if problem := gate.Askable(msg.Raw); problem != nil {
		m.refuse(msg.ID, &mcp.Refusal{Code: wire.InvalidRequest, Problems: []elicit.Problem{*problem}})
		return
	}
	params := slices.Clone(msg.Params)
	q := &question{Question: &link.Question{}}
	extra, no := read(q.Question, params)
	if no != nil {
		m.refuse(msg.ID, no)
		return
	}
	q.Request.Ref = ref
	spoken, id, mode := dialect(), slices.Clone(msg.ID), q.Request.Mode
	m.mayAskClient(q, dialect)
	if q.Withdrawn {
		m.recents.settled.Add(ref)
		m.out.send(Server, reply(spoken, id, mode, extra, takenBack(q.Request)))
		return
	}
	q.Settle = func(r effect.Reply) {
		m.recents.settled.Add(ref)
		m.out.decided(Server, reply(spoken, id, mode, extra, r), func() {
			m.out.send(Server, reply(spoken, id, mode, extra, lost(r)))
		})
	}
	q.direct = true
	m.recents.settled.Drop(ref)
	m.ask(q)
}

func (p *port) AskClient(q *link.Question, s *effect.Show, d mcp.Dialect) { p.m.askClient(q, s, d) }

func (p *port) Declare(body []byte, at link.Declaration) ([]byte, mcp.Modes) {
	body, declared, _ := p.m.who.declare(body, at)
	return body, declared
}

func (p *port) Call(id []byte) (open, own bool) {
	return p.m.calls.byClient[gate.KeyOf(id)] != nil, p.m.ids.Own(id)
}

func (p *port) Fail(key gate.Key, problem elicit.Problem) {
	if k := p.m.calls.byClient[key]; k != nil {
		p.m.failRead(k, problem)
	}
}

func (p *port) Unreadable(from link.End, msg *gate.Message, problem elicit.Problem) {
	p.m.refuseMessage(End(from), msg, problem)
}

func (p *port) Withdraw(which func(*link.Question) bool) {
	m := p.m
	for _, q := range m.questions.list() {
		if !which(q.Question) {
			continue
		}
		engines := m.decider.replaced
		m.do(event.Cancelled{Session: q.Request.Session, Ref: q.Request.Ref})
		if m.questions.byRef[q.Request.Ref] != q { // the engine failed for good, and the question has got an error
			continue
		}
		if m.decider.replaced > engines { // the new engine may not know that somebody has it
			m.takeDown(q)
		}
		m.finishQuestion(q, takenBack(q.Request))
	}
}

func (p *port) Handle(end link.End, raw []byte) {
	m, from := p.m, End(end)
	msg := &m.message
	*msg = gate.Message{}
	if problem := m.gate.Read(msg, raw); problem != nil {
		m.refuseMessage(from, msg, *problem)
		return
	}
	switch v := m.judge(from, msg); {
	case !v.Pass:
	case v.Text != nil:
		m.out.send(from.other(), v.Text)
	default:
		m.out.send(from.other(), gate.Clone(msg.Raw))
	}
}

func (p *port) Refused(from link.End, problem elicit.Problem) { p.m.out.refused(End(from), problem) }

func (p *port) Reused(id []byte) { p.m.out.refuseUsed(id) }

func (p *port) Full(id []byte) { p.m.out.error(Client, id, wire.InternalError, tooManyCalls) }
