package relay

import (
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/relay/internal/mcp"
)

// Protocol names what the two ends speak.
type Protocol string

// These are the protocols. In each, the machine's server is the end that asks: an MCP server, an ACP agent, or Codex.
const (
	MCP   Protocol = "mcp"   // the Model Context Protocol
	ACP   Protocol = "acp"   // the Agent Client Protocol, version 1, and version 2 on demand
	Codex Protocol = "codex" // the protocol of the Codex app-server
)

// dialogueOf returns what differs between the protocols. Everything else in this package is the same for all of them.
func dialogueOf(c *Config, to *link.Connection, calls link.Repeater, ends link.Ends) (link.Dialogue, link.Hops) {
	if d, hops := agentOf(c, to, ends); d != nil {
		return d, hops
	}
	return mcp.New(to, calls, mcp.Config{HoldCalls: c.HoldCalls, Blind: c.Session != nil && !c.Session.CallsSeen,
		KeepAlive: c.KeepAlive, AnswerWithin: c.AnswerWithin, CompletionWait: c.CompletionWait,
		CallOver: c.CallOver}), nil
}
