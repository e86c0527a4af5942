package hook

import (
	"strings"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

// ownVerdict is the answer to the agent's own question. Only a person answers it. Where nobody has, the agent is told
// so, and never gets a choice.
func (r *hookRun) ownVerdict(hook hooks.Hook) hooks.Verdict {
	reply, why := r.reply, ""
	switch {
	case reply.Cause == elicit.ByUser && reply.Outcome == elicit.Accepted:
		if answers := hook.Answered(reply.Content); answers != nil {
			return hooks.Verdict{Decision: hooks.Allow, Arguments: answers, Reason: "Elicit: the person answered"}
		}
		why = "The person left it open"
	case reply.Cause == elicit.ByUser && reply.Outcome == elicit.Cancelled:
		why = "The person closed it"
	case reply.Cause == elicit.ByUser && reply.Note != "":
		why = "The person declined to answer, and says: " + reply.Note
	case reply.Cause == elicit.ByUser:
		why = "The person declined to answer"
	case len(reply.Problems) > 0:
		why = ui.Plain(sayProblems(reply.Problems))
	default:
		why = strings.TrimPrefix(sayReasons(reply.Reasons, reply.Findings), "Elicit: ")
	}
	return hooks.Verdict{Decision: hooks.Deny, Reason: "Elicit: the question is not answered. " + why}
}
