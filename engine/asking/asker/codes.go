package asker

import "github.com/elicit-engine/elicit/engine/elicit"

// These are the codes of the JSON-RPC errors that a call ends with when no model reads its result, such as that of a
// prompt or a resource. Those above 0 are outside the numbers that JSON-RPC and MCP reserve.
const (
	CodeDeclined    = 4001   // the person, or a policy for them, said no
	CodeNoAnswer    = 4002   // nobody answered: cancelled, too late, or too many attempts
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
