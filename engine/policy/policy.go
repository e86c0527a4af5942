// Package policy decides what happens to a request before a person sees it.
//
// A Policy is the file of one layer: ordered rules, and an approval policy for requests that no rule names. A Stack
// holds the layers of one session, from managed down to session. Decide is total: it always returns an outcome and
// every reason for it, without an error and without stopping early. The first layer with an opinion sets the outcome.
// Every layer below can only make it stricter. So a project or a session cannot undo what an administrator or the user
// decided.
//
// # From a file to a decision
//
// Parse turns the JSON of one layer into a Policy. NewStack orders policies and works out the settings that hold for
// all layers. Stack.Decide takes Facts and gives a Decision. Stack.Tighten then adds the findings of an inspection. All
// of these are pure: no clock, no disk, no randomness. Facts.At is the only time, and the host sets it.
//
// The steps of one decision stand in Stack.decide, in this order:
//
//   - apply: each layer from managed down to session gives its opinion. Its first matching rule is that opinion, else
//     its approvals for tools, else its approval policy.
//   - applyBuiltin: the built-in layer decides if no managed or user layer did.
//   - applySelfProtection: a deed against the settings of Elicit or of an agent is asked.
//   - applyGrant: an earlier yes of the person answers what only an approval policy asks. It is the only step that
//     loosens.
//   - applyQuiet: in quiet hours, a question becomes a cancel or a decline.
//
// Three invariants hold between the steps. The outcome only rises, except in applyGrant. Decision.Determining names
// reasons that stand in Decision.Reasons. And a part of a file that could not be read never makes a decision looser
// than the part would have made it: rules become broken, exceptions fall away, settings take their strictest value.
//
// # Three ways to match
//
// A rule that accepts and a rule that tightens read the same criterion in opposite ways, so that doubt never accepts:
//
//	{"command": "git *"} and the line "git log > x"
//	then accept     no match: the line has a redirection
//	then decline    a match in a part (rule_resembled): it tightens, and hides no rule after it
//	{"path": "/srv/*"} and a list of paths that is cut
//	then accept     no match
//	then decline    may match (rule_possible): a person is asked
//
// matches in rule.go returns which of these holds. holds, resembles (ambiguous.go) and mayHold (unknown.go) answer for
// one criterion, and each subject has its own file: command.go, impacts.go, reach.go (paths and hosts), host.go,
// labels.go.
//
// # Reading order
//
// policy.go, rule.go, layer.go, decide.go and approval_policy.go are the core. parse.go, rule_parse.go, server.go and
// grammar.go read files. facts.go is the input. ambiguous.go, unknown.go and hasty.go decide when facts are open.
// assume.go serves package compare alone.
// Approval policies do what Codex does with MCP elicitations (granular flags, reviewer, full access).
// docs/reference/policy.md describes the whole semantics.
package policy

import "github.com/elicit-engine/elicit/engine/elicit"

// Policy is the compiled policy file of one layer. It is immutable and safe to share, and does not alias the document.
// Every Policy that Parse returns can be used, even if Parse reported problems: a part that could not be read fails
// closed. A setting with the zero value is one that the layer does not set, which differs from a setting with its
// default: a lower layer may set what this one leaves open. The values of a setting that could not be read are the
// strictest ones.
type Policy struct {
	layer          Layer
	approvalPolicy approvalPolicy
	approvalArgs   []elicit.Arg // the approval policy's name, an argument of each of its reasons
	// access and reviewer change only what the words never and on-request mean. See settings in layer.go.
	access   access
	reviewer reviewer
	// The limits below are joined over all layers by add and addLimits.
	findings        int             // lowest Severity.Rank that declines; 0 when the layer does not set it
	grants          Grants          // 0 when the layer does not set it
	suggestions     Suggestions     // 0 when the layer does not set it
	secrets         Secrets         // 0 when the layer does not set it
	ownSurface      int             // lowest Severity.Rank that the host shows itself; 0 for none
	withhold        []withheld      // fields whose values are never kept
	unknown         unknownFacts    // 0 when the layer does not set it
	guardianFailure GuardianFailure // 0 when the layer does not set it
	assumeLate      bool            // assume that a server asks about calls that it has answered
	quiet           *quiet          // nil when the layer has no quiet hours
	// A server that is not named has the approval policy of the file and no trust.
	servers map[string]*server // by the exact name; nil when none is named
	rules   []rule
	// An unreadable policy declines everything, because no one knows what it was meant to forbid. It is a file that is no
	// JSON object, or that has another version. Any other fault spoils a part only.
	unreadable bool
}

// Layer returns the layer that the policy was parsed for.
func (p *Policy) Layer() Layer { return p.layer }

// Outcome is what to do with a request, in order of strictness. The zero value is no outcome. Treat it, and every
// unknown value, as Decline. The order matters: layers are joined by the maximum. Cancel stands below Decline because a
// server may ask again after a cancel, and takes a decline for a no (MCP 2025-11-25, Elicitation, Response Actions).
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

// access says whether the session's tools run in a sandbox. The strictest value, sandboxed, wins. Unset is the smallest
// value, so that max joins two layers. The same holds for reviewer.
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
