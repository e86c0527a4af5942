package engine

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/policy"
)

// readReview reads what a reviewer said. It reports whether it must be asked again: one that cannot be read is, while
// there is time.
func (a *pendingConsult) readReview(ev event.Consulted) (again bool) {
	r, ok := guardian.Review{}, false
	if ev.Fault == "" {
		r, ok = guardian.ReadReview(ev.Output, a.seed)
	}
	// A model may fail to keep to the form of a verdict. It may try again under a new round, within its deadline. The
	// server's rate is charged once for all attempts. guardian.MaxAttempts bounds the cost, and the deadline that all
	// attempts share bounds the time.
	if attempt := max(a.Attempt, 1); !ok && attempt < guardian.MaxAttempts {
		a.Attempt = attempt + 1
		return true
	}
	if a.done = true; !ok {
		a.result.Fault = guardian.FaultBadVerdict
		return false
	}
	a.review = r
	return false
}

// reviewed is what the reviewers make of a question.
type reviewed struct {
	outcome  policy.Outcome
	reasons  []elicit.Reason
	findings []elicit.Finding
	// One for each review that could be read, in the order of the permits. A fault is no denial: a reviewer that does
	// not answer says nothing about the program.
	denied []bool // of each review that was given
}

// combineReviews accepts when all reviewers allow a question, else it declines, or asks where the operator lets what
// they do not allow go to the person. Nobody's silence is a yes. onFault is what a guardian counts as that says
// nothing. The strictest of the reviewers counts, by the order accept < ask < decline of policy.Outcome.
func combineReviews(asks []*pendingConsult, onFault guardian.Decision) (all reviewed) {
	all.outcome = policy.Accept
	for _, a := range asks {
		reason := elicit.Reason{Args: []elicit.Arg{elicit.Str("guardian", a.Guardian)}}
		say := func(name, value string) { reason.Args = append(reason.Args, elicit.Str(name, value)) }
		found, refused := policy.Accept, policy.Decline
		if a.permit.Escalate {
			refused = policy.Ask
		}
		switch {
		case a.result.Fault == guardian.FaultTimeout:
			reason.Code, found = "reviewer_timed_out", withoutReview(refused, onFault)
		case a.result.Fault != "":
			reason.Code, found = "reviewer_failed", withoutReview(refused, onFault)
			say("fault", string(a.result.Fault))
		default:
			say("risk", string(a.review.Risk))
			say("authorization", a.review.Authorization)
			say("because", a.review.Rationale)
			switch {
			case a.review.Outcome == guardian.Allow && a.review.Within():
				reason.Code = "reviewer_allowed"
			// An allow that a reviewer may not give, such as one of critical risk. It counts as a denial: see
			// Review.Within.
			case a.review.Outcome == guardian.Allow:
				reason.Code, found = "reviewer_beyond", refused
			case a.review.Outcome == guardian.Ask:
				reason.Code, found = "reviewer_asked", policy.Ask
			default:
				reason.Code, found = "reviewer_denied", refused
			}
			all.denied = append(all.denied, reason.Code == "reviewer_beyond" || reason.Code == "reviewer_denied")
			if found != policy.Accept {
				all.findings = append(all.findings, elicit.Finding{Code: "reviewer_finding", Severity: a.review.Risk,
					Args: []elicit.Arg{elicit.Str("guardian", a.Guardian), elicit.Str("message", a.review.Rationale)}})
			}
		}
		all.reasons = append(all.reasons, reason)
		all.outcome = max(all.outcome, found)
	}
	if len(asks) == 0 {
		// Policy asked for a review, and no reviewer is left: only a person can say yes.
		all.outcome = policy.Ask
	}
	return all
}

// withoutReview is what a review that came to nothing amounts to.
func withoutReview(refused policy.Outcome, onFault guardian.Decision) policy.Outcome {
	if onFault == guardian.Ask {
		return policy.Ask
	}
	return refused
}
