// Package elicit has the nouns that all packages of the engine share: the question, the answer, and the three kinds of
// bad news (problem, reason, finding). They are plain values. Their methods use no I/O and no state. Reading order:
// request.go (the question, the action, the outcome and its cause), deed.go (what an approval would do), part.go (lines
// of a message), takes.go and modes.go (what a peer can be given, and a host can show), annotations.go (the word of a
// server about its tool), grant.go (a remembered yes), news.go (problem, reason, finding), and clock.go.
//
// Values are copied freely. The slices and maps in them are shared by the copies, so nobody writes into a value that
// was handed on.
package elicit

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// ID names one request for as long as anyone may refer to it. The engine makes it from the random bytes of the input
// that brought the request. So a peer can neither choose nor guess it. It has 32 lower-case hex digits. "" is a
// question that has no id yet.
type ID string

// Side says which end of a session our host is: the client, which answers, or the server, which asks. In MCP the client
// answers and the server asks. In Codex and ACP the agent asks, and our host stands for its client.
type Side string

// The two sides of a session.
const (
	Answering Side = "answering"
	Asking    Side = "asking"
)

// Mode says how the person answers: in a form, or by visiting a URL.
type Mode string

// These are the two modes of every supported protocol. Any other value is refused.
const (
	Form Mode = "form"
	URL  Mode = "url"
)

// Valid reports whether m is a known mode.
func (m Mode) Valid() bool { return m == Form || m == URL }

// Kind is the kind of question, known after its schema was read. Policy rules match it.
type Kind string

// These are the kinds. A form without fields is a confirmation: the person types nothing and only agrees. An approval
// of permissions may have fields that start with all choices chosen. They only narrow it.
const (
	KindForm       Kind = "form"
	KindConfirm    Kind = "confirm"
	KindURL        Kind = "url"
	KindApproval   Kind = "approval"   // a confirmation tagged as a tool approval
	KindSuggestion Kind = "suggestion" // an install suggestion; a server may never make one
)

// Claim is what a request says about itself beyond its form. It is the peer's word and no proof. Package policy says
// what each claim counts for. Kind is what the engine makes of the claim and the form together.
type Claim string

// These are the claims that policy distinguishes (Codex app-server `_meta`, see docs/reference/protocols.md).
const (
	ClaimNone       Claim = ""
	ClaimApproval   Claim = "approval"   // well-formed tool approval
	ClaimMalformed  Claim = "malformed"  // says approval, but is not one
	ClaimSuggestion Claim = "suggestion" // tool suggestion
)

// Request is one question from a peer, independent of a protocol's spelling. Strings are valid UTF-8. Schema is the
// document as received.
type Request struct {
	ID      ID
	Session string
	// The peer's own handle is the id of its JSON-RPC request for most protocols. A reply names nothing else, so two
	// open requests of a session never have the same one.
	Ref    string // the peer's own handle, opaque here, unique among the open requests of its session
	Parent string // the call that it belongs to if the wire says so, opaque here
	Server string // the host's name for the server, never the name that the server gives itself
	Tool   string // the tool whose call caused it, if known

	// They are about Tool. Beside Candidates both are empty, because each candidate has its own.
	Annotations Annotations // what the server says about Tool

	// Candidates are the calls that the request may belong to if the host cannot tell which one; Tool is "" then.
	// CandidatesCut says that there may be others: the host knows of more than it could list.
	Candidates    []Candidate
	CandidatesCut bool

	Side    Side
	Mode    Mode
	Message string
	Parts   []Part // what the lines of Message are; nil if all of it is plain text
	Schema  []byte // form mode: the requested schema
	URL     string // URL mode
	// The elicitationId of MCP 2025-11-25. A later version has no such key, and Link is "" then.
	Link  string // URL mode: the key that a later completion names, if the protocol has one
	Claim Claim

	// Does is what an approval would let the peer do. A request with a Command and without Does is about the command.
	Does Deed

	// MessageCut says that Message leaves out a part of a text that is too long, and has its digest instead.
	MessageCut bool

	// Command is the command that an approval would run, as a shell reads it, and Cwd its directory. Message shows them
	// too. They are "" for a question that is not about a command.
	Command, Cwd string

	// CommandCandidate is what may be the command, if Command is "": the peer's words for people, or a command in a call
	// that the peer does not call one. Rules that tighten and the inspection look at it.
	CommandCandidate string

	// Paths are the files that a patch would change, or the places that a permission would open, absolute if the wire
	// names a root. Hosts are those that would be reached, without ports; AnyHost stands for all. ReachCut says that there
	// are more of either than the limits allow. For a command both are what the peer says, and never complete. Outside
	// says whether a path lies outside the places that the peer may write to, or whether a command would leave the
	// sandbox. AddPath and AddHost keep the limits.
	Paths, Hosts []string
	ReachCut     bool
	Outside      Said

	// For is the principal who may answer, "" for the session's. The session's principal may cancel in any case.
	For string

	// Arguments are those of the tool call that waits for the answer, a JSON object; nil if the host does not say them.
	// ArgumentsSchema is the JSON Schema that the tool has for them, nil if it is not known. CommandAt is the pointer into
	// Arguments of the text that Command is, "" if Command does not come from there.
	Arguments, ArgumentsSchema []byte
	CommandAt                  string

	// HeldCall says that a call of our own client waits for the answer. It counts towards the limit of held calls, and
	// not towards the limits of its server, which has not asked it. Example: the tools/call of our own client is held
	// back until policy or a person accepts it. The question about it is made here and not by the server.
	HeldCall bool

	// Description is what the server says of Tool, and Definition is the digest of all that it says of it. A yes that is
	// remembered holds only for the definition that it was given for.
	Description, Definition string

	// Takes says what the peer can be given beside the action and the content.
	Takes Takes

	// Both are the word of a peer. The first makes a decision stricter, the second only allows an offer to remember.
	StrictReview bool // the peer asks for a reviewer whatever the policy says
	Persistable  bool // the peer offers to remember the answer
}

