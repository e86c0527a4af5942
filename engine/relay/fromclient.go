package relay

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/acp"
)

// fromClient decides about one message of the client.
func (m *Machine) fromClient(msg *message) verdict {
	switch {
	case msg.kind == request:
		return m.clientRequest(msg)
	case m.ending.begun: // the server's input is closed, but a call that the client cancels must get no answer
		if msg.kind == notification {
			m.clientNotice(msg)
		}
		return taken
	case msg.kind == notification:
		return m.clientNotice(msg)
	}
	return m.clientAnswer(msg)
}

// clientRequest records the call, declares elicitation in it, and forwards it.
func (m *Machine) clientRequest(msg *message) verdict {
	key := keyOf(msg.id)
	switch {
	case m.ownID(msg.id):
		m.refuseOwnID(Client, msg.id)
		return taken
	case m.calls.byClient[key] != nil || m.calls.byServer[key] != nil:
		// Under its own id, an error would pass for the answer to the open request.
		m.refused(Client, elicit.Problem{Code: "ref_in_use", Args: []elicit.Arg{elicit.Str("ref", clipped(string(msg.id)))}})
		return taken
	case m.ending.begun:
		m.failID(msg.id, serverEnded)
		return taken
	case m.resumed(msg, key):
		return taken
	case msg.state && msg.method.mayAsk():
		// The client has no state but ours. So this state is changed, used up or too old, and servers must reject such
		// a state. Without the state, the call would begin again, and the client would take that for the next round.
		problem := elicit.Problem{Code: "unknown_request_state", Pointer: "/params/requestState"}
		m.refused(Client, problem)
		m.refuseID(msg.id, wire.InvalidParams, problem)
		return taken
	}
	if m.holds(msg.method) {
		if problem := heldFault(msg.params); problem != nil {
			m.refused(Client, *problem)
			m.refuseID(msg.id, wire.InvalidParams, *problem)
			return taken
		}
	}
	body := msg.raw
	switch {
	case !msg.responses:
	case msg.method != methodTaskUpdate:
		body = m.withoutResponses(body)
	default:
		if body = m.taskUpdated(msg); body == nil {
			return taken
		}
	}
	k := m.calls.make()
	k.key, k.id, k.method, k.name = key, append(k.id, msg.given...), msg.method, m.interned(msg.name)
	k.session, k.declared, k.client = m.session, m.declared, m.client
	body = m.prepare(k, msg, body)
	if k.first = key; plainID(msg.id) == nil || len(m.given.known) > 0 && m.given.has(canonicalID(msg.id)) {
		// Readers round such a number in different ways, or the server may still answer an earlier call under this id.
		id := m.newID()
		k.first, body = keyOf(id), splice(body, "id", id)
	}
	if !m.calls.add(k, body) {
		m.failID(msg.id, tooManyCalls)
		return taken
	}
	if m.holds(k.method) {
		m.calls.answered(key) // the server does not have it yet
		m.release(k)
		return taken
	}
	k.sent = true
	if len(body) == len(msg.raw) && &body[0] == &msg.raw[0] {
		return passes
	}
	return changed(body)
}

// prepare records what the machine needs to know about a request. It returns the request for the server, with our
// declaration. body is the request without answers that continue no round of ours.
func (m *Machine) prepare(k *call, msg *message, body []byte) []byte {
	if msg.params == nil {
		return body
	}
	if msg.method == methodInitialize || msg.declares {
		body = m.declareIn(k, msg.method, body)
	}
	if msg.token != nil {
		k.tokenText = append(k.tokenText, msg.token...)
		k.progress.token = k.tokenText
	}
	switch msg.method {
	case methodToolsCall:
		k.tool = m.interned(msg.tool)
	case methodPrompt:
		k.conversation = acp.SessionOf(msg.params)
		m.prompted(k.conversation)
	case methodSessionClose:
		m.sessionCancelled(msg) // the agent then ends the session's work as after session/cancel
	}
	if msg.method.ofTasks() {
		o, _ := wire.ReadObject(msg.params)
		k.task, _ = wire.Text(o.Get("taskId"))
		m.tasks.heard(k, body)
	}
	return body
}

// interned returns the text of a tool's or method's name. The same few names come again and again.
func (m *Machine) interned(raw []byte) string {
	if name, ok := m.names[string(raw)]; ok {
		return name
	}
	name, _ := wire.Text(raw)
	if len(raw) <= maxToolName && len(m.names) < maxTools {
		m.names[string(raw)] = name
	}
	return name
}

// withoutResponses removes the answers of a round from a request, also where drafts have them, because no one asked for
// them.
func (m *Machine) withoutResponses(body []byte) []byte {
	m.note(Client, elicit.Problem{Code: "responses_removed"})
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

// clientNotice watches for the cancellation of a call, which ends its questions. Other notifications lose the answers
// to a round: they continue no round, but a lax server may take the notification for a call.
func (m *Machine) clientNotice(msg *message) verdict {
	switch {
	case m.holds(msg.method): // some servers would make the call, and nobody could be told of a decline
		m.refused(Client, elicit.Problem{Code: "call_without_id"})
		return taken
	case msg.method == methodCancelled:
		return m.speaks.clientCancels(m, msg)
	case msg.method == methodSessionCancel:
		return m.sessionCancelled(msg)
	case msg.responses:
		return changed(m.withoutResponses(msg.raw))
	}
	return passes
}

// clientAnswer takes the answers to our own requests, and forwards those to the server's requests. Any other answer
// would be one to a question that a person has.
func (m *Machine) clientAnswer(msg *message) verdict {
	if msg.id == nil {
		m.unasked(Client, msg)
		return taken
	}
	key := keyOf(msg.id)
	if s := m.asked[key]; s != nil {
		delete(m.asked, key)
		s.taken(msg)
		return taken
	}
	if key, open := find(m.asks, msg.id); open {
		delete(m.asks, key)
		if key == keyOf(msg.id) {
			return passes
		}
		return changed(splice(msg.raw, "id", key.raw()))
	}
	// Without a note, it answers a request that we withdrew.
	if late := m.givenUp.has(canonicalID(msg.id)); late || !m.ownID(msg.id) && !m.lateForCodex(msg.id) {
		m.unasked(Client, msg)
	}
	return taken
}

// unasked reports an answer to nothing that is open.
func (m *Machine) unasked(from End, msg *message) {
	id := "null"
	if msg.id != nil {
		id = clipped(string(msg.given))
	}
	m.refused(from, elicit.Problem{Code: "answer_unasked", Args: []elicit.Arg{elicit.Str("id", id)}})
}

// failID answers a request that is not kept with an error.
func (m *Machine) failID(id []byte, problem elicit.Problem) {
	m.refuseID(id, wire.InternalError, problem)
}

func (m *Machine) refuseID(id []byte, code int, problem elicit.Problem) {
	m.send(Client, wire.AppendProblems(nil, clone(id), code, []elicit.Problem{problem}))
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
	m.send(Client, wire.AppendProblems(nil, clone(k.id), wire.InternalError, problems))
}

// splice replaces the value of the member called name in body. It keeps every other byte.
func splice(body []byte, name string, value []byte) []byte {
	o, _ := wire.ReadObject(body)
	mem, ok := o.Find(name)
	if !ok {
		return body
	}
	return wire.Apply(nil, body, []wire.Edit{{Start: mem.Value, End: mem.End, With: value}})
}
