package relay

import (
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
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
	vocabulary() *gate.Vocabulary
	// agreed records what both ends agreed on before the machine was opened.
	agreed(m *Machine, s *Session)
	// declarations lists where a request declares capabilities.
	declarations(which gate.Method, o wire.Object) []declaration
	// judge acts on the server's answer to a call. It returns false for an answer that passes.
	judge(m *Machine, k *call, msg *gate.Message) (v gate.Passage, judged bool)
	// asks takes a request of the server that is a question. It returns false for any other request.
	asks(m *Machine, msg *gate.Message) bool
	// clientCancels acts on a notification of the client that withdraws a request of its own.
	clientCancels(m *Machine, msg *gate.Message) gate.Passage
	// serverCancels does so for the server, whose request has an id and a ref.
	serverCancels(m *Machine, id []byte, ref string) gate.Passage
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

func (modelContext) vocabulary() *gate.Vocabulary { return &mcpWords }

func (modelContext) agreed(m *Machine, s *Session) {
	m.dialect = direct(s.Version)
	m.declared = mcp.Modes{Form: s.Declared.Form, URL: s.Declared.URL && m.dialect.URL}
	if d, ok := mcp.Lookup(s.Version); ok {
		m.dialect, m.declared = d, mcp.Modes{Form: s.Declared.Form, URL: s.Declared.URL && d.URL}
	}
}

func (modelContext) declarations(which gate.Method, o wire.Object) []declaration {
	return declarations(which, o)
}

func (modelContext) judge(m *Machine, k *call, msg *gate.Message) (v gate.Passage, judged bool) {
	if msg.Kind == gate.Failure {
		return m.judgeError(k, msg)
	}
	return m.judgeResult(k, msg)
}

func (modelContext) asks(m *Machine, msg *gate.Message) bool {
	if msg.Method == methodCreate {
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
func (modelContext) clientCancels(m *Machine, msg *gate.Message) gate.Passage {
	id := gate.CancelledID(msg.Params)
	if id == nil {
		return gate.Passes
	}
	k := m.calls.named(id)
	switch {
	case k == nil && m.ownID(id):
		return gate.Taken // it would cancel a repeated call, for which the client still waits under its own id
	case k == nil && gate.PlainID(id) == nil:
		return gate.Taken // the server has no request with such an id
	case k == nil:
		return msg.Cancelling(id, gate.PlainID(id))
	}
	k.shared = true
	atServer, serverID := k.atServer, k.serverKey.Raw()
	if atServer {
		m.given.add(gate.CanonicalID(serverID))
	}
	m.calls.remove(k) // first, because if the engine fails for good, every open call gets an error
	m.withdrawCall(k)
	m.callOver(k, false)
	if !atServer { // the server has answered, and only the machine still has the call
		return gate.Taken
	}
	return msg.Cancelling(id, serverID)
}

func (modelContext) serverCancels(m *Machine, id []byte, ref string) gate.Passage {
	if q := m.questions[ref]; q != nil {
		m.forget(q, takenBack(q.request))
		m.settled.add(ref)
		engines := m.replaced
		m.do(event.Cancelled{Session: q.request.Session, Ref: ref})
		if m.replaced > engines { // the new engine may not know that somebody has it
			m.takeDown(q)
		}
		return gate.Taken
	}
	delete(m.asks, gate.KeyOf(id))
	if m.settled.has(ref) {
		return gate.Taken // too late, and for a link that the client never saw
	}
	return gate.Passes
}

func (modelContext) withdrawal(s *sent, why string) []byte {
	params := append(append([]byte(`{"requestId":`), s.id...), `,"reason":`...)
	params = append(append(params, gate.Quote(why)...), '}')
	return wire.AppendNotification(nil, mcp.MethodCancelled, params)
}

// Protocols lists the protocols that this build speaks. The build for browsers speaks only MCP.
func Protocols() []Protocol {
	if !agents {
		return []Protocol{MCP}
	}
	return []Protocol{MCP, ACP, Codex}
}
