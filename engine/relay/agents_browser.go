//go:build browser

package relay

import "github.com/elicit-engine/elicit/engine/relay/internal/link"

// Protocols lists the protocols that this build speaks: no agents, because they are programs on the person's machine.
func Protocols() []Protocol { return []Protocol{MCP} }

func agentOf(*Config, *link.Connection, link.Ends) (link.Dialogue, link.Hops) { return nil, nil }
