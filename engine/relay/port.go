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
		p.m.inUse(id)
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
	p.m.recents.settled.drop(asked.Request.Ref)
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
	m.recents.settled.add(q.Request.Ref)
	engines := m.decider.replaced
	m.do(event.Cancelled{Session: q.Request.Session, Ref: q.Request.Ref})
	if m.decider.replaced > engines { // the new engine may not know that somebody has it
		m.takeDown(q)
	}
}

func (p *port) Settled(id []byte) bool {
	return !gate.Has(p.m.asks, gate.KeyOf(id)) && p.m.recents.settled.has(gate.CanonicalID(id))
}

func (p *port) Reply(ref string, text []byte, lost func()) {
	p.m.recents.settled.add(ref)
	p.m.decided(Server, text, lost)
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
		r.ID = m.ids.next()
	}
	m.questions.withUser[s.ID] = m.requestAs(&sent{id: r.ID, of: r.Of, taken: func(msg *gate.Message) {
		delete(m.questions.withUser, s.ID)
		if !m.hasSaid(s, msg) {
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

func (p *port) Send(to link.End, text []byte) { p.m.send(End(to), text) }

func (p *port) Note(about link.End, problems ...elicit.Problem) {
	p.m.out.note(End(about), problems...)
}

func (p *port) Cancelled(msg *gate.Message, withdraw func(id []byte, ref string) gate.Passage) gate.Passage {
	return p.m.serverCancels(msg, withdraw)
}

func (p *port) Forget(id []byte) { delete(p.m.asks, gate.KeyOf(id)) }

func (p *port) Completed(session, link string) gate.Passage { return p.m.completed(session, link) }

func (p *port) Create(
	msg *gate.Message, dialect func() mcp.Dialect,
	read func(q *link.Question, params []byte) (mcp.Extra, *wire.Refusal),
) {
	p.m.create(msg, dialect, read)
}

func (p *port) AskClient(q *link.Question, s *effect.Show, d mcp.Dialect) { p.m.askClient(q, s, d) }

func (p *port) Declare(body []byte, at link.Declaration) ([]byte, mcp.Modes) {
	body, declared, _ := p.m.who.declare(body, at)
	return body, declared
}

func (p *port) Call(id []byte) (open, own bool) {
	return p.m.calls.byClient[gate.KeyOf(id)] != nil, p.m.ids.own(id)
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
	for _, q := range p.m.questions.list() {
		if which(q.Question) {
			p.m.withdrawQuestion(q)
		}
	}
}

// withdrawQuestion withdraws a question and answers it with a cancel.
func (m *Machine) withdrawQuestion(q *question) {
	engines := m.decider.replaced
	m.do(event.Cancelled{Session: q.Request.Session, Ref: q.Request.Ref})
	if m.questions.byRef[q.Request.Ref] != q { // the engine failed for good, and the question has got an error
		return
	}
	if m.decider.replaced > engines { // the new engine may not know that somebody has it
		m.takeDown(q)
	}
	m.finishQuestion(q, takenBack(q.Request))
}

func (p *port) Handle(from link.End, raw []byte) { p.m.handleFrom(End(from), raw) }

func (p *port) Refused(from link.End, problem elicit.Problem) { p.m.out.refused(End(from), problem) }

func (p *port) Reused(id []byte) { p.m.inUse(id) }

func (p *port) Full(id []byte) { p.m.refuseID(id, wire.InternalError, tooManyCalls) }
