package relay

import (
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// Protocol names what the two ends speak.
type Protocol string

// These are the protocols. In each, the machine's server is the end that asks: an MCP server, an ACP agent, or Codex.
const (
	MCP   Protocol = "mcp"   // the Model Context Protocol
	ACP   Protocol = "acp"   // the Agent Client Protocol, version 1, and version 2 on demand
	Codex Protocol = "codex" // the protocol of the Codex app-server
)

// dialogue is what differs between the protocols. Everything else in this package is the same for all of them.
type dialogue interface {
	// vocabulary returns what the gate reads strictly.
	vocabulary() *vocabulary
	// agreed records what both ends agreed on before the machine was opened.
	agreed(m *Machine, s *Session)
	// declarations lists where a request declares capabilities.
	declarations(which method, o wire.Object) []declaration
	// judge acts on the server's answer to a call. It returns false for an answer that passes.
	judge(m *Machine, k *call, msg *message) (v verdict, judged bool)
	// asks takes a request of the server that is a question. It returns false for any other request.
	asks(m *Machine, msg *message) bool
	// clientCancels acts on a notification of the client that withdraws a request of its own.
	clientCancels(m *Machine, msg *message) verdict
	// serverCancels does so for the server, whose request has an id and a ref.
	serverCancels(m *Machine, id []byte, ref string) verdict
	// withdrawal returns the notification that withdraws a request of ours, or nil if the client knows already.
	withdrawal(s *sent, why string) []byte
}

func dialogueOf(c *Config) dialogue {
	switch {
	case agents && c.Protocol == ACP:
		return agentClientOf(c)
	case agents && c.Protocol == Codex:
		return appServer{}
	}
	return modelContext{}
}

// modelContext is the dialogue of MCP.
type modelContext struct{}

func (modelContext) vocabulary() *vocabulary { return &mcpWords }

func (modelContext) agreed(m *Machine, s *Session) {
	m.dialect = direct(s.Version)
	m.declared = mcp.Modes{Form: s.Declared.Form, URL: s.Declared.URL && m.dialect.URL}
	if d, ok := mcp.Lookup(s.Version); ok {
		m.dialect, m.declared = d, mcp.Modes{Form: s.Declared.Form, URL: s.Declared.URL && d.URL}
	}
}

func (modelContext) declarations(which method, o wire.Object) []declaration {
	return declarations(which, o)
}

func (modelContext) judge(m *Machine, k *call, msg *message) (v verdict, judged bool) {
	if msg.kind == failure {
		return m.judgeError(k, msg)
	}
	return m.judgeResult(k, msg)
}

func (modelContext) asks(m *Machine, msg *message) bool {
	if msg.method == methodCreate {
		m.create(msg, readQuestion)
		return true
	}
	return false
}

// readQuestion reads an elicitation/create into q.
func readQuestion(m *Machine, q *question, params []byte) (mcp.Extra, *wire.Refusal) {
	req, extra, no := m.dialect.DecodeCreate(params, m.declared)
	if no == nil {
		q.request = req
		m.attribute(q)
	}
	return extra, no
}

// clientCancels ends the questions of a call that the client cancels. No answer to the call is due any more. The server
// gets the notification with the id that it knows for the call.
func (modelContext) clientCancels(m *Machine, msg *message) verdict {
	id := cancelledID(msg.params)
	if id == nil {
		return passes
	}
	k := m.calls.named(id)
	switch {
	case k == nil && m.ownID(id):
		return taken // it would cancel a repeated call, for which the client still waits under its own id
	case k == nil && plainID(id) == nil:
		return taken // the server has no request with such an id
	case k == nil:
		return msg.cancelling(id, plainID(id))
	}
	k.shared = true
	atServer, serverID := k.atServer, k.serverKey.raw()
	if atServer {
		m.given.add(canonicalID(serverID))
	}
	m.calls.remove(k) // first, because if the engine fails for good, every open call gets an error
	m.withdrawCall(k)
	m.callOver(k, false)
	if !atServer { // the server has answered, and only the machine still has the call
		return taken
	}
	return msg.cancelling(id, serverID)
}

func (modelContext) serverCancels(m *Machine, id []byte, ref string) verdict {
	if q := m.questions[ref]; q != nil {
		m.forget(q, takenBack(q.request))
		m.settled.add(ref)
		engines := m.replaced
		m.do(event.Cancelled{Session: q.request.Session, Ref: ref})
		if m.replaced > engines { // the new engine may not know that somebody has it
			m.takeDown(q)
		}
		return taken
	}
	delete(m.asks, keyOf(id))
	if m.settled.has(ref) {
		return taken // too late, and for a link that the client never saw
	}
	return passes
}

func (modelContext) withdrawal(s *sent, why string) []byte {
	params := append(append([]byte(`{"requestId":`), s.id...), `,"reason":`...)
	params = append(append(params, quote(why)...), '}')
	return wire.AppendNotification(nil, mcp.MethodCancelled, params)
}

// Protocols lists the protocols that this build speaks. The build for browsers speaks only MCP.
func Protocols() []Protocol {
	if !agents {
		return []Protocol{MCP}
	}
	return []Protocol{MCP, ACP, Codex}
}
