package relay

import (
	"bytes"
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// fromServer decides about one message of the server.
func (m *Machine) fromServer(msg *gate.Message) gate.Passage {
	if m.ending.silent {
		return gate.Taken
	}
	if msg.Asks && !(msg.Kind == gate.Notification && ofTask(msg.Method)) {
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
		return m.serverNotice(msg)
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
	if len(m.asks) >= maxCalls {
		m.out.send(Server, wire.AppendProblems(nil, gate.Clone(msg.ID), wire.InternalError,
			[]elicit.Problem{tooManyCalls}))
		return gate.Taken
	}
	m.passRequest(msg)
	return gate.Passes
}

// serverNotice takes notifications that are for the machine alone.
func (m *Machine) serverNotice(msg *gate.Message) gate.Passage {
	if msg.Question {
		m.out.refused(Server, elicit.Problem{Code: "question_without_id"})
		return gate.Taken
	}
	return m.speaks.ServerTold(msg)
}

// serverAnswer gives an answer to the client, under the client's own id, unless the answer asks for something first.
// It drops an answer under an id that is not open: a lax client might take it for the answer to another request.
func (m *Machine) serverAnswer(msg *gate.Message) gate.Passage {
	if len(m.tasks.updates) > 0 {
		if refused, own := m.tasks.answered(msg); own {
			if refused != nil {
				m.out.note(Server, *refused)
			}
			return gate.Taken
		}
	}
	var k *call
	if msg.ID != nil && !m.answersFailed(msg.ID) {
		k = m.calls.answeredAs(msg.ID)
	}
	switch {
	case k == nil && msg.ID != nil && m.ids.Own(msg.ID):
		return gate.Taken // the answer to a call that the client cancelled
	case k == nil:
		m.out.unasked(Server, msg)
		if msg.ID == nil { // JSON-RPC 2.0 §5: the server could not read the id of a request
			m.doubtOnly(gate.Problem("answer_without_id", elicit.Str("why", msg.Why())))
		}
		return gate.Taken
	}
	if v, judged := m.hears.answered(k, msg); judged {
		return v
	}
	return m.finishCall(k, msg)
}

// judgeResult looks for a result that asks for something, for a call of any method.
func (m *Machine) judgeResult(k *call, msg *gate.Message) (v gate.Passage, judged bool) {
	switch {
	case k.method == methodInitialize:
		if m.ambiguousStart(k, msg) {
			return gate.Taken, true
		}
		m.initialized(k, msg.Result)
	case k.method == methodToolsList:
		m.tools.listed(msg.Result)
	}
	if v, told := m.taskTold(k, msg); told {
		return v, true
	}
	return gate.Taken, m.roundAsked(k, msg)
}

// ambiguousStart refuses an answer to initialize that readers could read in different ways.
func (m *Machine) ambiguousStart(k *call, msg *gate.Message) bool {
	problem := m.gate.Distinct(msg.Result, "/result")
	if problem != nil {
		m.out.refused(Server, *problem)
		m.failCall(k, *problem)
	}
	return problem != nil
}

// finishCall gives the client the answer to its call.
func (m *Machine) finishCall(k *call, msg *gate.Message) gate.Passage {
	if !m.calls.open(k) { // the engine failed for good on the answer, and the call got an error
		return gate.Taken
	}
	m.calls.remove(k)
	m.callOver(k, true)
	if !msg.Odd && bytes.Equal(msg.ID, k.id) {
		return gate.Passes
	}
	return gate.Changed(gate.Splice(msg.Raw, "id", gate.Clone(k.id)))
}

// callOver performs the end of a call. answered says that the client has the server's answer. Questions that belonged
// only to this call are withdrawn some time later. An answer typed after that would go to a server that no longer
// waits for it.
func (m *Machine) callOver(k *call, answered bool) {
	m.time.Stop(k.next)
	m.time.Stop(k.doubted)
	m.hears.ended(k)
	switch {
	case k.method == methodToolsCall:
		m.calls.over(k, answered, m.time.Now)
	case !k.shared:
		return
	}
	for _, q := range m.questions.list() {
		if i := slices.Index(q.Calls, k.key); i >= 0 {
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

// initialized records the date that both sides agreed on and opens the session for questions.
func (m *Machine) initialized(k *call, text []byte) {
	o, _ := wire.ReadObject(text)
	version, _ := wire.Text(o.Get("protocolVersion"))
	m.agreed.dialect = direct(version)
	m.agreed.declared = mcp.Modes{Form: k.declared.Form, URL: k.declared.URL && m.agreed.dialect.URL}
	m.agreed.client = mcp.Modes{Form: k.client.Form, URL: k.client.URL && m.agreed.dialect.URL}
	m.agreed.session = m.open(m.who.between(m.agreed.declared, m.agreed.client))
}
