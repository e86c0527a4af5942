// Package acp reads and writes what an agent asks its client in the Agent Client Protocol, versions 1 and 2:
// permissions (session/request_permission) and elicitations (elicitation/create). Words of the wire (optionId,
// toolCall) stay in this package.
//
// An elicitation has the members of MCP 2025-11-25 and a few of its own, so it is read by a dialect of package mcp. See
// Dialect and ReadScope. A permission becomes a tool approval, so that one rule decides both. See
// Dialect.DecodePermission.
//
// The functions take spans of messages that have passed the gate, see package wire. Pointers of problems start at the
// document passed in.
//
// A permission may be only a reference: {"toolCall":{"toolCallId":"c1"},"options":[…]}. Earlier updates of the session
// said what the call does, and every part of that is optional. So the package looks for everything that a person and a
// policy need: the title, the kind, paths, diffs, and a command in the places where agents put it. It puts the rest
// into the message as JSON. If that does not fit, a person must choose.
//
//	dialect.go      versions, scopes          announced.go   what an agent said of a call
//	permission.go   the permission            describe.go    its message
//	deed.go         what it would do          diff.go        the files of a diff
//	subject.go      version 2                 questions.go   questions of Qwen Code
//	outcome.go      the answers
package acp

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// Dialect is one version of the protocol. Elicitations are the same in both versions. They differ from MCP 2025-11-25
// in their names of modes: an empty capability declares no mode, and a question without a mode is wrong.
//
// A member is true for what only version 2 has. V1 and V2 are the only values.
type Dialect struct {
	mcp.Dialect         // of elicitations
	Capabilities string // the member of initialize in which a client says what it can do

	subjects bool // a permission has a title of its own and may be about anything; otherwise it is about a tool call
	patches  bool // in what is said about a tool call, null takes a member away, and a diff lists its changes

	// States says that an agent answers a prompt when it begins, and says in session/update when it has ended.
	// Otherwise the answer to the prompt is the end of the turn.
	States bool
}

// These are the versions. V2 was a draft when this was written.
var (
	V1 = Dialect{Dialect: elicitations("1"), Capabilities: "clientCapabilities"}
	V2 = Dialect{Dialect: elicitations("2"), Capabilities: "capabilities", subjects: true, patches: true, States: true}
)

func elicitations(version string) mcp.Dialect {
	return mcp.Dialect{Dialect: wire.Dialect{
		Protocol: "acp",
		Version:  version,
		Carrier:  wire.Direct,
		Profile:  "2025-11-25",
		URL:      true,
		Modes:    true,
		Link:     true,
		Explicit: true,
	}}
}

// These are method names.
const (
	MethodInitialize = "initialize"
	MethodPrompt     = "session/prompt"
	MethodUpdate     = "session/update"
	MethodCancel     = "session/cancel" // ends the turn of a session
	MethodClose      = "session/close"  // ends a session
	MethodPermission = "session/request_permission"
	MethodCreate     = mcp.MethodCreate
	MethodComplete   = "elicitation/complete"
	MethodWithdraw   = "$/cancel_request" // withdraws one request

	// Between a conductor and the proxies of its chain:
	MethodProxyInitialize = "proxy/initialize" // initialize for a proxy
	MethodSuccessor       = "proxy/successor"  // a message from or to the next one in the chain
)

// These are bounds of this package; the protocol sets none. Data over a bound is a problem and is never truncated.
const (
	maxOptions  = 32   // options of a permission
	maxOptionID = 1024 // bytes of an optionId
	maxName     = 1024 // bytes of an option's name
	maxSession  = 1024 // bytes of a sessionId or a toolCallId
)

// Scope says what a question belongs to: a session, or a request of the client outside any session.
type Scope struct {
	Session  string // "" for none
	ToolCall []byte // raw text; nil for none
	Request  []byte // raw id; nil for none
}

// ReadScope reads the scope in the params of an elicitation. Exactly one of sessionId and requestId must be there.
//
// A toolCallId counts only with a session: a request outside a session has no tool calls.
func ReadScope(params []byte) (s Scope, problems []elicit.Problem) {
	r := wire.Read(params, "")
	session, request := wire.Given(r.Get("sessionId")), wire.Given(r.Get("requestId"))
	switch {
	case session != nil && request != nil:
		r.Report("scope_ambiguous", "requestId")
	case session != nil:
		s.Session = r.Filled("sessionId", maxSession)
	case request == nil:
		r.Report("missing", "sessionId")
	case !wire.ValidID(request):
		r.Report("envelope_id", "requestId")
	default:
		s.Request = request
	}
	if raw := wire.Given(r.Get("toolCallId")); raw != nil {
		if r.Filled("toolCallId", maxSession); session != nil {
			s.ToolCall = raw
		}
	}
	return s, r.Problems
}

// AppendMembers appends the members that spell the scope, with a comma after them.
//
// A zero Scope has an empty sessionId. The caller has a scope that was read without problems.
func (s Scope) AppendMembers(dst []byte) []byte {
	if s.Request != nil {
		dst = append(append(append(dst, `"requestId":`...), s.Request...), ',')
	} else {
		dst = append(jsontext.AppendString(append(dst, `"sessionId":`...), s.Session), ',')
	}
	if s.ToolCall != nil {
		dst = append(append(append(dst, `"toolCallId":`...), s.ToolCall...), ',')
	}
	return dst
}
