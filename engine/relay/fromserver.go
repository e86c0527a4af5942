package relay

import (
	"bytes"
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
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
		case gate.PlainID(msg.ID) == nil: // the readers of clients round such a number in different ways, or fail
			m.refuseMessage(Server, msg, elicit.Problem{Code: "envelope_id", Pointer: "/id"})
			return gate.Taken
		}
		if m.speaks.Asks(msg) {
			return gate.Taken
		}
		return m.serverRequest(msg)
	case gate.Notification:
		if msg.Question {
			m.out.refused(Server, elicit.Problem{Code: "question_without_id"})
			return gate.Taken
		}
		return m.speaks.ServerTold(msg)
	}
	return m.serverAnswer(msg)
}

// serverRequest forwards a request and records that the client may answer it.
func (m *Machine) serverRequest(msg *gate.Message) gate.Passage {
	if m.recents.settled.Len() > 0 {
		m.recents.settled.Drop(gate.CanonicalID(msg.ID))
	}
	if m.openAtServer(msg.ID) {
		m.out.refuseUsed(msg.ID)
		return gate.Taken
	}
	if len(m.asks) >= link.MaxCalls {
		m.out.error(Server, msg.ID, wire.InternalError, link.TooManyCalls)
		return gate.Taken
	}
	m.passRequest(msg)
	return gate.Passes
}

// serverAnswer gives an answer to the client, under the client's own id, unless the answer asks for something first.
// It drops an answer under an id that is not open: a lax client might take it for the answer to another request.
func (m *Machine) serverAnswer(msg *gate.Message) gate.Passage {
	var k *link.Call
	if msg.ID != nil && !m.answersFailed(msg.ID) {
		k = m.calls.AnsweredAs(msg.ID)
	}
	switch {
	case k == nil && msg.ID != nil && m.ids.Own(msg.ID):
		m.speaks.Answered(nil, msg) // unless the client has cancelled the call
		return gate.Taken
	case k == nil:
		m.out.unasked(Server, msg)
		if msg.ID == nil { // JSON-RPC 2.0 §5: the server could not read the id of a request
			m.doubtOnly(gate.Problem("answer_without_id", elicit.Str("why", msg.Why())))
		}
		return gate.Taken
	}
	if v, judged := m.speaks.Answered(k, msg); judged {
		return v
	}
	return m.finishCall(k, msg)
}

// finishCall gives the client the answer to its call.
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

// callOver performs the end of a call. answered says that the client has the server's answer. Questions that belonged
// only to this call are withdrawn some time later. An answer typed after that would go to a server that no longer
// waits for it.
func (m *Machine) callOver(k *link.Call, answered bool) {
	m.time.Stop(k.Doubted)
	if !m.speaks.Ended(k, answered) && !k.Shared {
		return
	}
	for _, q := range m.questions.list() {
		if i := slices.Index(q.Calls, k.Key); i >= 0 {
			if q.Calls = append(q.Calls[:i:i], q.Calls[i+1:]...); len(q.Calls) == 0 {
				m.outlived(q)
			}
		}
	}
}

// outlived withdraws a question that is still open some time after its call has ended.
func (m *Machine) outlived(q *question) {
	q.over = m.time.After(m.config.CallOver, func() {
		m.do(event.Cancelled{Session: q.Request.Session, Ref: q.Request.Ref, Cause: elicit.ByCallEnded})
	})
}
