package relay

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/wire/acp"
	"github.com/elicit-engine/elicit/engine/wire/codex"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// vocabulary is the names that the gate reads strictly: the methods that the machine acts on, and the members that
// decide, by their place. A name that some reader could take for one of them is refused.
type vocabulary struct {
	methods []string   // by method; "" for a method that the protocol does not have
	params  [][]string // of a call, by method
	result  []string
	meta    []string
	bare    bool // messages have no jsonrpc member; if it is there, it must still be "2.0"
}

// These places are the same in every protocol, because they belong to JSON-RPC 2.0.
var (
	envelopeKeys = []string{"jsonrpc", "id", "method", "params", "result", "error"}
	errorKeys    = []string{"code", "message", "data"}
)

func (w *vocabulary) methodOf(name []byte) method {
	for m, known := range w.methods {
		if known != "" && string(name) == known {
			return method(m)
		}
	}
	return otherMethod
}

var anyParams = []string{"_meta", "inputRequests", "inputResponses", "requestState"}

var taskParams = append(anyParams[:len(anyParams):len(anyParams)], taskWords...)

var mcpWords = vocabulary{
	methods: []string{
		methodInitialize:    "initialize",
		methodCreate:        "elicitation/create",
		methodComplete:      "notifications/elicitation/complete",
		methodCancelled:     "notifications/cancelled",
		methodProgress:      "notifications/progress",
		methodToolsCall:     "tools/call",
		methodToolsList:     "tools/list",
		methodPromptsGet:    "prompts/get",
		methodResourcesRead: "resources/read",
		methodTaskGet:       "tasks/get",
		methodTaskUpdate:    mcp.MethodTaskUpdate,
		methodTaskCancel:    "tasks/cancel",
		methodTaskTold:      "notifications/tasks",
		methodTaskStatus:    "notifications/tasks/status", // the name of 2025-11-25, which some SDKs kept
		methodListen:        "subscriptions/listen",
	},
	params: [][]string{
		otherMethod:         anyParams,
		methodInitialize:    {"_meta", "protocolVersion", "capabilities", "clientInfo"},
		methodCreate:        {"_meta", "mode", "message", "requestedSchema", "url", "elicitationId", "task"},
		methodComplete:      {"_meta", "elicitationId"},
		methodCancelled:     {"_meta", "requestId", "reason"},
		methodProgress:      {"_meta", "progressToken", "progress", "total", "message"},
		methodToolsCall:     {"_meta", "inputResponses", "requestState", "name", "arguments", "task"},
		methodToolsList:     {"_meta", "inputResponses", "requestState", "cursor"},
		methodPromptsGet:    {"_meta", "inputResponses", "requestState", "name", "arguments"},
		methodResourcesRead: {"_meta", "inputResponses", "requestState", "uri"},
		methodTaskGet:       taskParams,
		methodTaskUpdate:    taskParams,
		methodTaskCancel:    taskParams,
		methodTaskTold:      taskParams,
		methodTaskStatus:    taskParams,
		methodListen:        anyParams,
	},
	result: []string{"resultType", "inputRequests", "requestState", "_meta", "action", "content"},
	meta: []string{"progressToken", "inputRequests", "inputResponses", "requestState",
		metaVersion, metaCapabilities},
}

var acpWords = vocabulary{
	methods: []string{
		methodInitialize:    acp.MethodInitialize,
		methodCreate:        acp.MethodCreate,
		methodComplete:      acp.MethodComplete,
		methodCancelled:     acp.MethodWithdraw,
		methodPermission:    acp.MethodPermission,
		methodPrompt:        acp.MethodPrompt,
		methodSessionCancel: acp.MethodCancel,
		methodSessionClose:  acp.MethodClose,
		methodUpdate:        acp.MethodUpdate,
	},
	params: [][]string{
		otherMethod:      {"_meta"},
		methodInitialize: {"_meta", "protocolVersion", "clientCapabilities", "clientInfo"},
		methodCreate: {"_meta", "mode", "message", "requestedSchema", "url", "elicitationId", "sessionId", "toolCallId",
			"requestId"},
		methodComplete:      {"_meta", "elicitationId"},
		methodCancelled:     {"_meta", "requestId"},
		methodPermission:    {"_meta", "sessionId", "toolCall", "options"},
		methodPrompt:        {"_meta", "sessionId", "prompt"},
		methodSessionCancel: {"_meta", "sessionId"},
		methodSessionClose:  {"_meta", "sessionId"},
		methodUpdate:        {"_meta", "sessionId", "update"},
	},
	result: []string{"_meta", "outcome", "action", "content"},
}

