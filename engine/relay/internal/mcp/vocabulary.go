package mcp

import (
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// These are the methods that the dialogues act on.
const (
	methodInitialize gate.Method = iota + 1
	methodCreate
	methodComplete
	methodCancelled
	methodProgress
	methodToolsCall
	methodToolsList
	methodPromptsGet
	methodResourcesRead
	methodTaskGet
	methodTaskUpdate
	methodTaskCancel
	methodTaskTold
	methodTaskStatus
	methodListen
)

// requestID is the member of a cancellation that names its request.
const requestID = "requestId"

// nameOf returns the method's name in MCP, or "" for a method that MCP does not have.
func nameOf(m gate.Method) string {
	return mcpWords.Methods[m]
}

// mayAsk reports whether a call of the method may be answered with questions (2026-07-28 basic/patterns/mrtr,
// Supported Requests). Such a call is kept, because it may have to be repeated.
func mayAsk(m gate.Method) bool {
	return m == methodToolsCall || m == methodPromptsGet || m == methodResourcesRead
}

// ofTasks reports whether a client that sends such a request knows tasks of 2026-07-28.
func ofTasks(m gate.Method) bool {
	return m == methodTaskGet || m == methodTaskUpdate || m == methodTaskCancel || m == methodListen
}

// Any call may carry answers of a round, whether or not its method may ask. Lax servers look there.
var anyParams = []string{"_meta", "inputRequests", "inputResponses", "requestState"}

var taskParams = append(anyParams[:len(anyParams):len(anyParams)], taskWords...)

var createParams = []string{"_meta", "mode", "message", "requestedSchema", "url", "elicitationId", "task"}

// A name that is missing here is a place in which two readers may differ. Client and Slow only decide about a client
// that does not answer.
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
		methodCancelled:     {"_meta", requestID, "reason"},
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
	Client:    []string{"ping", "roots/list", "sampling/createMessage", "tasks/get", "tasks/list", "tasks/cancel"},
	Slow:      []string{"tasks/result"},
	Listing:   []gate.Method{methodTaskTold, methodTaskStatus},
	Entry:     createParams,
	Meta: []string{"progressToken", "inputRequests", "inputResponses", "requestState",
		gate.MetaVersion, gate.MetaCapabilities},
}

// taskWords are the members of a task that decide.
var taskWords = []string{"taskId", "status"}
