package engine

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/policy"
)

// decide weighs policy, grants and findings.
func (s *step) decide(q *question) policy.Decision { return s.weigh(q, true) }

func (s *step) weigh(q *question, grants bool) policy.Decision {
	facts, findings := s.consider(q)
	return s.weighFacts(q, facts, findings, grants)
}

// weighAgain is weigh for a request that was decided before. Time and haste are those of the moment when it came, as
// far as they are known: a request that waits is not decided by what the person did since.
func (s *step) weighAgain(q *question, grants bool) policy.Decision {
	facts, findings := s.consider(q)
	if q.came.at != 0 {
		facts.At = q.came.at
	}
	if q.came.haste != notKnown {
		facts.Hasty = q.came.haste == knownTrue
	}
	return s.weighFacts(q, facts, findings, grants)
}

func (s *step) weighFacts(q *question, facts policy.Facts, findings []elicit.Finding, grants bool) policy.Decision {
	if grants {
		facts.Granted = s.coveringGrant(q, findings)
	}
	d := s.decideByPolicy(&facts, findings)
	if d.Outcome == policy.Review {
		if why := s.whyNotReviewed(q); why != "" {
			// A reviewer may stand in for a person; without one the person is asked, which is never the laxer choice.
			d.Outcome, d.Reasons = policy.Ask, append(d.Reasons, elicit.Reason{Code: why})
		}
	}
	q.findings, q.reasons = findings, d.Reasons
	return d
}

// whyNotReviewed says why a request that policy gives to a reviewer cannot be judged by one: "" when it can.
func (s *step) whyNotReviewed(q *question) string {
	switch {
	case !slices.ContainsFunc(s.config.guardians, func(g guardian.Permit) bool { return g.Reviewer }):
		return "no_reviewer"
	case q.form == nil || len(q.form.Fields) > 0:
		return "review_needs_person" // no reviewer answers what a person would have to type, or a page they would visit
	case s.sessionOf(q).reviews.tripped():
		return "reviews_stopped"
	}
	return ""
}

// consider gathers what this step knows of a held request.
func (s *step) consider(q *question) (policy.Facts, []elicit.Finding) {
	return consider(q.request, q.kind, q.facts, s.knownOf(q))
}

// knownOf is what this step knows beside a question.
func (s *step) knownOf(q *question) Known {
	session := s.sessionOf(q)
	return Known{At: s.wall, Hosts: s.visitedHosts[q.opened.Principal],
		Servers: session.resembles(s.config.servers, s.knownServers), Hasty: session.haste.isHasty()}
}

// decideByPolicy asks the policies about a request, and lets its findings make the decision stricter.
func (s *step) decideByPolicy(facts *policy.Facts, findings []elicit.Finding) policy.Decision {
	stack := s.config.stack
	if s.records.format == 1 || s.records.format == 2 {
		stack = stack.AsFormat2()
	}
	d := stack.Tighten(stack.Decide(facts), findings)
	s.needs3 = s.needs3 || d.Since3()
	if s.records.format == 1 {
		d.Reasons = inFormat1(d.Reasons)
	}
	return d
}

// inFormat1 gives reasons the names that they had when journals of format 1 were written. A replay compares the bytes
// of its records with those of the journal.
func inFormat1(reasons []elicit.Reason) []elicit.Reason {
	reasons = slices.Clone(reasons)
	for i, r := range reasons {
		if rest, ok := strings.CutPrefix(r.Code, "approval_policy_"); ok {
			reasons[i].Code = "mode_" + rest
		}
		reasons[i].Args = slices.Clone(r.Args)
		for j, arg := range r.Args {
			if arg.Name == "approval_policy" {
				reasons[i].Args[j].Name = "mode"
			}
		}
	}
	return reasons
}
