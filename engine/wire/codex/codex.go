// Package codex reads what the Codex app-server asks its client, and writes the answers in the words of each request.
// Words of the wire (threadId, acceptForSession) stay in this package.
//
//	q, refused := codex.Decode(method, params, items)
//	… the engine decides about q.Request …
//	result := q.AppendResult(nil, codex.Answer{Action: elicit.Accept})
//
// A command, a patch and a set of permissions become tool approvals, so that the rules for approvals decide them. An
// elicitation of an MCP server stays what it is. Codex puts its own approvals of tool calls into the same spelling, and
// a server can forge it. See List for how the two are told apart.
//
// The functions take spans of messages that have passed the gate, see package wire. Pointers of problems start at the
// document passed in. The shapes are those of Codex 0.169, and of `codex mcp-server` in 0.130.
//
// The files, in their reading order: codex.go has Decode and the table of methods; items.go what came before a
// question; command.go, patch.go, permissions.go and access.go the approvals; elicitation.go and input.go the questions
// of servers and of the agent; decision.go the answers to approvals; review.go and served.go the older words; subset.go
// a choice among permissions.
//
// Two rules hold in all of them. A yes never covers more than was offered: each result is built from the params or
// checked against them. And a person sees all that a yes covers: if a text was cut, or has parts that are not known,
// Choice is set, and no policy can accept alone.
//
//	asked                               the engine's request                the plain answer
//	{"command":"ls","cwd":"/w"}         tool shell, command ls              {"decision":"accept"}
//	{"permissions":{"network":{…}}}     tool request_permissions, a host    {"permissions":{…},"scope":"turn"}
//	{"mode":"form","message":…}         a form of the server                {"action":"accept","content":{…}}
package codex

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
)

// These are the methods of the questions.
const (
	MethodElicitation = "mcpServer/elicitation/request"
	MethodCommand     = "item/commandExecution/requestApproval"
	MethodPatch       = "item/fileChange/requestApproval"
	MethodPermissions = "item/permissions/requestApproval"
	MethodInput       = "item/tool/requestUserInput"
	MethodCommandV1   = "execCommandApproval"
	MethodPatchV1     = "applyPatchApproval"
	MethodServer      = "elicitation/create" // of `codex mcp-server`
)

// These methods are not questions, but a relay must read them.
const (
	MethodInitialize   = "initialize"
	MethodItemStarted  = "item/started"
	MethodItemDone     = "item/completed"
	MethodPatchUpdated = "item/fileChange/patchUpdated"
	MethodResolved     = "serverRequest/resolved"
	MethodTurnDone     = "turn/completed"
	MethodThreadClosed = "thread/closed"
)

// ForProgram reports whether a request of the app-server is for the client's program and not for a person.
func ForProgram(method string) bool {
	switch method {
	case "item/tool/call", "account/chatgptAuthTokens/refresh", "attestation/generate", "currentTime/read":
		return true
	}
	return false
}

// These are bounds of this package; the protocol sets none. Data over a bound is a problem and is never truncated
// without a mark.
const (
	maxName      = 1024 // bytes of an id or a name
	maxQuestions = 32   // questions of one request
	maxOptions   = 64   // options of one question, or decisions
	maxPaths     = 512  // paths of one patch or one set of permissions
	maxWords     = 4096 // arguments of a command
	maxTitle     = 4 << 10
	maxCommand   = 24 << 10
	maxDiff      = 24 << 10
	maxMore      = 8 << 10
)

// Tools are what policy sees as the tool of Codex's own requests.
const (
	ToolShell       = "shell"
	ToolStdin       = "write_stdin"
	ToolNetwork     = "network"
	ToolPatch       = "apply_patch"
	ToolPermissions = "request_permissions"
	ToolInput       = "request_user_input"
)

// Question is one request of the app-server that a person or a policy answers.
//
// Decode makes it, and it keeps spans of the params. Request and Options are for the caller. The other members are for
// AppendResult and DecodeResult, which need the same Question.
type Question struct {
	Method             string
	Thread, Turn, Item string         // "" for none
	Server             string         // the MCP server that asks, or whose tool would be called; "" for Codex itself
	Request            elicit.Request // the members that the wire knows; the caller sets the identity
	Options            []Option       // the offered decisions about a command or a patch, in the order of the wire
	Unknown            int            // decisions that are not known; they approve nothing

	// Choice says that no policy may accept alone. The form then has one required field.
	// With Choice, Claim is none: an approval may be accepted by a rule, and a form with a required field may not.
	Choice bool
	// ClientOnly says that only the client can make the answer, for example a proof of the device.
	ClientOnly bool

	speaks      speech
	asked       wire.Object  // the permissions
	permissions []permission // the same, one by one
	subset      bool         // the form lets a person choose among them
	cut         bool         // the message does not have all of them
	fields      []field      // of requestUserInput
	persist     []byte       // what an approval of a tool call offers to remember, raw
	call        *Item        // the tool call that is to be approved
	forged      bool         // a server claims that Codex asks
}

// speech is how the answers of a method are spelled.
//
// read checks what a client says against the question. append spells what the engine decided. They agree: the answer of
// read leads append to the client's own words.
type speech struct {
	read   func(q *Question, result []byte) (Answer, []elicit.Problem)
	append func(q *Question, dst []byte, a Answer) []byte
	takes  elicit.Takes // what the answers have a place for
}

