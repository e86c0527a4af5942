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

// words are the names that decide in a message of version 1, and in a chain. Prompts and updates are read for their
// session only, so their content may have everything that JSON allows in values.
var words = gate.Vocabulary{
	Methods: []string{
		initialize:      acp.MethodInitialize,
		create:          acp.MethodCreate,
		complete:        acp.MethodComplete,
		cancelled:       acp.MethodWithdraw,
		asksPermission:  acp.MethodPermission,
		startsTurn:      acp.MethodPrompt,
		sessionCancel:   acp.MethodCancel,
		sessionClose:    acp.MethodClose,
		update:          acp.MethodUpdate,
		proxyInitialize: acp.MethodProxyInitialize,
		successor:       acp.MethodSuccessor,
	},
	Params: [][]string{
		gate.OtherMethod: {"_meta"},
		initialize:       {"_meta", "protocolVersion", "clientCapabilities", "clientInfo"},
		create: {"_meta", "mode", "message", "requestedSchema", "url", "elicitationId", "sessionId", "toolCallId",
			"requestId"},
		complete:       {"_meta", "elicitationId"},
		cancelled:      {"_meta", requestID},
		asksPermission: {"_meta", "sessionId", "toolCall", "options"},
		startsTurn:     {"_meta", "sessionId", "prompt"},
		sessionCancel:  {"_meta", "sessionId"},
		sessionClose:   {"_meta", "sessionId"},
		update:         {"_meta", "sessionId", "update"},
		successor:      {"_meta", "method", "params"},
	},
	Questions: []gate.Method{create, asksPermission}, Client: forClient, Slow: []string{"terminal/wait_for_exit"},
	Result: []string{"_meta", "outcome", "action", "content"},
}

// Version 2 has more members.
var (
	initializeOfBoth = append(words.Params[initialize], "capabilities", "info")
	permissionOfBoth = append(words.Params[asksPermission], "title", "description", "subject")
)

// wordsOf returns the names of the versions that are read, and those of a chain.
//
// The result is a copy, because the vocabulary of a connection may be shorter or longer than words.
func wordsOf(early, inChain bool) *gate.Vocabulary {
	w := words
	w.Params = slices.Clone(w.Params)
	if !early {
		w.Params[initialize], w.Params[asksPermission] = initializeOfBoth, permissionOfBoth
	}
	if w.Params[proxyInitialize] = w.Params[initialize]; !inChain {
		w.Methods, w.Params = w.Methods[:proxyInitialize], w.Params[:proxyInitialize]
	}
	return &w
}
