package relay

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/acp"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// agentClient is the dialogue of ACP. An agent asks directly. Every request keeps its id and gets one answer, also
// after it was withdrawn.
type agentClient struct {
	m        *Machine
	versions []acp.Dialect // that are read
	words    *gate.Vocabulary
}

// agentClientOf returns the dialogue that a configuration asks for.
func agentClientOf(m *Machine) *agentClient {
	a := &agentClient{m, []acp.Dialect{acp.V1, acp.V2}, &acpBothWords}
	if m.config.ACPv1 {
		a = &agentClient{m, []acp.Dialect{acp.V1}, &acpWords}
	}
	if m.config.ACPChain {
		a.words = chained(a.words)
	}
	return a
}

func (a *agentClient) Vocabulary() *gate.Vocabulary { return a.words }

func (a *agentClient) Agreed(version string, declared elicit.Modes) {
	a.m.declared = mcp.Modes{Form: declared.Form, URL: declared.URL}
	a.speak(version)
}

// speak takes the version that both ends agreed on. In a version that is not read, nothing can be asked.
func (a *agentClient) speak(version string) {
	m := a.m
	m.agent, m.unread = acp.V1, ""
	if at := slices.IndexFunc(a.versions, func(d acp.Dialect) bool { return d.Version == version }); at >= 0 {
		m.agent = a.versions[at]
	} else if m.unread = gate.Clipped(version); version == "" {
		m.unread = "null"
	}
	m.dialect = m.agent.Dialect
}

// declarations lists where a client says what it can do. An agent may answer with an earlier version than the client's,
// so a client of the later version may say it in both ways.
func (a *agentClient) declarations(o wire.Object) (list []declaration) {
	params, _ := o.Child("params")
	for i, d := range a.versions {
		if i == 0 || string(params.Get("protocolVersion")) != acp.V1.Version {
			list = append(list, declaration{d.Dialect, []string{"params", d.Capabilities}})
		}
	}
	return list
}

func (a *agentClient) called(k *call, msg *gate.Message, body []byte) []byte {
	m := a.m
	switch {
	case msg.Params == nil:
	case msg.Method == methodInitialize:
		o, _ := wire.ReadObject(body)
		for _, at := range a.declarations(o) {
			modes := &k.declared
			if at.dialect.Version == acp.V2.Version {
				modes = &k.declaredLater
			}
			body, *modes, k.client = m.declare(body, at)
		}
	case msg.Method == methodPrompt:
		k.conversation = acp.SessionOf(msg.Params)
		m.prompted(k.conversation)
	case msg.Method == methodSessionClose:
		m.sessionCancelled(msg) // the agent then ends the session's work as after session/cancel
	}
	return body
}

func (a *agentClient) answered(k *call, msg *gate.Message) (v gate.Passage, judged bool) {
	m := a.m
	switch {
	case msg.Kind != gate.Result:
	case k.method == methodPrompt && m.agent.States:
		m.worksOn(k.conversation, k.cancelled)
	case k.method == methodInitialize:
		if m.ambiguousStart(k, msg) {
			return gate.Taken, true
		}
		o, _ := wire.ReadObject(msg.Result)
		if a.speak(string(o.Get("protocolVersion"))); m.unread != "" {
			m.note(Server, m.unreadVersion())
		}
		m.declared = k.declared
		if m.agent.Version == acp.V2.Version {
			m.declared = k.declaredLater
		}
		m.session = m.open(m.declared)
	}
	return gate.Taken, false
}

func (m *Machine) unreadVersion() elicit.Problem {
	return elicit.Problem{Code: "unknown_version", Args: []elicit.Arg{elicit.Str("version", m.unread)}}
}

func (a *agentClient) Asks(msg *gate.Message) bool {
	m := a.m
	switch msg.Method {
	case methodCreate:
		m.create(msg, a.readQuestion)
	case methodPermission:
		m.askPermission(msg)
	default:
		return false
	}
	return true
}

// readQuestion reads an elicitation/create into q.
func (a *agentClient) readQuestion(q *question, params []byte) (x mcp.Extra, no *wire.Refusal) {
	m := a.m
	if m.unread != "" {
		return x, &wire.Refusal{Code: wire.InvalidRequest, Problems: []elicit.Problem{m.unreadVersion()}}
	}
	req, x, no := m.dialect.DecodeCreate(params, m.declared)
	if no != nil {
		no.Code = wire.InvalidParams // also without any declared mode
		return x, no
	}
	scope, problems := acp.ReadScope(params)
	if problems != nil {
		return x, &wire.Refusal{Code: wire.InvalidParams, Problems: problems}
	}
	q.Request, q.scope = req, scope.AppendMembers(nil)
	q.Request.CandidatesCut = scope.ToolCall != nil // a tool asks, and the agent does not say which one
	m.belongs(q, scope)
	return x, nil
}

