package policy

import "github.com/tidwall/gjson"

// GuardianFailure is the verdict to assume when a guardian fails: it trapped, ran out of fuel, wrote invalid output or
// timed out. Lower is stricter.
type GuardianFailure uint8

// These are the settings from the strictest to the loosest. The zero value means that a layer does not set it.
const (
	failureUnsaid       GuardianFailure = iota
	GuardianFailureDeny                 // as if it had denied; the default
	GuardianFailureAsk                  // as if it had asked for a person
)

// GuardianFailure returns the strictest setting of all layers.
func (s Stack) GuardianFailure() GuardianFailure { return max(s.guardianFailure, GuardianFailureDeny) }

// failure returns the layer's setting. A project or session layer cannot loosen it.
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
