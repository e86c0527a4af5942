package mcp

import "github.com/elicit-engine/elicit/engine/wire"

// june2025 introduced elicitation. It has forms only, and the capability has no members.
var june2025 = Dialect{wire.Dialect{
	Protocol:   "mcp",
	Version:    "2025-06-18",
	Carrier:    wire.Direct,
	Profile:    "2025-06-18",
	AnswerMeta: true,
}}