// acpBothWords is acpWords with the members of version 2.
var acpBothWords = acpWords.with(map[method][]string{
	methodInitialize: {"capabilities", "info"},
	methodPermission: {"title", "description", "subject"},
})

// with returns the vocabulary with more members of params.
func (w *vocabulary) with(params map[method][]string) vocabulary {
	more := *w
	more.params = slices.Clone(w.params)
	for m, names := range params {
		more.params[m] = slices.Concat(w.params[m], names)
	}
	return more
}

// chained returns the vocabulary with the methods of a chain.
func (w *vocabulary) chained() *vocabulary {
	more := *w
	more.methods = append(slices.Clone(w.methods), make([]string, int(methodSuccessor)+1-len(w.methods))...)
	more.params = append(slices.Clone(w.params), make([][]string, int(methodSuccessor)+1-len(w.params))...)
	more.methods[methodProxyInitialize], more.methods[methodSuccessor] = acp.MethodProxyInitialize, acp.MethodSuccessor
	more.params[methodProxyInitialize] = w.params[methodInitialize]
	more.params[methodSuccessor] = []string{"_meta", "method", "params"}
	return &more
}

var codexWords = vocabulary{
	methods: []string{
		methodInitialize:   codex.MethodInitialize,
		methodCreate:       codex.MethodServer,
		methodCancelled:    "notifications/cancelled", // of the same server
		methodElicitation:  codex.MethodElicitation,
		methodCommand:      codex.MethodCommand,
		methodPatch:        codex.MethodPatch,
		methodPermissions:  codex.MethodPermissions,
		methodInput:        codex.MethodInput,
		methodCommandV1:    codex.MethodCommandV1,
		methodPatchV1:      codex.MethodPatchV1,
		methodItemStarted:  codex.MethodItemStarted,
		methodItemDone:     codex.MethodItemDone,
		methodPatchUpdated: codex.MethodPatchUpdated,
		methodResolved:     codex.MethodResolved,
		methodTurnDone:     codex.MethodTurnDone,
		methodThreadClosed: codex.MethodThreadClosed,
	},
	params: [][]string{
		methodInitialize: {"clientInfo", "capabilities"},
		methodCreate: {"message", "requestedSchema", "threadId", "codex_elicitation", "codex_mcp_tool_call_id",
			"codex_event_id", "codex_call_id", "codex_command", "codex_cwd", "codex_parsed_cmd", "codex_changes",
			"codex_reason", "codex_grant_root"},
		methodCancelled: {"requestId", "reason"},
		methodElicitation: {"_meta", "threadId", "turnId", "serverName", "mode", "message", "requestedSchema", "url",
			"elicitationId", "title", "description", "challenge"},
		methodCommand: {"kind", "threadId", "turnId", "itemId", "startedAtMs", "approvalId", "environmentId", "reason",
			"command", "cwd", "commandActions", "networkApprovalContext", "additionalPermissions",
			"proposedExecpolicyAmendment", "proposedNetworkPolicyAmendments", "availableDecisions"},
		methodPatch: {"threadId", "turnId", "itemId", "startedAtMs", "reason", "grantRoot"},
		methodPermissions: {"threadId", "turnId", "itemId", "environmentId", "startedAtMs", "cwd", "reason",
			"permissions"},
		methodInput:        {"threadId", "turnId", "itemId", "questions", "isBlocking", "autoResolutionMs"},
		methodCommandV1:    {"conversationId", "callId", "approvalId", "command", "cwd", "reason", "parsedCmd"},
		methodPatchV1:      {"conversationId", "callId", "fileChanges", "reason", "grantRoot"},
		methodItemStarted:  {"item", "threadId", "turnId"},
		methodItemDone:     {"item", "threadId", "turnId"},
		methodPatchUpdated: {"threadId", "turnId", "itemId", "changes"},
		methodResolved:     {"threadId", "requestId"},
		methodTurnDone:     {"threadId", "turn"},
		methodThreadClosed: {"threadId"},
	},
	bare: true,
}