// MaxCandidates is the most candidates of one request.
const MaxCandidates = 64

// Ambiguous reports whether the host could not tell which of several calls the request belongs to. A host that sees no
// calls sets CandidatesCut without Candidates. It knows equally little about every request, so a repeated question
// counts as the same request, and Ambiguous is false. A grant never answers an ambiguous request: one yes would count
// for two tools.
func (r *Request) Ambiguous() bool { return len(r.Candidates) > 0 }

// Candidate is a call that a request may belong to. Tool is "" for a call that is not of a tool. A call that ended a
// moment ago counts too, since a server may ask a little late about a call that it has answered.
type Candidate struct {
	Tool        string
	Annotations Annotations // what the server says about Tool
	Open        bool        // it has no result yet; otherwise it ended a moment ago
}

// AppendJSON appends {"tool","annotations"?,"open"}.
func (c Candidate) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "tool", c.Tool)
	if c.Annotations != (Annotations{}) {
		o.Name("annotations", c.Annotations.AppendJSON)
	}
	o.Bool("open", c.Open)
	return o.End()
}

// Action is what the person did.
type Action string

// These are the three actions. Any other value is refused, and never replaced by the nearest one. MCP 2025-11-25
// client/elicitation, Response Actions. Decline is a no. Cancel is no decision: the person closed the form, or nobody
// was there.
const (
	Accept  Action = "accept"
	Decline Action = "decline"
	Cancel  Action = "cancel"
)

// Valid reports whether a is one of the three actions.
func (a Action) Valid() bool { return a == Accept || a == Decline || a == Cancel }

// Outcome is how a request ended: one of the three actions, or an error reply. The spelling of the first three is that
// of the action, so a reply of MCP needs no table.
type Outcome string

// These are the outcomes of a settlement.
const (
	Accepted  Outcome = "accept"
	Declined  Outcome = "decline"
	Cancelled Outcome = "cancel"
	Failed    Outcome = "error"
)

// Cause says who or what settled a request. On the wire, "nobody saw it" and "the user refused" look the same. Causes
// tell them apart. Journals and statistics have it.
type Cause string

// Every settlement has exactly one cause.
const (
	ByUser           Cause = "user"
	ByPolicy         Cause = "policy"
	ByGuardian       Cause = "guardian"
	ByRateLimit      Cause = "rate_limited"
	ByInvalidRequest Cause = "invalid_request"
	ByUnsupported    Cause = "unsupported"
	ByTimeout        Cause = "timeout"
	BySuperseded     Cause = "superseded"
	ByPeerCancelled  Cause = "peer_cancelled"
	ByCallEnded      Cause = "call_ended"
	BySessionClosed  Cause = "session_closed"
	ByNoUI           Cause = "no_ui"
	ByNoAnswer       Cause = "no_answer" // answering side: the client had the question and gave no answer
	ByDuplicate      Cause = "duplicate"
	ByShutdown       Cause = "shutdown"
	ByAttemptsUsed   Cause = "attempts_used" // asking side: no answer fitted, as often as the caller let it be tried
	ByHandedOver     Cause = "handed_over"   // answering side: the agent, whose hook asked, asks the person itself
	ByLeftOpen       Cause = "left_open"     // answering side: no rule speaks of the call, so the agent goes on by its own
	ByPeerError      Cause = "peer_error"    // asking side: the client answered with an error
	ByCarried        Cause = "carried"       // asking side: the client has the question in its state, and brings it back
)

// Causes lists every cause in the order the documentation prints them.
func Causes() []Cause {
	return []Cause{ByUser, ByPolicy, ByGuardian, ByRateLimit, ByInvalidRequest, ByUnsupported, ByTimeout,
		BySuperseded, ByPeerCancelled, ByCallEnded, BySessionClosed, ByNoUI, ByDuplicate, ByShutdown,
		ByAttemptsUsed, ByPeerError, ByHandedOver, ByNoAnswer, ByLeftOpen, ByCarried}
}
