package mcp

import "github.com/elicit-engine/elicit/engine/wire"

// july2026 has no requests from server to client: a question is the result of a call, its answer rides in the call made
// again. Links, completion notices and the URL-required error are gone, and an answer is bare.
var july2026 = Dialect{wire.Dialect{
	Protocol: "mcp",
	Version:  "2026-07-28",
	Carrier:  wire.Rounds,
	Profile:  "2026-07-28",
	URL:      true,
	Modes:    true,
}}
