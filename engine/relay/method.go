package relay

import "github.com/elicit-engine/elicit/engine/relay/internal/gate"

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

// nameOf returns the method's name in MCP, or "" for a method that MCP does not have.
func nameOf(m gate.Method) string {
	if int(m) < len(mcpWords.Methods) {
		return mcpWords.Methods[m]
	}
	return ""
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

// ofTask reports whether a notification of the server tells of a task.
func ofTask(m gate.Method) bool { return m == methodTaskTold || m == methodTaskStatus }
