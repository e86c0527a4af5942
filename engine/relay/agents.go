//go:build !browser

package relay

import (
	"github.com/elicit-engine/elicit/engine/relay/internal/codex"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
)

// agents tells whether this build speaks with agents: over ACP, and with the Codex app-server.
const agents = true

// Protocols lists the protocols that this build speaks. The build for browsers speaks only MCP.
func Protocols() []Protocol { return []Protocol{MCP, ACP, Codex} }

// agentOf returns the dialogue with an agent that a configuration asks for, or nil.
func agentOf(m *Machine) (link.Words, listener) {
	switch m.config.Protocol {
	case ACP:
		a := agentClientOf(m)
		return a, a
	case Codex:
		d := codex.New(&port{m}, m.terms())
		return d, &foreign{d}
	}
	return nil, nil
}
