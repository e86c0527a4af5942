package policy

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// These are the reason codes of rules and layers. The approval policy table has the codes of approval policies.
const (
	codeMatched       = "rule_matched"
	codeShadowed      = "rule_shadowed"
	codeBroken        = "rule_broken"
	codePossible      = "rule_possible"
	codeToolUncertain = "tool_uncertain"
	codeToolUnknown   = "tool_unknown"
	codeNeedsData     = "accept_needs_data"
	codeCannotAccept  = "layer_cannot_accept"
	codeCannotReview  = "layer_cannot_review"
	codeCannotLoosen  = "cannot_loosen"
	codeUnreadable    = "policy_unreadable"
	codeFinding       = "finding_declined"
	codeGranted       = "granted"
	codeQuiet         = "quiet_hours"
	codeExcepted      = "rule_excepted"
	codeResembled     = "rule_resembled"
	codeApprovalsGive = "approvals_give"
	codeApprovalsAsk  = "approvals_ask"
	codeHasty         = "hasty"

	codeUnknownAsks     = "unknown_asks"
	codeUnknownDeclines = "unknown_declines"

	codeSelfProtection = "self_protection"
	codeMattered       = "layer_mattered"
)

// ReasonCodes lists every reason code of this package, for describe and for the test that each code has English.
func ReasonCodes() []string {
	codes := []string{codeMatched, codeShadowed, codeBroken, codePossible, codeToolUncertain, codeToolUnknown,
		codeNeedsData, codeCannotAccept, codeCannotReview, codeCannotLoosen, codeUnreadable, codeFinding,
		codeGranted, codeQuiet, codeExcepted, codeResembled, codeApprovalsGive, codeApprovalsAsk, codeHasty,
		codeUnknownAsks, codeUnknownDeclines, codeSelfProtection, codeMattered}
	for _, c := range []cell{asks, reviews, strict, never, refused, flagOff, unreadable, accepts, shown, malformed,
		suggestion, unknown} {
		codes = append(codes, c.code)
	}
	return codes
}

// approvalCodes are the reason codes of a decision in which no rule has a say: an approval policy decides, or what
// follows from it. Any other code counts as a rule's.
var approvalCodes = []string{asks.code, reviews.code, strict.code, never.code, refused.code, flagOff.code, accepts.code,
	shown.code, codeExcepted, codeShadowed, codeNeedsData, codeCannotAccept, codeCannotReview, codeCannotLoosen, codeQuiet,
	codeApprovalsGive, codeMattered, "no_reviewer", "muted", "guardian_passed", "guardian_allowed", "guardian_audit"}

// Ruled reports whether something that somebody wrote for such a request wants it stopped or asked about: a rule, a
// setting of a server or tool, a guardian, a finding. Without one, only approval policies have decided. Hosts use it to
// leave a question to the agent's own prompt if no one has written anything about it. A code that this list does not
// have counts as a rule's, so a new code errs on the side of asking.
func Ruled(reasons []elicit.Reason) bool {
	return slices.ContainsFunc(reasons, func(r elicit.Reason) bool {
		switch r.Code {
		case codeMatched, codeResembled, codePossible, codeBroken:
			return !slices.Contains(r.Args, elicit.Str("then", Accept.String()))
		case codeApprovalsAsk:
			return !slices.Contains(r.Args, elicit.Str("approvals", "auto"))
		}
		return !slices.Contains(approvalCodes, r.Code)
	})
}

// Explain renders a decision with one line for each reason, in order. say turns a reason into a sentence
// (english.Reason). A determining line starts with "* ", any other with two spaces.
func Explain(d Decision, say func(elicit.Reason) string) []string {
	lines := make([]string, len(d.Reasons))
	for i, r := range d.Reasons {
		lines[i] = "  " + say(r)
	}
	for _, i := range d.Determining {
		lines[i] = "*" + lines[i][1:]
	}
	return lines
}
