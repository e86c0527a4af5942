package policy

import (
	"cmp"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// The settings here have values from the strictest, 1, to the loosest. Zero means that a layer does not set one. The
// words of a policy file have the same order.

// Grants says how long a person's yes may count for the same question asked again. Lower is stricter.
type Grants uint8

// These are the limits of grants.
const (
	GrantsNone    Grants = 1 + iota // only for the question that it answered
	GrantsSession                   // until the session ends; the default
	GrantsAlways                    // until it is revoked or expires
)

// Suggestions says where text that a person typed may be offered again. Lower is stricter.
type Suggestions uint8

// These are the limits of suggestions.
const (
	SuggestionsNone   Suggestions = 1 + iota // nowhere; the default
	SuggestionsTool                          // where the same tool of the same server asks for it
	SuggestionsServer                        // where the same server asks for it
)

// Secrets says what to do with an answer that has a secret, recognised by its form, in a field that is not marked as
// sensitive. Lower is stricter.
type Secrets uint8

// These are the settings for secrets.
const (
	SecretsRefuse  Secrets = 1 + iota // do not send it
	SecretsConfirm                    // send it after the person was warned and answered again; the default
	SecretsNote                       // send it, and say so in the reply
)

// GuardianFailure is the verdict to assume when a guardian fails: it trapped, ran out of fuel, wrote invalid output or
// timed out. Lower is stricter.
type GuardianFailure uint8

// These are the settings for a failure.
const (
	GuardianFailureDeny GuardianFailure = 1 + iota // as if it had denied; the default
	GuardianFailureAsk                             // as if it had asked for a person
)

// Grants returns the strictest limit of all layers. The host asks for it when a person answers, and stores the yes no
// longer than that.
func (s Stack) Grants() Grants { return cmp.Or(s.grants, GrantsSession) }

// Suggestions returns the strictest limit of all layers.
func (s Stack) Suggestions() Suggestions { return cmp.Or(s.suggestions, SuggestionsNone) }

// Secrets returns the strictest setting of all layers.
func (s Stack) Secrets() Secrets { return cmp.Or(s.secrets, SecretsConfirm) }

// GuardianFailure returns the strictest setting of all layers.
func (s Stack) GuardianFailure() GuardianFailure {
	return cmp.Or(s.guardianFailure, GuardianFailureDeny)
}

// addLimits adds the settings of a policy. A project or session layer cannot let a yes last beyond the session, let
// secrets pass without asking, allow suggestions, or take a failure for anything but a denial. The policies come in the
// order of the layers, but the result does not depend on it.
func (s *Stack) addLimits(p *Policy) {
	grants := p.grants
	if !p.layer.mayAccept() {
		grants = min(grants, GrantsSession)
	}
	s.grants = stricter(s.grants, limit(p, grants, GrantsSession))
	s.suggestions = stricter(s.suggestions, limit(p, p.suggestions, SuggestionsNone))
	s.secrets = stricter(s.secrets, limit(p, p.secrets, SecretsConfirm))
	s.guardianFailure = stricter(s.guardianFailure, limit(p, p.guardianFailure, GuardianFailureDeny))
}

// limit returns a setting of a policy: the strictest for one that cannot be read. A project or session layer does not
// set one that is looser than loosest. A looser value of a project counts as unset, and not as the loosest one: it must
// not hide the setting of a layer above.
func limit[T ~uint8](p *Policy, set, loosest T) T {
	switch {
	case p.unreadable:
		return 1
	case p.layer.mayAccept() || set <= loosest:
		return set
	}
	return 0
}

// strictness reads one of the words, which go from the strictest to the loosest. Anything else is the strictest. A word
// that is missing in the list has index -1, which max turns into the first, strictest one.
func strictness[T ~uint8](p *parser, v gjson.Result, words []string) T {
	word, _ := p.word(v, words...)
	return T(max(slices.Index(words, word), 0) + 1)
}

// These four read a word each. A value that cannot be read is the strictest one.
func (p *parser) grants(v gjson.Result)  { p.policy.grants = strictness[Grants](p, v, grantWords) }
func (p *parser) secrets(v gjson.Result) { p.policy.secrets = strictness[Secrets](p, v, secretWords) }

func (p *parser) suggestions(v gjson.Result) {
	p.policy.suggestions = strictness[Suggestions](p, v, suggestionWords)
}

func (p *parser) failure(v gjson.Result) {
	p.policy.guardianFailure = strictness[GuardianFailure](p, v, failureWords)
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
