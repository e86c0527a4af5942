//go:build !browser

package relay

import (
	"github.com/elicit-engine/elicit/engine/relay/internal/acp"
	"github.com/elicit-engine/elicit/engine/relay/internal/codex"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
)

// Protocols lists the protocols that this build speaks. The build for browsers speaks only MCP.
func Protocols() []Protocol { return []Protocol{MCP, ACP, Codex} }

// agentOf returns the dialogue with an agent that a configuration asks for, or nil.
func agentOf(c *Config, to *link.Connection, ends link.Ends) (link.Dialogue, link.Hops) {
	switch {
	case c.Protocol == Codex:
		return codex.New(to), nil
	case c.Protocol == ACP && c.ACPChain:
		return acp.New(to, c.ACPv1, true), acp.NewChain(to, ends)
	case c.Protocol == ACP:
		return acp.New(to, c.ACPv1, false), nil
	}
	return nil, nil
}