// belongs records what a question belongs to. It is withdrawn some time after the last of these calls has ended.
func (m *Machine) belongs(q *question, s acp.Scope) {
	if q.conversation = s.Session; s.Session != "" {
		q.Request.Parent = "session " + s.Session
	} else {
		q.Request.Parent = "request " + string(s.Request)
	}
	for _, k := range m.calls.all() {
		turn := s.Session != "" && k.conversation == s.Session && !m.agent.States // otherwise work goes on after its answer
		if turn || s.Request != nil && k.key == gate.KeyOf(s.Request) {
			k.shared = true
			q.calls = append(q.calls, k)
		}
	}
}

// turnCancelled reports whether the client has cancelled the turn of a session, and the agent has not ended it yet. The
// client then answers every question of the session with a cancel (session/cancel).
func (m *Machine) turnCancelled(session string) (cancelled bool) {
	cancelled = m.working[session]
	for _, k := range m.calls.byClient {
		if session != "" && k.conversation == session {
			if !k.cancelled {
				return false // the client has begun another turn
			}
			cancelled = true
		}
	}
	return cancelled
}

// clientCancels ends the questions of a call that the client cancels. The call stays open, because the agent still
// answers it.
func (a *agentClient) clientCancels(msg *gate.Message) gate.Passage {
	m := a.m
	id := gate.CancelledID(msg.Params)
	if id == nil {
		return gate.Passes
	}
	k := m.calls.byClient[gate.KeyOf(id)]
	switch {
	case k == nil && m.ownID(id):
		return gate.Taken
	case k == nil:
		return gate.Passes
	}
	k.cancelled = true
	m.withdrawAll(func(q *question) bool {
		turn := m.agent.States && k.conversation != "" && q.conversation == k.conversation
		return turn || slices.Contains(q.calls, k)
	})
	return gate.Passes
}

// sessionCancelled ends the questions of a session whose turn the client cancels.
func (m *Machine) sessionCancelled(msg *gate.Message) gate.Passage {
	session := acp.SessionOf(msg.Params)
	if session == "" {
		return gate.Passes
	}
	for _, k := range m.calls.byClient {
		if k.conversation == session {
			k.cancelled = true
		}
	}
	if _, working := m.working[session]; working {
		m.working[session] = true
	}
	m.withdrawAll(func(q *question) bool { return q.conversation == session })
	return gate.Passes
}

// withdrawAll withdraws questions for which the server still waits.
func (m *Machine) withdrawAll(which func(*question) bool) {
	for _, q := range m.openQuestions() {
		if which(q) {
			m.withdrawQuestion(q)
		}
	}
}

// withdrawQuestion withdraws a question and answers it with a cancel.
func (m *Machine) withdrawQuestion(q *question) {
	engines := m.replaced
	m.do(event.Cancelled{Session: q.Request.Session, Ref: q.Request.Ref})
	if m.questions[q.Request.Ref] != q { // the engine failed for good, and the question has got an error
		return
	}
	if m.replaced > engines { // the new engine may not know that somebody has it
		m.takeDown(q)
	}
	m.finishQuestion(q, takenBack(q.Request))
}

// serverCancels withdraws a question of the agent. The agent still gets an answer to it. A request that the client has
// stays open for the same reason.
func (a *agentClient) serverCancels(id []byte, ref string) gate.Passage {
	m := a.m
	if q := m.questions[ref]; q != nil {
		m.withdrawQuestion(q)
		return gate.Taken
	}
	if _, open := m.asks[gate.KeyOf(id)]; !open && m.settled.has(ref) {
		return gate.Taken // too late, and the client never saw this id
	}
	return gate.Passes
}

func (*agentClient) Withdrawal(id []byte, _ any, _ string) []byte { return acp.AppendWithdraw(nil, id) }

func (*agentClient) Late([]byte) bool { return false }

func (*agentClient) Unread(bool) []byte { return nil }

func (a *agentClient) ServerTold(msg *gate.Message) gate.Passage {
	switch msg.Method {
	case methodUpdate:
		return a.m.announce(msg)
	case methodCancelled:
		return a.m.serverCancels(msg, a.serverCancels)
	case methodComplete:
		return a.m.completed(msg)
	}
	return gate.Passes
}

func (a *agentClient) ClientTold(msg *gate.Message) gate.Passage {
	switch msg.Method {
	case methodCancelled:
		return a.clientCancels(msg)
	case methodSessionCancel:
		return a.m.sessionCancelled(msg)
	}
	return gate.Passes
}

// lowered reports whether a yes that should hold always holds for a shorter time.
func lowered(reasons []elicit.Reason) bool {
	return slices.ContainsFunc(reasons, func(r elicit.Reason) bool { return r.Code == "remember_lowered" })
}
