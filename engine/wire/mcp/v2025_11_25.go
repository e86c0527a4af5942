package mcp

import "github.com/elicit-engine/elicit/engine/wire"

// november2025 added modes, URLs with completion notices, the URL-required error and experimental tasks.
var november2025 = Dialect{wire.Dialect{
	Protocol:   "mcp",
	Version:    "2025-11-25",
	Carrier:    wire.Direct,
	Profile:    "2025-11-25",
	URL:        true,
	Modes:      true,
	Link:       true,
	AnswerMeta: true,
	Tasks:      true,
}}
