package policy

import "github.com/tidwall/gjson"

// GuardianFailure says what a guardian counts as that gives no verdict: one that trapped, ran out of fuel, wrote
// nonsense or was too late. Lower is stricter.
type GuardianFailure uint8

// What may be said, from the strictest. The zero value is a layer that does not say.
const (
	failureUnsaid       GuardianFailure = iota
	GuardianFailureDeny                 // as if it had denied; what holds when no layer says
	GuardianFailureAsk                  // as if it had asked for a person
)

// GuardianFailure is the strictest say of all layers.
func (s Stack) GuardianFailure() GuardianFailure { return max(s.guardianFailure, GuardianFailureDeny) }

// failure is what a layer says of guardians without a verdict. A layer that is not the user's word cannot loosen it.
func (p *Policy) failure() GuardianFailure {
	switch {
	case p.unreadable:
		return GuardianFailureDeny
	case p.layer.mayAccept() || p.guardianFailure == GuardianFailureDeny:
		return p.guardianFailure
	}
	return failureUnsaid
}

func (p *parser) failure(v gjson.Result) {
	p.policy.guardianFailure = GuardianFailureDeny
	if word, _ := p.word(v, failureWords...); word == "ask" {
		p.policy.guardianFailure = GuardianFailureAsk
	}
}
