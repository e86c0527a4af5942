package engine

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/policy"
)

// secrets is what happens to a secret in an answer to a question.
func (q *question) secrets(stack policy.Stack) policy.Secrets {
	say := stack.Secrets()
	if say == policy.SecretsConfirm && q.request.Side == elicit.Asking {
		return policy.SecretsNote // the answer has already left the person; a warning would come too late
	}
	return say
}

// canAnswerAgain reports that whoever answered can be asked once more for an answer that is not taken. On the asking
// side that is always so, because the caller counts the attempts.
func (q *question) canAnswerAgain(via event.Via, secret bool, say policy.Secrets) bool {
	if q.request.Side == elicit.Asking {
		return true
	}
	switch via {
	case event.ViaPerson:
		return true
	case event.ViaClient:
		return secret && say == policy.SecretsConfirm
	}
	return false
}
