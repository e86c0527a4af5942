package mcp

import "github.com/elicit-engine/elicit/engine/wire"

// july2026 has no requests from server to client. A question is the result of a call, and its answer is in the repeated
// call. Links, completion notices and the URL-required error are gone, and an answer has no envelope.
var july2026 = Dialect{wire.Dialect{
	Protocol: "mcp",
	Version:  "2026-07-28",
	Carrier:  wire.Rounds,
	Profile:  "2026-07-28",
	URL:      true,
	Modes:    true,
}}
