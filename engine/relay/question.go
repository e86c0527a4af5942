package relay

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
)

// question is something that the engine was asked and has not replied to yet.
type question struct {
	*link.Question
	shown *effect.Show // as the client has it; nil if it does not
	stale bool         // somebody has it, and a new engine does not know that
	over  *link.Timer  // withdraws it some time after its calls have ended; nil before that
}

// ask gives a question to the engine.
func (m *Machine) ask(q *question) {
	if q.Request.Side = elicit.Answering; q.Request.Server == "" {
		q.Request.Server = m.config.Server
	}
	for _, key := range q.Calls {
		if k := m.calls.ByClient[key]; k != nil {
			k.Shared = true
		}
	}
	m.questions.byRef[q.Request.Ref] = q
	m.out.emit(Question{q.Request})
	q.Serial = m.calls.NextSerial()
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
		m.do(m.who.Opening(name))
	}
	return name
}

// drop ends a question for which the server does not wait any more.
func (m *Machine) drop(q *question) {
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

// withdraw ends a question in one of the ways.
func (m *Machine) withdraw(q *question, how link.How) {
	switch how {
	case link.Answer:
		engines := m.decider.replaced
		m.do(event.Cancelled{Session: q.Request.Session, Ref: q.Request.Ref})
		if m.questions.byRef[q.Request.Ref] != q { // the engine failed for good, and the question has got an error
			return
		}
		if m.decider.replaced > engines { // the new engine may not know that somebody has it
			m.takeDown(q)
		}
		m.finishQuestion(q, takenBack(q.Request))
		return
	case link.Cancel: // an engine that replaces a failed one still has the question
		for engines := -1; engines != m.decider.replaced && !m.decider.broken; {
			engines = m.decider.replaced
			m.do(event.Cancelled{Session: q.Request.Session, Ref: q.Request.Ref})
		}
	}
	r := takenBack(q.Request)
	if m.decider.broken { // no record says that it was withdrawn
		r = lostReply(q.Request, m.decider.why)
	}
	if m.forget(q, r) && q.Waits {
		q.Settle(r)
	}
}
