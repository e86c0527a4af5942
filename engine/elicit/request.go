// Package elicit holds the nouns that every ring of the engine shares: what is asked, what is answered, and the
// three kinds of bad news (problem, reason, finding). They are plain values without behaviour that needs the world.
package elicit

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// ID names one request for as long as anybody may refer to it. The engine mints it from the dice of the input that
// brought the request, so a peer can neither choose nor guess it.
type ID string

// Side says which end of a session our host is: the client that answers, or the server that asks.
type Side string

// The two sides of a session.
const (
	Answering Side = "answering"
	Asking    Side = "asking"
)

// Mode says how the person answers: in a form, or by visiting a URL.
type Mode string

// The two modes every supported protocol agrees on. Any other value is refused.
const (
	Form Mode = "form"
	URL  Mode = "url"
)

// Valid reports whether m is a mode this engine knows.
func (m Mode) Valid() bool { return m == Form || m == URL }

// Kind is what a request amounts to once its schema has been read; policy rules match on it.
type Kind string

// The kinds. A form without fields is a confirmation: there is nothing to type, only to agree to.
const (
	KindForm       Kind = "form"
	KindConfirm    Kind = "confirm"
	KindURL        Kind = "url"
	KindApproval   Kind = "approval"   // a confirmation tagged as a tool approval
	KindSuggestion Kind = "suggestion" // an install suggestion; a server may never make one
)

// Claim is what a request says about itself beyond its form. It is the peer's word, never proof.
type Claim string

// The claims that policy distinguishes (Codex app-server `_meta`, see docs/protocols.md).
const (
	ClaimNone       Claim = ""
	ClaimApproval   Claim = "approval"   // well-formed tool approval
	ClaimMalformed  Claim = "malformed"  // says approval, but is not one
	ClaimSuggestion Claim = "suggestion" // tool suggestion
)

// Request is one question from a peer, spelled in no protocol's words. Strings are valid UTF-8; Schema is the raw
// document as received.
type Request struct {
	ID      ID
	Session string
	Ref     string // the peer's own handle, opaque here, unique among the open requests of its session
	Parent  string // the call it belongs to when the wire knows it, opaque here
	Server  string // the name the host gave the server, never the name the server gives itself
	Tool    string // the tool whose call provoked it, when known

	Annotations Annotations // what the server says of Tool

	// Candidates are the calls that the request may belong to, where the host cannot tell which one; Tool is "" then.
	// CandidatesCut says that there may be others: the host knows of more than it could list.
	Candidates    []Candidate
	CandidatesCut bool

	Side    Side
	Mode    Mode
	Message string
	Schema  []byte // form mode: the requested schema
	URL     string // URL mode
	Link    string // URL mode: the key a later completion names, when the protocol has one
	Claim   Claim

	StrictReview bool // the peer asks for a reviewer whatever the policy
	Persistable  bool // the peer offers to remember the answer
}

// MaxCandidates bounds the candidates of one request.
const MaxCandidates = 64

// Ambiguous reports whether the host could not tell which of several calls the request belongs to. A host that sees no
// calls at all (CandidatesCut without Candidates) knows as much of each request as of the next, so what a person has
// agreed to once is the same request again.
func (r *Request) Ambiguous() bool { return len(r.Candidates) > 0 }

// Candidate is a call that a request may belong to. Tool is "" for a call that is not of a tool.
type Candidate struct {
	Tool        string
	Annotations Annotations // what the server says of Tool
	Open        bool        // it has no result yet; a closed one ended a moment ago
}

// AppendJSON appends {"tool","annotations"?,"open"}.
func (c Candidate) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Str("tool", c.Tool)
	if c.Annotations != (Annotations{}) {
		o.Name("annotations", c.Annotations.AppendJSON)
	}
	o.Bool("open", c.Open)
	return o.End()
}

// Action is what the person did.
type Action string

// The three actions. Anything else is refused, never mapped to the nearest one.
const (
	Accept  Action = "accept"
	Decline Action = "decline"
	Cancel  Action = "cancel"
)

// Valid reports whether a is one of the three actions.
func (a Action) Valid() bool { return a == Accept || a == Decline || a == Cancel }

// Outcome is how a request ended: one of the three actions, or an error reply.
type Outcome string

// The outcomes of a settlement.
const (
	Accepted  Outcome = "accept"
	Declined  Outcome = "decline"
	Cancelled Outcome = "cancel"
	Failed    Outcome = "error"
)

// Cause says who or what settled a request. On the wire "nobody saw it" and "the user refused" look the same; here
// they never do.
type Cause string

// Every settlement carries exactly one cause.
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
	ByDuplicate      Cause = "duplicate"
	ByShutdown       Cause = "shutdown"
)

// Causes lists every cause in the order the documentation prints them.
func Causes() []Cause {
	return []Cause{ByUser, ByPolicy, ByGuardian, ByRateLimit, ByInvalidRequest, ByUnsupported, ByTimeout,
		BySuperseded, ByPeerCancelled, ByCallEnded, BySessionClosed, ByNoUI, ByDuplicate, ByShutdown}
}
