package relay

import (
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
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
