package relay

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
)

// ending says how far the end of the connection has progressed.
type ending struct {
	begun  bool // the client is gone or the host is leaving, and everything open has been settled
	silent bool // the server's output has ended
}

// ended performs the end of one stream.
func (m *Machine) ended(end End) {
	switch end {
	case Server:
		m.serverGone()
	case Client, Host:
		m.leave()
		if m.out.hops != nil { // one peer was both ends
			m.serverGone()
		}
	default:
		m.out.note(Host, elicit.Problem{Code: "unknown_end"})
	}
}

// leave settles everything open, so that the server still gets the answers. Then it closes the server's input, which
// tells a stdio server to exit.
func (m *Machine) leave() {
	if m.ending.begun {
		return
	}
	m.closeSessions(elicit.ByShutdown)
	for _, q := range m.questions.list() { // of sessions that a failed engine has lost
		m.failQuestion(q.Request.Ref, "internal")
	}
	clear(m.questions.visiting)
	m.ending.begun = true
	for _, k := range m.calls.All() {
		if !k.AtServer { // it waits for a page or a pause, and the server can no longer be called
			m.failCall(k, link.ServerEnded)
		}
	}
	m.out.emit(Close{Server})
}

// serverGone performs the end of the server's output: nothing more can be asked or answered.
func (m *Machine) serverGone() {
	if m.ending.silent {
		return
	}
	engines := m.decider.replaced
	m.closeSessions(elicit.BySessionClosed)
	for _, q := range m.questions.list() {
		if m.decider.replaced > engines { // otherwise the engine has withdrawn it
			m.takeDown(q)
		}
		m.forget(q, effect.Reply{Session: q.Request.Session, ID: q.Request.ID, Ref: q.Request.Ref, Outcome: elicit.Cancelled,
			Cause: elicit.BySessionClosed})
	}
	m.leave()
	m.ending.silent = true
	for _, k := range m.calls.All() {
		m.failCall(k, link.ServerEnded)
	}
	clear(m.asks)
	m.speaks.Over()
	m.time.StopAll()
	m.unanswered = nil
	m.out.emit(Close{Client})
}

// closeSessions ends every session of the engine.
func (m *Machine) closeSessions(cause elicit.Cause) {
	list := m.decider.sessions
	m.decider.sessions = nil
	for _, name := range list {
		m.do(event.Closed{Session: name, Cause: cause})
	}
}

// appendFailed ends all decisions: a record could not be kept, and no peer may get an answer without a record. Errors
// replace the effects of the last step's records. Every open question ends with an error, and so does every later one.
// Messages that are no questions still pass.
func (m *Machine) appendFailed() {
	lost := m.out.last
	m.out.last = nil
	if !m.decider.broken {
		m.decider.broken, m.decider.why = true, "journal_failed"
		m.out.note(Host, elicit.Problem{Code: "journal_failed"})
	}
	for _, next := range lost {
		switch ef := next.(type) {
		case Send:
			if ef.lost != nil {
				ef.lost()
			} else {
				m.out.emit(ef)
			}
		case Settled:
			if ef.Reply.Outcome != elicit.Failed {
				ef.Reply = lostReply(ef.Request, "journal_failed")
			}
			m.out.emit(ef)
		case effect.Withdraw, effect.Resolve, effect.Problem, Close, Note, Question:
			m.out.emit(ef)
		case effect.Wake:
			m.time.wake = unknownWake
		}
	}
	m.failClosed("journal_failed")
}

// failClosed ends everything open with an error of the machine. After it, the machine decides nothing.
func (m *Machine) failClosed(code string) {
	m.decider.fail(code)
	m.decider.pending = nil
	clear(m.questions.visiting) // no engine will report how these pages end
	for _, q := range m.questions.list() {
		m.takeDown(q)
		m.finishQuestion(q, lostReply(q.Request, code))
	}
	// Calls that only wait for a page or a pause have no open question.
	for _, k := range m.calls.All() {
		if !k.AtServer {
			m.failCall(k, elicit.Problem{Code: code})
		}
	}
}
