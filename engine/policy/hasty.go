package policy

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// A person is hasty who accepted this many questions in a row, each less than HastyWithin milliseconds after it was
// shown. Clicking yes five times within ten seconds is a habit and no decision. The host counts, because the engine has
// no clock.
const (
	HastyAnswers = 5
	HastyWithin  = 2000
)

// LooksAtHaste reports whether some rule has the criterion hasty. Otherwise Facts.Hasty changes no decision.
func (s Stack) LooksAtHaste() bool { return s.hasty }

// looksAt reports whether some rule has a criterion on one of the subjects.
func (p *Policy) looksAt(subjects ...subject) bool {
	looks := func(c criterion) bool { return slices.Contains(subjects, c.on) }
	return slices.ContainsFunc(p.rules, func(r rule) bool {
		return slices.ContainsFunc(r.when, looks) || slices.ContainsFunc(r.unless, looks)
	})
}

var hastyReason = elicit.Reason{Code: codeHasty, Args: []elicit.Arg{elicit.Num("answers", HastyAnswers),
	elicit.Num("seconds", HastyWithin/1000)}}

// decideHasty decides for a hasty person. A decision that would be another one without their haste says so, because a
// person who is asked wants to know why a yes that was remembered does not answer. It decides twice with shared texts,
// so a long message is still read once.
func (s Stack) decideHasty(f *Facts, x *texts) Decision {
	if x == nil { // most callers share theirs, so no other is made
		x = &texts{}
	}
	calm := *f
	calm.Hasty = false
	// s is a value, so the stack of the caller stays as it is, and decideAll does not come back here.
	s.hasty = false // this copy of the stack only looks at the rules
	d := s.decideAll(f, x)
	without := s.decideAll(&calm, x)
	if without.Outcome != d.Outcome {
		d.Reasons = append(d.Reasons, hastyReason)
	}
	d.since3 = d.since3 || without.since3
	return d
}
