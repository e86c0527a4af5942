package policy

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// Grants says how long a person's yes may count for the same question asked again. Lower is stricter.
type Grants uint8

// These are the limits from the strictest to the loosest. The zero value means that a layer does not set one.
const (
	grantsUnsaid  Grants = iota
	GrantsNone           // only for the question that it answered
	GrantsSession        // until the session ends; the default
	GrantsAlways         // until it is revoked or expires
)

// Grants returns the strictest limit of all layers.
func (s Stack) Grants() Grants {
	if s.grants == grantsUnsaid {
		return GrantsSession
	}
	return s.grants
}

// limit returns the layer's limit on grants. A project or session layer cannot let a yes last beyond the session.
func (p *Policy) limit() Grants {
	if p.unreadable {
		return GrantsNone
	}
	if !p.layer.mayAccept() {
		return min(p.grants, GrantsSession)
	}
	return p.grants
}

func (p *parser) grants(v gjson.Result) {
	p.policy.grants = GrantsNone
	switch word, _ := p.word(v, grantWords...); word {
	case "session":
		p.policy.grants = GrantsSession
	case "always":
		p.policy.grants = GrantsAlways
	}
}

// applyGrant accepts by an earlier yes to the same question, if only approval policies want it asked or reviewed.
// (Codex 0.169 looks at remembered answers before it asks its reviewer.) A rule that says ask was written by someone
// who wants to see the question every time. The grant must also answer review: otherwise a lower layer that turns
// review into ask would turn it into accept.
func (t *tally) applyGrant() {
	if t.facts.Granted == "" || t.outcome != Ask && t.outcome != Review || t.named || t.strictReview ||
		t.row != rowConfirm && !t.row.approval() {
		return
	}
	t.outcome = Accept
	t.by = append(t.by[:0], t.say(elicit.Reason{Code: codeGranted,
		Args: []elicit.Arg{elicit.Str("grant", t.facts.Granted)}}))
}
