package relay

import "github.com/elicit-engine/elicit/engine/wire/acp"

// vocabulary is the names that the gate reads strictly: the methods that the machine acts on, and the members that
// decide, by their place. A name that some reader could take for one of them is refused.
type vocabulary struct {
	methods [methodCount]string   // "" for a method that the protocol does not have
	params  [methodCount][]string // of a call
	result  []string
	meta    []string
}

// These places are the same in every protocol, because they belong to JSON-RPC 2.0.
var (
	envelopeKeys = []string{"jsonrpc", "id", "method", "params", "result", "error"}
	errorKeys    = []string{"code", "message", "data"}
)

func (w *vocabulary) methodOf(name []byte) method {
	for m, known := range &w.methods {
		if known != "" && string(name) == known {
			return method(m)
		}
	}
	return otherMethod
}

var anyParams = []string{"_meta", "inputRequests", "inputResponses", "requestState"}

var mcpWords = vocabulary{
	methods: [methodCount]string{
		methodInitialize:    "initialize",
		methodCreate:        "elicitation/create",
		methodComplete:      "notifications/elicitation/complete",
		methodCancelled:     "notifications/cancelled",
		methodProgress:      "notifications/progress",
		methodToolsCall:     "tools/call",
		methodToolsList:     "tools/list",
		methodPromptsGet:    "prompts/get",
		methodResourcesRead: "resources/read",
	},
	params: [methodCount][]string{
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
	},
	result: []string{"resultType", "inputRequests", "requestState", "_meta", "action", "content"},
	meta: []string{"progressToken", "inputRequests", "inputResponses", "requestState",
		metaVersion, metaCapabilities},
}

var acpWords = vocabulary{
	methods: [methodCount]string{
		methodInitialize:    acp.MethodInitialize,
		methodCreate:        acp.MethodCreate,
		methodComplete:      acp.MethodComplete,
		methodCancelled:     acp.MethodWithdraw,
		methodPermission:    acp.MethodPermission,
		methodPrompt:        acp.MethodPrompt,
		methodSessionCancel: acp.MethodCancel,
		methodUpdate:        acp.MethodUpdate,
	},
	params: [methodCount][]string{
		otherMethod:      {"_meta"},
		methodInitialize: {"_meta", "protocolVersion", "clientCapabilities", "clientInfo"},
		methodCreate: {"_meta", "mode", "message", "requestedSchema", "url", "elicitationId", "sessionId", "toolCallId",
			"requestId"},
		methodComplete:      {"_meta", "elicitationId"},
		methodCancelled:     {"_meta", "requestId"},
		methodPermission:    {"_meta", "sessionId", "toolCall", "options"},
		methodPrompt:        {"_meta", "sessionId", "prompt"},
		methodSessionCancel: {"_meta", "sessionId"},
		methodUpdate:        {"_meta", "sessionId", "update"},
	},
	result: []string{"_meta", "outcome", "action", "content"},
}