// Answer is the answer to a question.
//
// Content, Scope and Option count for an acceptance only, Note and Reason for a refusal only. An Option from outside is
// checked again by append.
type Answer struct {
	Action  elicit.Action
	Content []byte       // of an accepted form: raw JSON
	Scope   elicit.Scope // how long an acceptance holds; "" means once
	Option  []byte       // the exact decision or permissions that the client chose, as spelled; nil for the plain one
	Strict  bool         // permissions: Codex reviews every later command of the turn
	Part    bool         // Option may be less than what was asked for, so the answer says nothing about a later question
	Note    string       // words of the person for the agent, where Request.Takes has a place for them
	Reason  string       // why, for the agent, if the person has no words
}

// reader returns the reader of a method, or nil. It is a function because the readers refer to each other.
func reader(method string) func(*Question, *wire.Reading, *List) {
	switch method {
	case MethodElicitation:
		return readElicitation
	case MethodCommand:
		return readCommand
	case MethodPatch:
		return readPatch
	case MethodPermissions:
		return readPermissions
	case MethodInput:
		return readInput
	case MethodCommandV1:
		return readCommandV1
	case MethodPatchV1:
		return readPatchV1
	case MethodServer:
		return readServer
	}
	return nil
}

// Decode reads the params of a question. items has what the app-server said about its items before; nil means that
// nothing is known. A refusal with the code MethodNotFound means that the method is no question of an app-server. After
// any other refusal, the question can still be answered with a decline.
//
// The caller must keep params unchanged as long as it uses the Question.
func Decode(method string, params []byte, items *List) (*Question, *wire.Refusal) {
	q := &Question{Method: method}
	read := reader(method)
	if read == nil {
		return q, &wire.Refusal{Code: wire.MethodNotFound, Problems: []elicit.Problem{UnknownMethod(method)}}
	}
	if items == nil {
		items = &List{}
	}
	r := wire.Read(params, "")
	q.speaks = speeches[method]
	q.Request.Takes = q.speaks.takes
	read(q, &r, items)
	if r.Problems != nil {
		// Only the place stays: the other members may be half read.
		refused := Unread(method)
		refused.Thread, refused.Turn, refused.Item = q.Thread, q.Turn, q.Item
		return refused, &wire.Refusal{Code: wire.InvalidParams, Problems: r.Problems}
	}
	return q, nil
}

// Unread returns a question whose params cannot be read. It can only be declined.
func Unread(method string) *Question { return &Question{Method: method, speaks: speeches[method]} }

// UnknownMethod is the problem with a request that is no question and not for the client's program.
func UnknownMethod(method string) elicit.Problem {
	return elicit.Problem{Code: "unknown_method", Args: []elicit.Arg{elicit.Str("method", wire.Shown(method))}}
}

// speeches has the spelling of the answers by method.
var speeches = map[string]speech{
	MethodElicitation: {read: readElicited, append: appendElicited},
	MethodCommand:     {read: readDecision, append: appendDecision},
	MethodPatch:       {read: readDecision, append: appendDecision},
	MethodPermissions: {read: readGranted, append: appendGranted},
	MethodInput:       {read: readAnswers, append: appendAnswers},
	MethodCommandV1:   {readReview, appendReview, elicit.TakesDeclineNote},
	MethodPatchV1:     {readReview, appendReview, elicit.TakesDeclineNote},
	MethodServer:      {read: readServed, append: appendServed},
}

// AppendResult appends the result that answers the question. It approves nothing that was not asked or not offered.
func (q *Question) AppendResult(dst []byte, a Answer) []byte { return q.speaks.append(q, dst, a) }

// DecodeResult reads the client's result. A result that is not known to approve is a problem.
//
// It is for an answer that a client of Codex gives. Unknown words are problems, because they might mean a yes.
func (q *Question) DecodeResult(result []byte) (Answer, []elicit.Problem) {
	return q.speaks.read(q, result)
}

// Take records that the approval of a tool call has been asked for. A later one for the same call is forged.
//
// The caller calls it when the question goes to the engine, and not when the params are only read.
func (q *Question) Take() {
	if q.call != nil {
		q.call.Asked = true
	}
}

// place reads what a request belongs to.
func (q *Question) place(r *wire.Reading) {
	q.Thread = r.Filled("threadId", maxName)
	q.Turn = r.Filled("turnId", maxName)
	q.Item = r.Filled("itemId", maxName)
}

// approval makes the request an approval of a tool.
func (q *Question) approval(tool string) {
	q.Request.Mode, q.Request.Schema = elicit.Form, []byte(nothingToType)
	q.Request.Tool, q.Request.Claim = tool, elicit.ClaimApproval
}

const nothingToType = `{"type":"object","properties":{}}`

// optional reads a string that may be absent or null.
func optional(r *wire.Reading, name string) string {
	raw := wire.Given(r.Get(name))
	if raw == nil {
		return ""
	}
	text, ok := wire.Text(raw)
	if !ok {
		r.WrongType(name, raw, "string")
	}
	return text
}
