package engine

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

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
