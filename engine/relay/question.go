package relay

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// question is something that the engine was asked and has not replied to yet.
type question struct {
	*link.Question
	shown   *effect.Show            // as the client has it; nil if it does not
	resolve func(effect.Resolution) // a consented page has ended; nil if no one waits for that
	stale   bool                    // somebody has it, and a new engine does not know that
	direct  bool                    // the server waits for an answer even if the call is cancelled
	serial  int                     // how many calls and questions came before it
	turn    *turn                   // the round that it is part of; nil for none
	held    *call                   // the tools/call that waits for the answer; nil for a question of the server
	over    *link.Timer             // withdraws it some time after its calls have ended; nil before that
}

// refuse answers an unfit question before the engine sees it.
func (m *Machine) refuse(id []byte, no *mcp.Refusal) {
	m.out.refused(Server, no.Problems...)
	m.recents.settled.Add(gate.CanonicalID(id))
	m.out.send(Server, no.Append(nil, id))
}

// reply spells the engine's reply.
func reply(d mcp.Dialect, id []byte, mode elicit.Mode, extra mcp.Extra, r effect.Reply) []byte {
	a := mcp.Answer{Action: elicit.Action(r.Outcome), Mode: mode, Content: r.Content, Echo: extra.Echo}
	if out, ok := d.AppendAnswer(nil, id, a); ok && d.Carrier == wire.Rounds {
		return wire.AppendResult(nil, id, out) // of an SDK that passes the questions of a round on one by one
	} else if ok {
		return out
	}
	return wire.AppendProblems(nil, id, link.ErrorCode(r.Cause), r.Problems)
}

// ask gives a question to the engine.
func (m *Machine) ask(q *question) {
	if q.Request.Side = elicit.Answering; q.Request.Server == "" {
		q.Request.Server = m.config.Server
	}
	for _, key := range q.Calls {
		if k := m.calls.byClient[key]; k != nil {
			k.shared = true
		}
	}
	m.questions.byRef[q.Request.Ref] = q
	m.out.emit(Question{q.Request})
	q.serial = m.calls.nextSerial()
	m.keepAlive()
	if m.decider.broken {
		m.failQuestion(q.Request.Ref, m.decider.why)
		return
	}
	m.do(event.Asked{Request: q.Request})
}

// failQuestion ends a question with an error of the machine.
func (m *Machine) failQuestion(ref, code string) {
	q := m.questions.byRef[ref]
	if q == nil {
		return
	}
	m.takeDown(q)
	m.finishQuestion(q, lostReply(q.Request, code))
}

// takeDown withdraws a question that ends without the engine from whoever has it.
func (m *Machine) takeDown(q *question) {
	q.stale = false
	if s := m.questions.withUser[q.Request.ID]; s != nil {
		delete(m.questions.withUser, q.Request.ID)
		m.takeBack(s, string(elicit.ByShutdown))
	} else if q.Request.ID != "" {
		m.out.emit(effect.Withdraw{Session: q.Request.Session, ID: q.Request.ID, Cause: elicit.ByShutdown})
	}
}

// finishQuestion forgets a question and answers the peer.
func (m *Machine) finishQuestion(q *question, r effect.Reply) {
	if m.forget(q, r) {
		q.Settle(r)
	}
}

// forget forgets a question and reports whether it was open: the effects of one question may have ended others.
func (m *Machine) forget(q *question, r effect.Reply) bool {
	if m.questions.byRef[q.Request.Ref] != q {
		return false
	}
	delete(m.questions.byRef, q.Request.Ref)
	m.time.Stop(q.over)
	if q.stale {
		m.takeDown(q)
	}
	m.out.emit(Settled{Reply: r, Request: q.Request})
	return true
}

// open opens the engine session with a name on first use.
func (m *Machine) open(name string) string {
	if m.decider.opens(name) {
		m.do(m.who.opening(name))
	}
	return name
}

// cancelQuestion takes a question back from the engine. An engine that replaces a failed one still has the question.
func (m *Machine) cancelQuestion(q *question) {
	for engines := -1; engines != m.decider.replaced && !m.decider.broken; {
		engines = m.decider.replaced
		m.do(event.Cancelled{Session: q.Request.Session, Ref: q.Request.Ref})
	}
}

// withdrawCall ends the questions of a call that the client cancelled or that has failed.
func (m *Machine) withdrawCall(k *call) {
	parent := m.parentOf(k)
	engines := m.decider.replaced
	m.do(event.Cancelled{Session: k.session, Parent: parent})
	if k.turn != nil {
		m.unrequest(k.turn)
	}
	for _, q := range m.questions.list() {
		switch {
		case q.Request.Parent == parent && q.Request.Session == k.session:
			if m.decider.replaced > engines { // the engine that got the event is gone, and the new one still asks
				m.cancelQuestion(q)
			}
		case q.held == k:
			m.cancelQuestion(q)
		case k.turn != nil && q.turn == k.turn: // asked under the id that the call had before a client continued it
			m.cancelQuestion(q)
		default:
			continue
		}
		r := takenBack(q.Request)
		if m.decider.broken { // no record says that it was withdrawn
			r = lostReply(q.Request, m.decider.why)
		}
		if m.forget(q, r) && q.direct {
			q.Settle(r)
		}
	}
}
