// Package policy decides what happens to a request before anybody sees it.
//
// A Policy is one layer's file: a mode for whatever no rule names, and ordered rules. A Stack is the layers of one
// session, from managed down to session. Decide is total: it always returns an outcome and every reason for it, it
// never errs and never stops early. The first layer with an opinion sets the outcome, every layer below may only make
// it stricter, so nothing a project or a session says can undo what an administrator or the user said.
//
// The modes reproduce how Codex treats MCP elicitations (approval policy, granular flags, reviewer, full access); see
// docs/policy.md for the whole semantics.
package policy

import "github.com/elicit-engine/elicit/engine/elicit"

// Policy is one layer's compiled policy file. It is immutable, safe to share, and does not alias the document it was
// parsed from. Every Policy that Parse returns can be used, also when Parse reported problems: what could not be read
// fails closed.
type Policy struct {
	layer           Layer
	mode            mode
	modeArgs        []elicit.Arg // the mode's name, carried by every reason the mode gives
	access          access
	reviewer        reviewer
	findings        int                // lowest Severity.Rank that declines; 0 when the layer does not say
	grants          Grants             // unsaid when the layer does not say
	suggestions     Suggestions        // unsaid when the layer does not say
	secrets         Secrets            // unsaid when the layer does not say
	withhold        []withheld         // fields whose values are kept nowhere
	guardianFailure GuardianFailure    // unsaid when the layer does not say
	quiet           *quiet             // nil when the layer has no quiet hours
	servers         map[string]*server // by the exact name; nil when none is named
	rules           []rule
	// unreadable policies decline everything: what they meant to forbid is unknown.
	unreadable bool
}

// Layer is the layer the policy was parsed for.
func (p *Policy) Layer() Layer { return p.layer }

// Outcome is what a policy says to do with a request, in order of strictness. The zero value is no outcome; treat it,
// and anything unknown, as Decline.
type Outcome uint8

// The outcomes from the loosest to the strictest.
const (
	Accept  Outcome = iota + 1 // answer accept with no content beyond defaults; nobody is asked
	Review                     // a reviewer answers in the person's place
	Ask                        // show it to the person
	Cancel                     // answer cancel; nobody is asked
	Decline                    // answer decline; nobody is asked
)

// String is the outcome's spelling in policy files and JSON; an unknown outcome is decline.
func (o Outcome) String() string {
	switch o {
	case Accept:
		return "accept"
	case Review:
		return "review"
	case Ask:
		return "ask"
	case Cancel:
		return "cancel"
	}
	return "decline"
}

func parseOutcome(s string) (Outcome, bool) {
	switch s {
	case "accept":
		return Accept, true
	case "review":
		return Review, true
	case "ask":
		return Ask, true
	case "cancel":
		return Cancel, true
	case "decline":
		return Decline, true
	}
	return 0, false
}

// access says whether the session's tools run inside a sandbox. Strictest wins: sandboxed.
type access uint8

const (
	accessUnsaid access = iota
	accessFull
	accessSandboxed
)

// reviewer says who answers a request tagged as an approval. Strictest wins: the user.
type reviewer uint8

const (
	reviewerUnsaid reviewer = iota
	reviewerAuto
	reviewerUser
)
