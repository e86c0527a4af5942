package asker

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
)

// These are the codes of the JSON-RPC errors that a call ends with when no model reads its result, such as that of a
// prompt or a resource. Those above 0 are outside the numbers that JSON-RPC and MCP reserve.
const (
	// They are part of the interface: clients and other languages compare them.
	CodeDeclined    = 4001   // the person, or a policy for them, said no
	CodeNoAnswer    = 4002   // no answer came: cancelled, too late, or too many attempts
	CodeUnreachable = 4003   // the question can reach nobody
	CodeUnknown     = 4004   // the answer was taken, and the result is unknown
	CodeRunning     = 4005   // the answer was taken, and the call still runs
	CodeInvalid     = -32602 // the call does not go with its state or its session
	CodeInternal    = -32603 // the store, the journal or the handler failed
)

// CodeOf is the code of a question that ended without an accepted answer.
func CodeOf(outcome elicit.Outcome, cause elicit.Cause) int {
	switch {
	case outcome == elicit.Accepted:
		return 0
	case outcome == elicit.Declined:
		return CodeDeclined
	case cause == elicit.ByUnsupported:
		return CodeUnreachable
	case outcome == elicit.Cancelled:
		return CodeNoAnswer
	}
	return CodeInternal
}

// Code is the code of a failure; 0 for one that ends no call with an error.
func (f Failure) Code() int {
	switch f {
	case "", Interrupted:
		return 0
	case GaveUp:
		return CodeNoAnswer
	case NoState, NotYours:
		return CodeInvalid
	case Unknown:
		return CodeUnknown
	case StillRunning:
		return CodeRunning
	}
	return CodeInternal
}

// text is what a model, or a person, reads of a call whose answer was taken.
//
// Both texts begin with the fact that the answer was taken, so that a model does not ask the person again.
func (f Failure) text() string {
	if f == StillRunning {
		return "The answer was taken, and the call still runs. Make the same call again to get its result."
	}
	return "The answer was taken; the result is unknown. What the call does may be done. Look before you call it again."
}

// Code is the code of the error that a reply tells of, 0 for none.
func (e Reply) Code() int {
	if e.Failed == "" && e.Settle != nil {
		return CodeOf(e.Settle.Outcome, e.Settle.Cause)
	}
	return e.Failed.Code()
}

// Kind is the kind of error that a question without an accepted answer ends with, in every language.
//
// The names are the same in the errors of every language.
type Kind string

// These are the kinds.
const (
	Declined         Kind = "declined"
	DeclinedByPolicy Kind = "declined_by_policy"
	Policy           Kind = "policy" // it did not let the question be asked
	Cancelled        Kind = "cancelled"
	Timeout          Kind = "timeout"
	Attempts         Kind = "attempts"
	Over             Kind = "closed" // the session, the call or the server
	Unsupported      Kind = "unsupported"
	Invalid          Kind = "invalid"
	Peer             Kind = "client" // it answered with an error
	Busy             Kind = "busy"
	Other            Kind = "other"
)

// wider are kinds that are of other kinds too.
var wider = map[Kind][]Kind{DeclinedByPolicy: {Policy, Declined}, Timeout: {Cancelled}, Attempts: {Cancelled},
	Over: {Cancelled}}

// Error says how a question ended, so that a host in Go has the kinds as its errors.
func (k Kind) Error() string { return "the question ended: " + strings.ReplaceAll(string(k), "_", " ") }

// Is reports whether an end of this kind is also one of another kind, for errors.Is.
func (k Kind) Is(target error) bool {
	other, is := target.(Kind)
	return is && slices.Contains(wider[k], other)
}

// Error says what failed, so that a host in Go has the failures as its errors.
func (f Failure) Error() string { return failures[f] }

// Is reports whether the failure is also an end of a kind, for errors.Is.
func (f Failure) Is(target error) bool { return f == NoSession && target == Over }

var kinds = map[elicit.Cause]Kind{elicit.ByTimeout: Timeout, elicit.ByUnsupported: Unsupported,
	elicit.ByInvalidRequest: Invalid, elicit.ByAttemptsUsed: Attempts, elicit.ByPeerError: Peer,
	elicit.ByRateLimit: Busy, elicit.BySessionClosed: Over, elicit.ByShutdown: Over, elicit.ByCallEnded: Over,
	elicit.ByPolicy: Policy, elicit.ByGuardian: Policy}

// KindOf is the kind of an end, "" for an accepted answer.
func KindOf(outcome elicit.Outcome, cause elicit.Cause) Kind {
	kind := kinds[cause]
	switch {
	case outcome == elicit.Accepted:
		return ""
	case kind == Policy && outcome == elicit.Declined:
		return DeclinedByPolicy
	case kind != "":
		return kind
	case outcome == elicit.Declined:
		return Declined
	case outcome == elicit.Cancelled:
		return Cancelled
	}
	return Other
}

// TextOf says in a sentence how a question ended without an accepted answer, and names the first problems.
//
// At most three problems are named, as in the message of a question.
func TextOf(s *asking.Settle) string {
	text := "the person gave no answer"
	switch {
	case s.Outcome == elicit.Accepted:
		return ""
	case s.Cause == elicit.BySessionClosed && s.ID == "": // nobody here saw how it ended
		text = "not answered: the session is no longer there: it was closed, its time was up, or the store lost it"
	case s.Cause != elicit.ByUser:
		text = "not answered: " + english.Ended(s.Cause, s.Reasons)
	case s.Outcome == elicit.Declined:
		text = "the person declined"
	}
	return strings.Join(append([]string{text}, sentences(s.Problems[:min(len(s.Problems), 3)])...), "; ")
}

func sentences(problems []elicit.Problem) (all []string) {
	for _, p := range problems {
		all = append(all, strings.TrimPrefix(p.Pointer+" "+english.Problem(p), " "))
	}
	return all
}

var failures = map[Failure]string{NoCall: "the handler of this call is over",
	Interrupted: "the call ends until the person has answered", GaveUp: "nobody waits for the answer any more",
	NoSession: "the session is closed", NoState: "invalid or expired requestState",
	NotYours: "the session belongs to another principal", LinkUsed: "another browser has the page",
	NobodyWaits: "no question waits for this",
	NoStore:     "the store of the sessions failed", NoJournal: "the journal failed",
	NoSeal: "the state of the call cannot be sealed", TooLarge: "the values that the call keeps are too large",
	StillRunning: "the answer was taken, and the call still runs",
	Unknown:      "the answer was taken; the result is unknown"}

// Text says in a sentence why a reply tells of an error, "" if it tells of none. A client may read it. It has no Why,
// which may name hosts and files, and not what a state lacks, which helps who forges states.
func (e Reply) Text() string {
	if e.Failed == Refused {
		return strings.Join(sentences(e.Problems), "\n")
	} else if e.Failed == "" && e.Settle != nil {
		return TextOf(e.Settle)
	}
	return failures[e.Failed]
}
