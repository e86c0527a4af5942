package ask

import (
	"cmp"
	"errors"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// These errors say how a question ended without an answer, for errors.Is. An *Error has the whole story. ErrTimeout,
// ErrAttempts and ErrClosed are ErrCancelled too, and the no of a policy is ErrPolicy and ErrDeclined.
const (
	ErrDeclined    = asker.Declined
	ErrCancelled   = asker.Cancelled
	ErrTimeout     = asker.Timeout
	ErrUnsupported = asker.Unsupported // the question can reach nobody
	ErrInvalid     = asker.Invalid     // the question is not fit to be asked
	ErrAttempts    = asker.Attempts    // no answer fitted
	ErrClient      = asker.Peer        // the client answered with an error
	ErrPolicy      = asker.Policy      // policy did not let the question be asked
	ErrBusy        = asker.Busy        // another question is open, or too many were asked
	ErrClosed      = asker.Over        // the session, the call or the server
)

// These errors say why there is nothing else.
const (
	ErrStore    = asker.NoStore
	ErrUnknown  = asker.NobodyWaits // for the end of this flow
	ErrJournal  = asker.NoJournal
	ErrTooLarge = asker.TooLarge // the values that the call keeps
	ErrRunning  = asker.StillRunning
	ErrResult   = asker.Unknown // the answer was taken, and nobody knows what came of it
	// ErrInterrupted says that the call ends while the person thinks. The handler must return it. It runs again later.
	ErrInterrupted = asker.Interrupted
	// ErrNoCall says that the context has no call: the adapter is not installed, or the handler is over.
	ErrNoCall = asker.NoCall
	// ErrState says that a repeated call brought a state that this server did not seal for it. The adapter answers with
	// invalid params and this text alone: the reason would help who forges states.
	ErrState = asker.NoState
	// ErrPrincipal says that a call names a session of somebody else, and ErrClaimed that another browser has a page.
	ErrPrincipal = asker.NotYours
	ErrClaimed   = asker.LinkUsed
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

// Unwrap returns the kind of the end, such as ErrTimeout.
func (e *Error) Unwrap() error { return asker.KindOf(e.Outcome, e.Cause) }

// Code is the code of the JSON-RPC error that a prompt or a resource answers with when its handler returns err. See the
// codes of package asking/asker. A tool needs none: its result tells the model.
func Code(err error) int {
	if end := (&Error{}); errors.As(err, &end) {
		return asker.CodeOf(end.Outcome, end.Cause)
	}
	var of asker.Failure
	errors.As(err, &of)
	return cmp.Or(of.Code(), asker.CodeInternal)
}

// fault is a failure with its cause. A handler's error goes to the client and its model, and the cause may name hosts,
// users and files. So errors.Is and errors.As know it, and the text does not.
type fault struct {
	asker.Failure
	why error
}

// Unwrap returns the cause.
func (f fault) Unwrap() []error { return []error{f.Failure, f.why} }

// failed is the error that a reply tells of, nil for none.
func failed(r asker.Reply) error {
	switch {
	case r.Failed == asker.Refused:
		return errors.New(r.Text())
	case r.Failed != "" && r.Why != nil:
		return fault{r.Failed, r.Why}
	case r.Failed != "":
		return r.Failed
	case r.Settle != nil:
		_, err := answer(*r.Settle)
		return err
	}
	return nil
}
