package gate

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// Askable checks a message that asks something against limits that a forwarded message need not meet.
//
// The gate reads loosely what it only forwards. A question is compiled into a form, so it must also meet the limits of
// the strict reader in wire.
func Askable(raw []byte) *elicit.Problem {
	return EnvelopeProblem(wire.ReadEnvelope(raw, QuestionLimits))
}

// QuestionLimits let a question reach the engine that is longer than any that a person is asked. The engine refuses
// it, and the journal has its size and its digest.
var QuestionLimits = wire.Limits{Bytes: 16 << 20}

// EnvelopeProblem returns the first problem of an envelope, or nil.
func EnvelopeProblem(e wire.Envelope, fault *jsontext.Fault) *elicit.Problem {
	switch {
	case fault != nil:
		problem := elicit.FromFault(fault)
		return &problem
	case len(e.Problems) > 0:
		return &e.Problems[0]
	}
	return nil
}
