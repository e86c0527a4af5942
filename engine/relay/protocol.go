package relay

import (
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
)

// Protocol names what the two ends speak.
type Protocol string

// These are the protocols. In each, the machine's server is the end that asks: an MCP server, an ACP agent, or Codex.
const (
	MCP   Protocol = "mcp"   // the Model Context Protocol
	ACP   Protocol = "acp"   // the Agent Client Protocol, version 1, and version 2 on demand
	Codex Protocol = "codex" // the protocol of the Codex app-server
)

// listener is what a dialogue hears of the calls of the client.
type listener interface {
	// called takes a request of the client, and returns it as the server gets it. body is the request as it is now.
	called(k *call, msg *gate.Message, body []byte) []byte
	// answered takes the server's answer to a call. It returns false for an answer that passes.
	answered(k *call, msg *gate.Message) (p gate.Passage, judged bool)
	// ended forgets a call.
	ended(k *call)
}

// dialogueOf returns what differs between the protocols. Everything else in this package is the same for all of them.
func dialogueOf(m *Machine) (link.Words, listener, link.Hops) {
	if d, hops := agentOf(m); d != nil {
		return d, &foreign{d}, hops
	}
	d := &modelContext{m, &port{m}}
	return d, d, nil
}

// foreign listens for a dialogue that does not know the calls of the machine.
type foreign struct{ to link.Dialogue }

func (f *foreign) called(k *call, msg *gate.Message, body []byte) []byte {
	k.method = gate.OtherMethod // methods of MCP alone mean something to the machine
	return f.to.Called(k.key, msg, body)
}

func (f *foreign) answered(k *call, msg *gate.Message) (gate.Passage, bool) {
	return f.to.Answered(k.key, msg)
}

func (f *foreign) ended(k *call) { f.to.Ended(k.key) }
