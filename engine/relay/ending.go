package relay

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
)

// ending says how far the end of the connection has progressed.
//
// begun comes first or at the same time, never after silent. After begun, the server gets no further message. After
// silent, no message of the server has an effect.
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
		// The host keeps reading the server until its output ends, so that the client gets the answers that are on their way.
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
	// The engine answers the open questions first. Those answers come before Close, and Takes still allows them.
	m.decider.Leave()
	m.ending.begun = true
	m.failCalls(link.ServerEnded) // the server can no longer be called
	m.out.emit(Close{Server})
}

// failCalls fails the calls that the machine has: they wait for a page or a pause, and have no open question.
//
// A call that is at the server is left alone: the server may still answer it.
func (m *Machine) failCalls(problem elicit.Problem) {
	for _, k := range m.calls.All() {
		if !k.AtServer {
			m.failCall(k, problem)
		}
	}
}

// serverGone performs the end of the server's output: nothing more can be asked or answered.
func (m *Machine) serverGone() {
	if m.ending.silent {
		return
	}
	// Over comes before leave. leave would spell answers to questions that the server can no longer read.
	m.decider.Over()
	m.leave()
	m.ending.silent = true
	for _, k := range m.calls.All() {
		m.failCall(k, link.ServerEnded)
	}
	clear(m.client.asks)
	m.speaks.Over()
	m.time.StopAll()
	m.client.look = nil
	m.out.emit(Close{Client})
}

// appendFailed ends all decisions: a record could not be kept, and no peer may get an answer without a record. Errors
// replace the effects of the last step's records. Every open question ends with an error, and so does every later one.
// Messages that are no questions still pass.
//
// The host has performed the effects of the last step up to the failed record. Effects in pass stand before all
// records, so they were performed. repeatLost goes through the rest.
func (m *Machine) appendFailed() {
	if m.decider.Break(journalFailed.Code) {
		m.out.note(Host, journalFailed)
	}
	// The host may not have set the timer of a Wake that came after the failed record. The next finish says it again.
	if m.out.repeatLost() {
		m.time.wake = unknownWake
	}
	m.decider.FailClosed(journalFailed.Code)
}

var journalFailed = elicit.Problem{Code: "journal_failed"}
