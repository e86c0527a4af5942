package policy

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// Grants says how long a person's yes may stand for the same question asked again. Lower is stricter.
type Grants uint8

// The limits from the strictest to the loosest. The zero value is a layer that does not say.
const (
	grantsUnsaid  Grants = iota
	GrantsNone           // no longer than for the question it answered
	GrantsSession        // until the session ends; what holds when no layer says
	GrantsAlways         // until it is revoked or its time is up
)

// Grants is the strictest limit of all layers.
func (s Stack) Grants() Grants {
	if s.grants == grantsUnsaid {
		return GrantsSession
	}
	return s.grants
}

// limit is what a layer says of grants. A layer that is not the user's word cannot make a yes last beyond the session.
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

// hearGrant lets an earlier yes to the same question stand where nothing but modes wants it asked or reviewed (Codex 0.169
// hears what it remembers before its reviewer). A rule that wants it asked was written by somebody who means to see it
// every time. Were review not answered, a layer below that turns review into ask would turn it into accept.
func (t *tally) hearGrant() {
	if t.facts.Granted == "" || t.outcome != Ask && t.outcome != Review || t.named || t.strictReview || t.row != rowConfirm && t.row != rowApproval {
		return
	}
	t.outcome = Accept
	t.by = append(t.by[:0], t.say(elicit.Reason{Code: codeGranted, Args: []elicit.Arg{elicit.Str("grant", t.facts.Granted)}}))
}
