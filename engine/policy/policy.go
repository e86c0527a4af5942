// Package policy decides what happens to a request before a person sees it.
//
// A Policy is the file of one layer: ordered rules, and an approval policy for requests that no rule names. A Stack
// holds the layers of one session, from managed down to session. Decide is total: it always returns an outcome and
// every reason for it, without an error and without stopping early. The first layer with an opinion sets the outcome.
// Every layer below can only make it stricter. So a project or a session cannot undo what an administrator or the user
// decided.
//
// Approval policies do what Codex does with MCP elicitations (granular flags, reviewer, full access).
// docs/reference/policy.md describes the whole semantics.
package policy

import "github.com/elicit-engine/elicit/engine/elicit"

// Policy is the compiled policy file of one layer. It is immutable and safe to share, and does not alias the document.
// Every Policy that Parse returns can be used, even if Parse reported problems: a part that could not be read fails
// closed.
type Policy struct {
	layer           Layer
	approvalPolicy  approvalPolicy
	approvalArgs    []elicit.Arg // the approval policy's name, an argument of each of its reasons
	access          access
	reviewer        reviewer
	findings        int                // lowest Severity.Rank that declines; 0 when the layer does not set it
	grants          Grants             // 0 when the layer does not set it
	suggestions     Suggestions        // 0 when the layer does not set it
	secrets         Secrets            // 0 when the layer does not set it
	ownSurface      int                // lowest Severity.Rank that the host shows itself; 0 for none
	withhold        []withheld         // fields whose values are never kept
	unknown         unknownFacts       // 0 when the layer does not set it
	guardianFailure GuardianFailure    // 0 when the layer does not set it
	assumeLate      bool               // assume that a server asks about calls that it has answered
	quiet           *quiet             // nil when the layer has no quiet hours
	servers         map[string]*server // by the exact name; nil when none is named
	rules           []rule
	// unreadable policies decline everything, because no one knows what they were meant to forbid.
	unreadable bool
}

// Layer returns the layer that the policy was parsed for.
func (p *Policy) Layer() Layer { return p.layer }

// Outcome is what to do with a request, in order of strictness. The zero value is no outcome. Treat it, and every
// unknown value, as Decline.
type Outcome uint8

// These are the outcomes from the loosest to the strictest.
const (
	Accept  Outcome = iota + 1 // answer accept, with defaults as the only content; no one is asked
	Review                     // a reviewer answers instead of the person
	Ask                        // show the request to the person
	Cancel                     // answer cancel; no one is asked
	Decline                    // answer decline; no one is asked
)

// String returns the spelling in policy files and JSON. An unknown outcome is "decline".
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

// access says whether the session's tools run in a sandbox. The strictest value, sandboxed, wins.
type access uint8

const (
	accessUnsaid access = iota
	accessFull
	accessSandboxed
)

// reviewer says who answers a request tagged as an approval. The strictest value, the user, wins.
type reviewer uint8

const (
	reviewerUnsaid reviewer = iota
	reviewerAuto
	reviewerUser
)
