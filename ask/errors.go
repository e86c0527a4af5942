package ask

import (
	"errors"
	"strings"

	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
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
	var b strings.Builder
	switch {
	case e.Cause != elicit.ByUser:
		b.WriteString("not answered: " + english.Ended(e.Cause, e.Reasons))
	case e.Outcome == elicit.Declined:
		b.WriteString("the person declined")
	default:
		b.WriteString("the person gave no answer")
	}
	for i, p := range e.Problems {
		if i == 3 {
			break
		}
		b.WriteString("; ")
		if p.Pointer != "" {
			b.WriteString(p.Pointer + " ")
		}
		b.WriteString(english.Problem(p))
	}
	return b.String()
}

// Is reports whether e is of the kind of target.
func (e *Error) Is(target error) bool {
	switch e.Cause {
	case elicit.ByTimeout:
		return target == ErrTimeout || target == ErrCancelled
	case elicit.ByUnsupported:
		return target == ErrUnsupported
	case elicit.ByInvalidRequest:
		return target == ErrInvalid
	case elicit.ByAttemptsUsed:
		return target == ErrAttempts || target == ErrCancelled
	case elicit.ByPeerError:
		return target == ErrClient
	case elicit.ByRateLimit:
		return target == ErrBusy
	case elicit.BySessionClosed, elicit.ByShutdown, elicit.ByCallEnded:
		return target == ErrClosed || target == ErrCancelled
	case elicit.ByPolicy, elicit.ByGuardian:
		return target == ErrPolicy || target == ErrDeclined && e.Outcome == elicit.Declined
	}
	switch e.Outcome {
	case elicit.Declined:
		return target == ErrDeclined
	case elicit.Cancelled:
		return target == ErrCancelled
	}
	return false
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
