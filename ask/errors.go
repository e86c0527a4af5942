package ask

import (
	"errors"
	"slices"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// These errors say how a question ended without an answer, for errors.Is. An *Error has the whole story.
var (
	ErrDeclined    = errors.New("the person declined")
	ErrCancelled   = errors.New("the person gave no answer")
	ErrTimeout     = errors.New("nobody answered in time")
	ErrUnsupported = errors.New("the question can reach nobody")
	ErrInvalid     = errors.New("the question is not fit to be asked")
	ErrAttempts    = errors.New("no answer fitted")
	ErrClient      = errors.New("the client answered with an error")
	ErrPolicy      = errors.New("policy did not let the question be asked")
	ErrBusy        = errors.New("another question is open, or too many were asked")
	ErrClosed      = errors.New("the session is closed")
	ErrStore       = errors.New("the store of the sessions failed")
	ErrUnknown     = errors.New("no question waits for this")
	ErrJournal     = errors.New("the journal failed")
	ErrTooLarge    = errors.New("the values that the call keeps are too large")
	ErrRunning     = errors.New("the answer was taken, and the call still runs")
	ErrResult      = errors.New("the answer was taken; the result is unknown")

	// ErrInterrupted says that the call ends while the person thinks. The handler must return it. It runs again later.
	ErrInterrupted = errors.New("the call ends until the person has answered")
	// ErrNoCall says that the context has no call: the adapter is not installed, or the handler is over.
	ErrNoCall = errors.New("ask: the context belongs to no running call; install an adapter such as ask/gosdk")
)

// Error is the end of a question without an accepted answer.
type Error struct {
	Outcome  elicit.Outcome // decline, cancel or error
	Cause    elicit.Cause   // who or what ended it
	Problems []elicit.Problem
	Reasons  []elicit.Reason
}

// Error says in a sentence how the question ended, and names the first problems.
func (e *Error) Error() string {
	return asker.TextOf(&asking.Settle{Outcome: e.Outcome, Cause: e.Cause, Problems: e.Problems, Reasons: e.Reasons})
}

// kinds are the errors of the machine's kinds.
var kinds = map[asker.Kind][]error{asker.Declined: {ErrDeclined}, asker.DeclinedByPolicy: {ErrPolicy, ErrDeclined},
	asker.Policy: {ErrPolicy}, asker.Cancelled: {ErrCancelled}, asker.Timeout: {ErrTimeout, ErrCancelled},
	asker.Attempts: {ErrAttempts, ErrCancelled}, asker.Over: {ErrClosed, ErrCancelled},
	asker.Unsupported: {ErrUnsupported}, asker.Invalid: {ErrInvalid}, asker.Peer: {ErrClient}, asker.Busy: {ErrBusy}}

// Is reports whether e is of the kind of target.
func (e *Error) Is(target error) bool {
	return slices.Contains(kinds[asker.KindOf(e.Outcome, e.Cause)], target)
}

// Code is the code of the JSON-RPC error that a prompt or a resource answers with when its handler returns err, 0 for
// an error of the handler itself. See the codes of package asking/asker. A tool needs none: its result tells the model.
func Code(err error) int {
	ended := &Error{}
	if errors.As(err, &ended) {
		return asker.CodeOf(ended.Outcome, ended.Cause)
	}
	for _, f := range asker.Failures() {
		if of := failures[f]; of != nil && f != asker.GaveUp && errors.Is(err, of) {
			return f.Code()
		}
	}
	return 0
}
