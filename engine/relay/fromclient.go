package relay

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
)

// fromClient decides about one message of the client.
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
func (m *Machine) clientRequest(msg *gate.Message) gate.Passage {
	key := gate.KeyOf(msg.ID)
	switch {
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
	k.Key, k.ID = key, append(k.ID, msg.Given...)
	body := m.speaks.Called(k, msg)
	if body == nil {
		m.calls.Spare(k)
		return gate.Taken
	}
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
	if len(body) == len(msg.Raw) && &body[0] == &msg.Raw[0] {
		return gate.Passes
	}
	return gate.Changed(body)
}

// clientAnswer takes the answers to our own requests, and forwards those to the server's requests. Any other answer
// would be one to a question that a person has.
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
