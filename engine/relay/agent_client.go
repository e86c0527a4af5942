package relay

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/acp"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// agentClient is the dialogue of ACP. An agent asks directly. Every request keeps its id and gets one answer, also
// after it was withdrawn.
type agentClient struct{}

func (agentClient) vocabulary() *vocabulary { return &acpWords }

func (agentClient) agreed(m *Machine, s *Session) {
	m.dialect, m.unread = acp.V1, unreadable(s.Version)
	m.declared = mcp.Modes{Form: s.Declared.Form, URL: s.Declared.URL}
}

func (agentClient) declarations(which method, _ wire.Object) []declaration {
	if which != methodInitialize {
		return nil
	}
	return []declaration{{acp.V1, []string{"params", "clientCapabilities"}}}
}

func (agentClient) judge(m *Machine, k *call, msg *message) (v verdict, judged bool) {
	if k.method != methodInitialize || msg.kind != result {
		return taken, false
	}
	if m.ambiguousStart(k, msg) {
		return taken, true
	}
	o, _ := wire.ReadObject(msg.result)
	if m.unread = unreadable(string(o.Get("protocolVersion"))); m.unread != "" {
		m.note(Server, m.unreadVersion())
	}
	m.dialect, m.declared = acp.V1, k.declared
	m.session = m.open(m.declared)
	return taken, false
}

// unreadable returns a version that the machine cannot read, or "".
func unreadable(version string) string {
	switch version {
	case acp.Version:
		return ""
	case "":
		return "null"
	}
	return clipped(version)
}

func (m *Machine) unreadVersion() elicit.Problem {
	return elicit.Problem{Code: "unknown_version", Args: []elicit.Arg{elicit.Str("version", m.unread)}}
}

func (agentClient) asks(m *Machine, msg *message) bool {
	switch msg.method {
	case methodCreate:
		m.create(msg, readAgentQuestion)
	case methodPermission:
		m.askPermission(msg)
	default:
		return false
	}
	return true
}

// readAgentQuestion reads an elicitation/create into q.
func readAgentQuestion(m *Machine, q *question, params []byte) (x mcp.Extra, no *wire.Refusal) {
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
	q.request, q.scope = req, scope.AppendMembers(nil)
	q.request.CandidatesCut = scope.ToolCall != nil // a tool asks, and the agent does not say which one
	m.belongs(q, scope)
	return x, nil
}

// belongs records what a question belongs to. It is withdrawn some time after the last of these calls has ended.
func (m *Machine) belongs(q *question, s acp.Scope) {
	if q.conversation = s.Session; s.Session != "" {
		q.request.Parent = "session " + s.Session
	} else {
		q.request.Parent = "request " + string(s.Request)
	}
	for _, k := range m.calls.all() {
		if s.Session != "" && k.conversation == s.Session || s.Request != nil && k.key == keyOf(s.Request) {
			k.shared = true
			q.calls = append(q.calls, k)
		}
	}
}

// turnCancelled reports whether the client has cancelled the turn of a session, and the agent has not ended it yet. The
// client then answers every question of the session with a cancel (session/cancel).
func (m *Machine) turnCancelled(session string) (cancelled bool) {
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
func (agentClient) clientCancels(m *Machine, msg *message) verdict {
	id := cancelledID(msg.params)
	if id == nil {
		return passes
	}
	k := m.calls.byClient[keyOf(id)]
	switch {
	case k == nil && m.ownID(id):
		return taken
	case k == nil:
		return passes
	}
	k.cancelled = true
	m.withdrawAll(func(q *question) bool { return slices.Contains(q.calls, k) })
	return passes
}

// sessionCancelled ends the questions of a session whose turn the client cancels.
func (m *Machine) sessionCancelled(msg *message) verdict {
	session := acp.SessionOf(msg.params)
	if session == "" {
		return passes
	}
	for _, k := range m.calls.byClient {
		if k.conversation == session {
			k.cancelled = true
		}
	}
	m.withdrawAll(func(q *question) bool { return q.conversation == session })
	return passes
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
	m.do(event.Cancelled{Session: q.request.Session, Ref: q.request.Ref})
	if m.questions[q.request.Ref] != q { // the engine failed for good, and the question has got an error
		return
	}
	if m.replaced > engines { // the new engine may not know that somebody has it
		m.takeDown(q)
	}
	m.finishQuestion(q, takenBack(q.request))
}

// serverCancels withdraws a question of the agent. The agent still gets an answer to it. A request that the client has
// stays open for the same reason.
func (agentClient) serverCancels(m *Machine, msg *message) verdict {
	id := cancelledID(msg.params)
	if id == nil {
		return passes
	}
	if m.ownID(id) {
		return taken // it would cancel a question that the client has under an id of ours
	}
	ref := canonicalID(id)
	if q := m.questions[ref]; q != nil {
		m.withdrawQuestion(q)
		return taken
	}
	if _, open := m.asks[keyOf(id)]; !open && m.settled.has(ref) {
		return taken // too late, and the client never saw this id
	}
	return passes
}

func (agentClient) withdrawal(s *sent, _ string) []byte { return acp.AppendWithdraw(nil, s.id) }

// keysOfCall are the members of a tool call, of its parts and of an option that the machine reads.
var (
	keysOfCall = []string{"_meta", "sessionUpdate", "toolCallId", "title", "name", "kind", "status", "content",
		"locations", "rawInput", "rawOutput"}
	keysOfPart   = []string{"_meta", "type", "content", "path", "line", "oldText", "newText", "text"}
	keysOfOption = []string{"_meta", "optionId", "name", "kind"}
)

// misspelled returns the problem with a permission in which some reader could take a member for another one.
func misspelled(params []byte) *elicit.Problem {
	o, _ := wire.ReadObject(params)
	if problem := misspelledList(o.Get("options"), keysOfOption, "/params/options"); problem != nil {
		return problem
	}
	tool, _ := o.Child("toolCall")
	return misspelledCall(tool, "/params/toolCall")
}

func misspelledCall(tool wire.Object, at string) *elicit.Problem {
	if problem := spelled(tool, keysOfCall, at); problem != nil {
		return problem
	}
	if problem := misspelledList(tool.Get("content"), keysOfPart, at+"/content"); problem != nil {
		return problem
	}
	return misspelledList(tool.Get("locations"), keysOfPart, at+"/locations")
}

// misspelledList looks at the objects of a list, and at the content inside of each.
func misspelledList(list []byte, known []string, at string) *elicit.Problem {
	elements, _ := wire.Elements(list, len(list))
	for _, text := range elements {
		one, _ := wire.ReadObject(text)
		inner, _ := one.Child("content")
		for _, o := range []wire.Object{one, inner} {
			if problem := spelled(o, known, at); problem != nil {
				return problem
			}
		}
	}
	return nil
}

// lowered reports whether a yes that should hold always holds for a shorter time.
func lowered(reasons []elicit.Reason) bool {
	return slices.ContainsFunc(reasons, func(r elicit.Reason) bool { return r.Code == "remember_lowered" })
}
