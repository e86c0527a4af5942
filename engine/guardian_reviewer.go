package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/policy"
)

// reviews counts what reviewers said in one session. A program that is refused again and again is probing, and every
// refusal teaches it; so after three in a row, or ten of the last fifty, the person is asked instead.
type reviews struct {
	row  int    // denials since the last allow
	last []bool // the latest reviews, true for a denial
}

const (
	mostDenialsInRow = 3
	mostDenials      = 10
	reviewWindow     = 50
)

func (r *reviews) count(denied bool) {
	if r.row++; !denied {
		r.row = 0
	}
	r.last = append(r.last, denied)
	r.last = r.last[max(0, len(r.last)-reviewWindow):]
}

func (r reviews) tripped() bool {
	denials := 0
	for _, denied := range r.last {
		if denied {
			denials++
		}
	}
	return r.row >= mostDenialsInRow || denials >= mostDenials
}

// String spells what was counted for a saved session: a letter for each of the latest reviews, d for a denial, and |
// where the person ended a row of them.
func (r reviews) String() string {
	b := make([]byte, 0, len(r.last)+1)
	for i, denied := range r.last {
		if i == len(r.last)-r.row {
			b = append(b, '|')
		}
		letter := byte('a')
		if denied {
			letter = 'd'
		}
		b = append(b, letter)
	}
	if r.row == 0 {
		b = append(b, '|')
	}
	return string(b)
}

// readReviews reads what String wrote; what is neither an allow nor a person's yes counts as a denial.
func readReviews(s string) (r reviews) {
	for _, c := range s[max(0, len(s)-reviewWindow-1):] {
		if c == '|' {
			r.row = 0
		} else {
			r.count(c != 'a')
		}
	}
	return r
}

// whyNotReviewed says why a request that policy gives to a reviewer cannot be judged by one: "" when it can.
func (s *step) whyNotReviewed(h *held) string {
	isReviewer := func(g guardian.Permit) bool { return g.Reviewer }
	switch {
	case !slices.ContainsFunc(s.config.guardians, isReviewer):
		return "no_reviewer"
	case h.form == nil || len(h.form.Fields) > 0:
		return "review_needs_person" // no reviewer answers what a person would have to type, or a page they would visit
	case h.session.reviews.tripped():
		return "reviews_stopped"
	}
	return ""
}

// readReview reads what a reviewer said. One that cannot be read is asked again while there is time.
func (s *step) readReview(a *pendingConsult, ev event.Consulted) {
	r, ok := guardian.Review{}, false
	if ev.Fault == "" {
		r, ok = guardian.ReadReview(ev.Output, a.seed)
	}
	if !ok {
		if attempt := max(a.Attempt, 1); attempt < guardian.MaxAttempts {
			a.Attempt = attempt + 1
			h := s.held[ev.ID]
			h.rounds++
			a.Round = h.rounds
			s.ask(a.Consult)
			return
		}
		a.done, a.result.Fault = true, guardian.FaultBadVerdict
		return
	}
	a.done = true
	a.review = r
}

// combineReviews is what the reviewers make of a request: accept when all allow it, else decline, or ask where the
// operator lets what they do not allow go to the person. Nobody's silence is a yes.
func (s *step) combineReviews(h *held, asks []*pendingConsult) policy.Outcome {
	outcome := policy.Accept
	for _, a := range asks {
		reason := elicit.Reason{Args: []elicit.Arg{elicit.Str("guardian", a.Guardian)}}
		say := func(name, value string) { reason.Args = append(reason.Args, elicit.Str(name, value)) }
		found, refused := policy.Accept, policy.Decline
		if a.permit.Escalate {
			refused = policy.Ask
		}
		switch {
		case a.result.Fault == guardian.FaultTimeout:
			reason.Code, found = "reviewer_timed_out", s.withoutReview(refused)
		case a.result.Fault != "":
			reason.Code, found = "reviewer_failed", s.withoutReview(refused)
			say("fault", string(a.result.Fault))
		default:
			say("risk", string(a.review.Risk))
			say("authorization", a.review.Authorization)
			say("because", a.review.Rationale)
			switch {
			case a.review.Outcome == guardian.Allow && a.review.Within():
				reason.Code = "reviewer_allowed"
			case a.review.Outcome == guardian.Allow:
				reason.Code, found = "reviewer_beyond", refused
			case a.review.Outcome == guardian.Ask:
				reason.Code, found = "reviewer_asked", policy.Ask
			default:
				reason.Code, found = "reviewer_denied", refused
			}
			h.session.reviews.count(reason.Code == "reviewer_beyond" || reason.Code == "reviewer_denied")
			if found != policy.Accept {
				h.findings = append(slices.Clip(h.findings), elicit.Finding{Code: "reviewer_finding", Severity: a.review.Risk,
					Args: []elicit.Arg{elicit.Str("guardian", a.Guardian), elicit.Str("message", a.review.Rationale)}})
			}
		}
		h.reasons = append(h.reasons, reason)
		outcome = max(outcome, found)
	}
	if len(asks) == 0 {
		return policy.Ask
	}
	return outcome
}

// resetDenials ends a row of denials: the person has agreed to what came after it. Ten of the last fifty stay ten.
func (s *step) resetDenials(h *held, x outgoing) {
	stopped := func(r elicit.Reason) bool { return r.Code == "reviews_stopped" }
	if x.byPerson() && slices.ContainsFunc(h.reasons, stopped) {
		h.session.reviews.row = 0
	}
}

// withoutReview is what a review that came to nothing amounts to.
func (s *step) withoutReview(refused policy.Outcome) policy.Outcome {
	if s.config.onFault() == guardian.Ask {
		return policy.Ask
	}
	return refused
}
