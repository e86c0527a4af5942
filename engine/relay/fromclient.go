package relay

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
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

// clientRequest records the call, declares elicitation in it, and forwards it.
func (m *Machine) clientRequest(msg *gate.Message) gate.Passage {
	key := gate.KeyOf(msg.ID)
	switch {
	case m.ids.Own(msg.ID):
		m.out.refuseOwn(Client, msg.ID)
		return gate.Taken
	case m.calls.byClient[key] != nil || m.calls.byServer[key] != nil:
		// Under its own id, an error would pass for the answer to the open request.
		m.out.refused(Client, inUse(gate.Clipped(string(msg.ID))))
		return gate.Taken
	case m.ending.begun:
		m.out.fail(msg.ID, serverEnded)
		return gate.Taken
	case m.resumed(msg, key):
		return gate.Taken
	case msg.State && mayAsk(msg.Method):
		// The client has no state but ours. So this state is changed, used up or too old, and servers must reject such
		// a state. Without the state, the call would begin again, and the client would take that for the next round.
		problem := elicit.Problem{Code: "unknown_request_state", Pointer: "/params/requestState"}
		m.out.refuse(msg.ID, wire.InvalidParams, problem)
		return gate.Taken
	}
	if m.tools.holds(msg.Method) {
		if problem := heldFault(msg.Params); problem != nil {
			m.out.refuse(msg.ID, wire.InvalidParams, *problem)
			return gate.Taken
		}
	}
	body := msg.Raw
	switch {
	case !msg.Responses:
	case msg.Method != methodTaskUpdate:
		body = m.withoutResponses(body)
	default:
		if body = m.taskUpdated(msg); body == nil {
			return gate.Taken
		}
	}
	k := m.calls.make()
	k.key, k.id, k.method, k.name = key, append(k.id, msg.Given...), msg.Method, m.names.text(msg.Name)
	body = m.hears.called(k, msg, body)
	if k.first = key; gate.PlainID(msg.ID) == nil ||
		m.recents.given.Len() > 0 && m.recents.given.Has(gate.CanonicalID(msg.ID)) {
		// Readers round such a number in different ways, or the server may still answer an earlier call under this id.
		id := m.ids.Next()
		k.first, body = gate.KeyOf(id), gate.Splice(body, "id", id)
	}
	if !m.calls.add(k, body) {
		m.hears.ended(k)
		m.out.fail(msg.ID, tooManyCalls)
		return gate.Taken
	}
	if m.tools.holds(k.method) {
		m.calls.answered(key) // the server does not have it yet
		m.release(k)
		return gate.Taken
	}
	k.sent = true
	if len(body) == len(msg.Raw) && &body[0] == &msg.Raw[0] {
		return gate.Passes
	}
	return gate.Changed(body)
}

// withoutResponses removes the answers of a round from a request, also where drafts have them, because no one asked
// for them.
func (m *Machine) withoutResponses(body []byte) []byte {
	m.out.note(Client, elicit.Problem{Code: "responses_removed"})
	o, _ := wire.ReadObject(body)
	params, _ := o.Child("params")
	body = wire.Apply(nil, body, params.Exchange(nil, nil, "inputResponses", "requestState"))
	return withoutDraftResponses(body)
}

// withoutDraftResponses removes the answers of a round in the spelling of the drafts, from _meta.
func withoutDraftResponses(body []byte) []byte {
	o, _ := wire.ReadObject(body)
	params, _ := o.Child("params")
	meta, ok := params.Child("_meta")
	if !ok || meta.Get("inputResponses") == nil && meta.Get("requestState") == nil {
		return body
	}
	return wire.Apply(nil, body, meta.Exchange(nil, nil, "inputResponses", "requestState"))
}

// clientAnswer takes the answers to our own requests, and forwards those to the server's requests. Any other answer
// would be one to a question that a person has.
func (m *Machine) clientAnswer(msg *gate.Message) gate.Passage {
	if msg.ID == nil {
		m.out.unasked(Client, msg)
		return gate.Taken
	}
	key := gate.KeyOf(msg.ID)
	if s := m.asked[key]; s != nil {
		delete(m.asked, key)
		s.taken(msg)
		return gate.Taken
	}
	if key, open := gate.Find(m.asks, msg.ID); open {
		delete(m.asks, key)
		if key == gate.KeyOf(msg.ID) {
			return gate.Passes
		}
		return gate.Changed(gate.Splice(msg.Raw, "id", key.Raw()))
	}
	// Without a note, it answers a request that we withdrew.
	if late := m.recents.givenUp.Has(gate.CanonicalID(msg.ID)); late || !m.ids.Own(msg.ID) && !m.speaks.Late(msg.ID) {
		m.out.unasked(Client, msg)
	}
	return gate.Taken
}

// failCall answers a call with an error of the machine, unless the call has an answer: the step that ends a call may
// make the engine fail for good, and then every open call has got an error. The call counts as answered by the server.
// An answer that cannot pass must not make the machine forget which tool was called.
func (m *Machine) failCall(k *call, problems ...elicit.Problem) {
	if !m.calls.open(k) {
		return
	}
	m.calls.remove(k)
	m.callOver(k, false)
	if k.turn != nil {
		m.unrequest(k.turn)
	}
	m.out.send(Client, wire.AppendProblems(nil, gate.Clone(k.id), wire.InternalError, problems))
}
