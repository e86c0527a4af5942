package relay

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire/acp"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

var anyParams = []string{"_meta", "inputRequests", "inputResponses", "requestState"}

var taskParams = append(anyParams[:len(anyParams):len(anyParams)], taskWords...)

var createParams = []string{"_meta", "mode", "message", "requestedSchema", "url", "elicitationId", "task"}

var mcpWords = gate.Vocabulary{
	Methods: []string{
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
	Params: [][]string{
		gate.OtherMethod:    anyParams,
		methodInitialize:    {"_meta", "protocolVersion", "capabilities", "clientInfo"},
		methodCreate:        createParams,
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
	Result:    []string{"resultType", "inputRequests", "requestState", "_meta", "action", "content"},
	Questions: []gate.Method{methodCreate},
	Entry:     createParams,
	Meta: []string{"progressToken", "inputRequests", "inputResponses", "requestState",
		gate.MetaVersion, gate.MetaCapabilities},
}

var acpWords = gate.Vocabulary{
	Methods: []string{
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
	Params: [][]string{
		gate.OtherMethod: {"_meta"},
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
	Questions: []gate.Method{methodCreate, methodPermission},
	Result:    []string{"_meta", "outcome", "action", "content"},
}

// acpBothWords is acpWords with the members of version 2.
var acpBothWords = acpWords.With(map[gate.Method][]string{
	methodInitialize: {"capabilities", "info"},
	methodPermission: {"title", "description", "subject"},
})

// chained returns the vocabulary with the methods of a chain.
func chained(w *gate.Vocabulary) *gate.Vocabulary {
	more := *w
	more.Methods = append(slices.Clone(w.Methods), make([]string, int(methodSuccessor)+1-len(w.Methods))...)
	more.Params = append(slices.Clone(w.Params), make([][]string, int(methodSuccessor)+1-len(w.Params))...)
	more.Methods[methodProxyInitialize], more.Methods[methodSuccessor] = acp.MethodProxyInitialize, acp.MethodSuccessor
	more.Params[methodProxyInitialize] = w.Params[methodInitialize]
	more.Params[methodSuccessor] = []string{"_meta", "method", "params"}
	return &more
}
