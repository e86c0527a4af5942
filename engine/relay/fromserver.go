package relay

import (
	"bytes"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
)

// fromServer decides about one message of the server.
func (m *Machine) fromServer(msg *gate.Message) gate.Passage {
	if m.ending.silent {
		return gate.Taken
	}
	if m.gate.Misplaced(msg) {
		// Extensions let a client answer such a message like a result that asks.
		m.refuseMessage(Server, msg, elicit.Problem{Code: "input_not_in_result", Pointer: "/params/inputRequests"})
		return gate.Taken
	}
	switch msg.Kind {
	case gate.Request:
		switch {
		case m.ids.Own(msg.ID):
			m.out.refuseOwn(Server, msg.ID)
			return gate.Taken
		// For example 9007199254740993, which JavaScript reads as 9007199254740992.
		case gate.PlainID(msg.ID) == nil: // the readers of clients round such a number in different ways, or fail
			m.refuseMessage(Server, msg, elicit.Problem{Code: "envelope_id", Pointer: "/id"})
			return gate.Taken
		}
		if m.speaks.Asks(msg) {
			return gate.Taken
		}
		return m.serverRequest(msg)
	case gate.Notification:
		// A client could show it to a person, but no answer could reach the server. The machine drops it, and a person reads
		// a note.
		if msg.Question {
			m.out.refused(Server, elicit.Problem{Code: "question_without_id"})
			return gate.Taken
		}
		return m.speaks.ServerTold(msg)
	}
	return m.serverAnswer(msg)
}

// serverRequest forwards a request and records that the client may answer it.
//
// Only requests that are no questions come here, such as ping, roots/list and sampling/createMessage. They pass, and
// the client answers them itself.
func (m *Machine) serverRequest(msg *gate.Message) gate.Passage {
	// The server uses the id again, so an answer of the client under it is no longer late.
	if m.settled.Len() > 0 {
		m.settled.Drop(gate.CanonicalID(msg.ID))
	}
	if m.openAtServer(msg.ID) {
		m.out.refuseUsed(msg.ID)
		return gate.Taken
	}
	if len(m.client.asks) >= link.MaxCalls {
		m.out.error(Server, msg.ID, wire.InternalError, link.TooManyCalls)
		return gate.Taken
	}
	known, slow := m.gate.ForClient(msg)
	m.client.pass(msg.ID, known, slow)
	return gate.Passes
}

// serverAnswer gives an answer to the client, under the client's own id, unless the answer asks for something first.
// It drops an answer under an id that is not open: a lax client might take it for the answer to another request.
//
// AnsweredAs removes the id from ByServer, so a second answer to the same call is dropped too.
func (m *Machine) serverAnswer(msg *gate.Message) gate.Passage {
	var k *link.Call
	if msg.ID != nil && !m.doubts.answersFailed(msg.ID) {
		k = m.calls.AnsweredAs(msg.ID)
	}
	switch {
	case k == nil && msg.ID != nil && m.ids.Own(msg.ID):
		m.speaks.Answered(nil, msg) // unless the client has cancelled the call
		return gate.Taken
	case k == nil:
		m.out.unasked(Server, msg)
		if msg.ID == nil { // JSON-RPC 2.0 §5: the server could not read the id of a request
			m.doubts.only(gate.Problem("answer_without_id", elicit.Str("why", msg.Why())))
		}
		return gate.Taken
	}
	// The result may ask for something. The dialogue then keeps the call, and the client still waits under its own id.
	if v, judged := m.speaks.Answered(k, msg); judged {
		return v
	}
	return m.finishCall(k, msg)
}

// finishCall gives the client the answer to its call.
//
// The call is removed before the dialogue hears of the end, so no table names it while questions are withdrawn.
func (m *Machine) finishCall(k *link.Call, msg *gate.Message) gate.Passage {
	if !k.Open { // the engine failed for good on the answer, and the call got an error
		return gate.Taken
	}
	m.calls.Remove(k)
	m.callOver(k, true)
	if !msg.Odd && bytes.Equal(msg.ID, k.ID) {
		return gate.Passes
	}
	return gate.Changed(gate.Splice(msg.Raw, "id", gate.Clone(k.ID)))
}

// callOver performs the end of a call. answered says that the client has the server's answer.
//
// A call may have questions that share it without the dialogue's knowledge, and Shared says so.
func (m *Machine) callOver(k *link.Call, answered bool) {
	m.time.Stop(k.Doubted)
	if m.speaks.Ended(k, answered) || k.Shared {
		m.decider.CallEnded(k.Key)
	}
}
