//go:build browser

package relay

import "github.com/elicit-engine/elicit/engine/relay/internal/link"

// agents is false in the build for browsers, because agents are programs on the person's machine. The compiler then
// leaves out what only their dialogues reach.
const agents = false

// Protocols lists the protocols that this build speaks.
func Protocols() []Protocol { return []Protocol{MCP} }

func agentOf(*Machine) (link.Words, listener) { return nil, nil }
