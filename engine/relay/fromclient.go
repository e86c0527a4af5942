package relay

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
)

// fromClient decides about one message of the client.
//
// A batch never comes here whole: batch gives its elements one by one.
func (m *Machine) fromClient(msg *gate.Message) gate.Passage {
	switch {
	case msg.Kind == gate.Request:
		return m.clientRequest(msg)
	case m.ending.begun: // the server's input is closed, but a call that the client cancels must get no answer
		if msg.Kind == gate.Notification {
			m.speaks.ClientTold(msg)
		}
		return gate.Taken
	case msg.Kind == gate.Notification:
		return m.speaks.ClientTold(msg)
	}
	return m.clientAnswer(msg)
}

// clientRequest records the call, and forwards it as the dialogue wants it.
//
// The order matters. The id is checked before the dialogue sees the message, because Called changes what the dialogue
// knows. A refusal after Called must take that back, by Ended.
func (m *Machine) clientRequest(msg *gate.Message) gate.Passage {
	key := gate.KeyOf(msg.ID)
	switch {
	// Otherwise the answer to it could pass for the server's answer to a repeated call.
	case m.ids.Own(msg.ID):
		m.out.refuseOwn(Client, msg.ID)
		return gate.Taken
	case m.calls.ByClient[key] != nil || m.calls.ByServer[key] != nil:
		// Under its own id, an error would pass for the answer to the open request.
		m.out.refused(Client, link.InUse(gate.Clipped(string(msg.ID))))
		return gate.Taken
	case m.ending.begun:
		m.out.fail(msg.ID, link.ServerEnded)
		return gate.Taken
	}
	k := m.calls.Make()
	// The answer goes back under the client's own spelling, such as 5.0, although the server gets 5.
	k.Key, k.ID = key, append(k.ID, msg.Given...)
	body := m.speaks.Called(k, msg)
	if body == nil {
		m.calls.Spare(k)
		return gate.Taken
	}
	// First is what the server gets. It differs from the client's id for numbers beyond 2^53, such as 9007199254740993.
	// A call that the dialogue has marked as Sent gets an id of the machine in release.
	if k.First = key; !k.Sent && (gate.PlainID(msg.ID) == nil ||
		m.calls.Given.Len() > 0 && m.calls.Given.Has(gate.CanonicalID(msg.ID))) {
		// Readers round such a number in different ways, or the server may still answer an earlier call under this id.
		id := m.ids.Next()
		k.First, body = gate.KeyOf(id), gate.Splice(body, "id", id)
	}
	if !m.calls.Add(k, body) {
		m.speaks.Ended(k, false)
		m.out.fail(msg.ID, link.TooManyCalls)
		return gate.Taken
	}
	if m.speaks.Added(k) {
		return gate.Taken
	}
	k.Sent = true
	// Same memory means that nobody has changed the body. Comparing the bytes would cost a pass over every large message.
	if len(body) == len(msg.Raw) && &body[0] == &msg.Raw[0] {
		return gate.Passes
	}
	return gate.Changed(body)
}

// clientAnswer takes the answers to our own requests, and forwards those to the server's requests. Any other answer
// would be one to a question that a person has.
//
// The server's requests are open in client.asks, the machine's in client.asked. A Codex question is in asked under the
// server's own id. openAtServer keeps that id out of asks as long as the question is open.
func (m *Machine) clientAnswer(msg *gate.Message) gate.Passage {
	if msg.ID == nil {
		m.out.unasked(Client, msg)
		return gate.Taken
	}
	if m.client.answers(msg) {
		return gate.Taken
	}
	if key, open := gate.Find(m.client.asks, msg.ID); open {
		delete(m.client.asks, key)
		if key == gate.KeyOf(msg.ID) {
			return gate.Passes
		}
		// The client answered 5 as "5". The server gets its own spelling, as a strict server would drop the other one.
		return gate.Changed(gate.Splice(msg.Raw, "id", key.Raw()))
	}
	// Without a note, it answers a request that we withdrew.
	if late := m.client.givenUp.Has(gate.CanonicalID(msg.ID)); late || !m.ids.Own(msg.ID) && !m.speaks.Late(msg.ID) {
		m.out.unasked(Client, msg)
	}
	return gate.Taken
}

// failCall answers a call with an error of the machine, unless the call has an answer: the step that ends a call may
// make the engine fail for good, and then every open call has got an error. The call counts as answered by the server.
// An answer that cannot pass must not make the machine forget which tool was called.
func (m *Machine) failCall(k *link.Call, problems ...elicit.Problem) {
	if !k.Open {
		return
	}
	m.calls.Remove(k)
	m.callOver(k, false)
	m.out.send(Client, wire.AppendProblems(nil, gate.Clone(k.ID), wire.InternalError, problems))
}
