package codex

import (
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire/codex"
)

// These are the methods that the dialogue acts on.
const (
	initialize gate.Method = iota + 1
	create
	cancelled
	elicitation
	command
	patch
	permissions
	input
	commandV1
	patchV1
	itemStarted
	itemDone
	patchUpdated
	resolved
	turnDone
	threadClosed
)

// words are the names that decide in a message of the app-server. The names are those of the app-server's schema. Bare
// is set because its messages have no jsonrpc member, and codex mcp-server, which is read by the same gate, writes one.
var words = gate.Vocabulary{
	Methods: []string{
		initialize:   codex.MethodInitialize,
		create:       codex.MethodServer,
		cancelled:    "notifications/cancelled", // of the same server
		elicitation:  codex.MethodElicitation,
		command:      codex.MethodCommand,
		patch:        codex.MethodPatch,
		permissions:  codex.MethodPermissions,
		input:        codex.MethodInput,
		commandV1:    codex.MethodCommandV1,
		patchV1:      codex.MethodPatchV1,
		itemStarted:  codex.MethodItemStarted,
		itemDone:     codex.MethodItemDone,
		patchUpdated: codex.MethodPatchUpdated,
		resolved:     codex.MethodResolved,
		turnDone:     codex.MethodTurnDone,
		threadClosed: codex.MethodThreadClosed,
	},
	Params: [][]string{
		initialize: {"clientInfo", "capabilities"},
		create: {"message", "requestedSchema", "threadId", "codex_elicitation", "codex_mcp_tool_call_id",
			"codex_event_id", "codex_call_id", "codex_command", "codex_cwd", "codex_parsed_cmd", "codex_changes",
			"codex_reason", "codex_grant_root"},
		cancelled: {requestID, "reason"},
		elicitation: {"_meta", "threadId", "turnId", "serverName", "mode", "message", "requestedSchema", "url",
			"elicitationId", "title", "description", "challenge"},
		command: {"kind", "threadId", "turnId", "itemId", "startedAtMs", "approvalId", "environmentId", "reason",
			"command", "cwd", "commandActions", "networkApprovalContext", "additionalPermissions",
			"proposedExecpolicyAmendment", "proposedNetworkPolicyAmendments", "availableDecisions"},
		patch: {"threadId", "turnId", "itemId", "startedAtMs", "reason", "grantRoot"},
		permissions: {"threadId", "turnId", "itemId", "environmentId", "startedAtMs", "cwd", "reason",
			"permissions"},
		input:        {"threadId", "turnId", "itemId", "questions", "isBlocking", "autoResolutionMs"},
		commandV1:    {"conversationId", "callId", "approvalId", "command", "cwd", "reason", "parsedCmd"},
		patchV1:      {"conversationId", "callId", "fileChanges", "reason", "grantRoot"},
		itemStarted:  {"item", "threadId", "turnId"},
		itemDone:     {"item", "threadId", "turnId"},
		patchUpdated: {"threadId", "turnId", "itemId", "changes"},
		resolved:     {"threadId", "requestId"},
		turnDone:     {"threadId", "turn"},
		threadClosed: {"threadId"},
	},
	// The relay answers each of these. Every other request of the app-server passes only if a program or its user answers
	// it. See Asks.
	Questions: []gate.Method{create, elicitation, command, patch, permissions, input, commandV1, patchV1},
	Bare:      true, Client: forClient,
}
