package acp

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire/acp"
)

// These are the methods that the dialogue acts on.
const (
	initialize gate.Method = iota + 1
	create
	complete
	cancelled
	asksPermission
	startsTurn
	sessionCancel
	sessionClose
	update
	proxyInitialize
	successor
)

// wordsOfV1 are the names that decide in a message of version 1.
var wordsOfV1 = gate.Vocabulary{
	Methods: []string{
		initialize:     acp.MethodInitialize,
		create:         acp.MethodCreate,
		complete:       acp.MethodComplete,
		cancelled:      acp.MethodWithdraw,
		asksPermission: acp.MethodPermission,
		startsTurn:     acp.MethodPrompt,
		sessionCancel:  acp.MethodCancel,
		sessionClose:   acp.MethodClose,
		update:         acp.MethodUpdate,
	},
	Params: [][]string{
		gate.OtherMethod: {"_meta"},
		initialize:       {"_meta", "protocolVersion", "clientCapabilities", "clientInfo"},
		create: {"_meta", "mode", "message", "requestedSchema", "url", "elicitationId", "sessionId", "toolCallId",
			"requestId"},
		complete:       {"_meta", "elicitationId"},
		cancelled:      {"_meta", "requestId"},
		asksPermission: {"_meta", "sessionId", "toolCall", "options"},
		startsTurn:     {"_meta", "sessionId", "prompt"},
		sessionCancel:  {"_meta", "sessionId"},
		sessionClose:   {"_meta", "sessionId"},
		update:         {"_meta", "sessionId", "update"},
	},
	Questions: []gate.Method{create, asksPermission},
	Result:    []string{"_meta", "outcome", "action", "content"},
}

// wordsOfBoth is wordsOfV1 with the members of version 2.
var wordsOfBoth = wordsOfV1.With(map[gate.Method][]string{
	initialize:     {"capabilities", "info"},
	asksPermission: {"title", "description", "subject"},
})

// chained returns the vocabulary with the methods of a chain.
func chained(w *gate.Vocabulary) *gate.Vocabulary {
	more := *w
	more.Methods = append(slices.Clone(w.Methods), make([]string, int(successor)+1-len(w.Methods))...)
	more.Params = append(slices.Clone(w.Params), make([][]string, int(successor)+1-len(w.Params))...)
	more.Methods[proxyInitialize], more.Methods[successor] = acp.MethodProxyInitialize, acp.MethodSuccessor
	more.Params[proxyInitialize] = w.Params[initialize]
	more.Params[successor] = []string{"_meta", "method", "params"}
	return &more
}
