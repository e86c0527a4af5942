package relay

import (
	"bytes"
	"unicode/utf8"
)

// kind is a kind of JSON-RPC 2.0 message.
type kind uint8

const (
	invalid kind = iota
	request
	notification
	result
	failure // an error reply
	batch
	silence // none came in time
)

// message is one JSON-RPC message in parts. Every slice is a span of the received bytes. nil means that the member is
// absent.
type message struct {
	kind    kind
	raw     []byte // in the machine's spelling, if odd
	odd     bool   // the received bytes are spelled in another way than raw, with the same meaning
	id      []byte // a string or a number; nil for an error reply without an id
	given   []byte // the id as the sender spelled it
	method  method
	name    []byte // the method's text as spelled, with its quotes
	params  []byte
	result  []byte
	failure []byte
	bare    bool // there is no jsonrpc member

	// Members of the params.
	responses                      bool   // inputResponses or requestState is there, or in _meta as in the drafts
	asks                           bool   // inputRequests is there
	state                          bool   // requestState is there, and is neither null nor empty
	tool                           []byte // name, of a tools/call
	token                          []byte // progressToken of _meta, if it is a valid token
	progressToken, progress, total []byte // of a progress notification
	declares                       bool   // _meta declares capabilities of the client

	// Members of the result. meta may also be of the params.
	resultType, inputRequests, requestState, meta []byte
	// Members of the error.
	code []byte
}

// method is a method that the relay acts on.
type method uint8

const (
	otherMethod method = iota
	methodInitialize
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
	methodPermission
	methodPrompt
	methodSessionCancel
	methodUpdate
	methodSessionClose

	// Of the Codex app-server; first the questions.
	methodElicitation
	methodCommand
	methodPatch
	methodPermissions
	methodInput
	methodCommandV1
	methodPatchV1
	methodItemStarted
	methodItemDone
	methodPatchUpdated
	methodResolved
	methodTurnDone
	methodThreadClosed

	// Of a chain of proxies of ACP.
	methodProxyInitialize
	methodSuccessor
)

// String returns the method's name in MCP, or "" for a method that MCP does not have.
func (m method) String() string {
	if int(m) < len(mcpWords.methods) {
		return mcpWords.methods[m]
	}
	return ""
}

// question reports whether a request of the method is a question, which must have an id.
func (m method) question() bool {
	return m == methodCreate || m == methodPermission || m >= methodElicitation && m <= methodPatchV1
}

// mayAsk reports whether a call of the method may be answered with questions (2026-07-28 basic/patterns/mrtr, Supported
// Requests). Such a call is kept, because it may have to be repeated.
func (m method) mayAsk() bool {
	return m == methodToolsCall || m == methodPromptsGet || m == methodResourcesRead
}

// ofTasks reports whether a client that sends such a request knows tasks of 2026-07-28.
func (m method) ofTasks() bool {
	return m == methodTaskGet || m == methodTaskUpdate || m == methodTaskCancel || m == methodListen
}

// ofTask reports whether a notification of the server tells of a task.
func (m method) ofTask() bool { return m == methodTaskTold || m == methodTaskStatus }

// byteOrderMark is at the beginning of streams of some .NET and Windows programs.
var byteOrderMark = []byte("\xEF\xBB\xBF")

// blank reports whether a line has only white space.
func blank(raw []byte) bool { return len(bytes.TrimSpace(raw)) == 0 }

// clipped returns what a problem may quote of a peer's text.
func clipped(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	for cut := most; ; cut-- {
		if utf8.RuneStart(s[cut]) {
			return s[:cut] + "…"
		}
	}
}
