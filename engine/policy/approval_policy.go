package policy

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// approvalPolicy is how a layer treats requests that none of its rules names. The low values are words of a file.
// Granular is one bit with five more for its flags, so one byte holds a whole approval policy and two of them are
// compared by "==".
type approvalPolicy uint8

const (
	policyUnsaid approvalPolicy = iota
	policyUntrusted
	policyOnRequest
	policyOnFailure // gone from the Codex protocol; Codex configuration still accepts it, as on-request
	policyNever
	policyUnreadable // an approval policy that this engine cannot read: never, without any exception

	// policyGranular has a flag below it for each kind of prompt that may be shown. A flag that is off rejects. It never
	// approves.
	policyGranular      approvalPolicy = 1 << 7
	flagElicitations    approvalPolicy = 1 << 0
	flagSandboxApproval approvalPolicy = 1 << 1
	flagRules           approvalPolicy = 1 << 2
	flagSkillApproval   approvalPolicy = 1 << 3 // no protocol asks for a skill yet
	flagPermissions     approvalPolicy = 1 << 4
)

// granularFlags has the flag of each member of granular.
var granularFlags = map[string]approvalPolicy{"mcp_elicitations": flagElicitations,
	"sandbox_approval": flagSandboxApproval, flagOfRules: flagRules, "skill_approval": flagSkillApproval,
	"request_permissions": flagPermissions}

// flagOfRules is the flag for questions that a rule asks. Flags of rows come in addition: a rule needs its own flag,
// and the approval policy needs the flag of the row.
const flagOfRules = "rules"

// shows reports whether the approval policy lets a prompt for the row be shown, as far as its flags say. For example,
// granular with mcp_elicitations false refuses a form, and shows a command if sandbox_approval is true.
func (m approvalPolicy) shows(r row) bool {
	return m&policyGranular == 0 || r.flag() == 0 || m&r.flag() != 0
}

// showsRules reports whether a prompt may be shown because a rule asks for it.
func (m approvalPolicy) showsRules(r row) bool {
	return m&policyGranular == 0 || !r.deed() || m&flagRules != 0
}

// parseApprovalPolicy reads the words. Any other word gives policyUnreadable, which lets no one be asked.
func parseApprovalPolicy(s string) (approvalPolicy, bool) {
	switch s {
	case "untrusted":
		return policyUntrusted, true
	case "on-request":
		return policyOnRequest, true
	case "on-failure":
		return policyOnFailure, true
	case "never":
		return policyNever, true
	}
	return policyUnreadable, false
}

// column is an approval policy with known access and reviewer. A column folds the approval policy and two settings into
// one index, so table needs no code. colUnsaid has empty cells: a layer without an approval policy has no opinion.
type column uint8

const (
	// A column of reviewers has "reviewed" in its name, and one of full access "full".
	colUnsaid column = iota
	colUntrusted
	colPrompt
	colPromptFull
	colReviewed
	colReviewedFull
	colRefused
	colNever
	colNeverFull
	colUnreadable
	columnCount
)

// The order of the cases matters. Never and unreadable come before the flags, because they have none. Granular has no
// column for full access: Codex asks for it as in the sandbox.
func (m approvalPolicy) column(s setting, r row) column {
	switch {
	case m == policyUnsaid:
		return colUnsaid
	case m == policyUntrusted:
		return colUntrusted
	case m == policyNever && s.access == accessFull:
		return colNeverFull
	case m == policyNever:
		return colNever
	case m == policyUnreadable:
		return colUnreadable
	// The flag of the row is off, so the prompt is refused whatever access and reviewer are.
	case !m.shows(r):
		return colRefused
	case s.access == accessFull && m&policyGranular == 0 && s.reviewer == reviewerAuto:
		return colReviewedFull
	case s.access == accessFull && m&policyGranular == 0:
		return colPromptFull
	case s.reviewer == reviewerAuto:
		return colReviewed
	}
	return colPrompt
}

// row is the kind of request that the approval policies distinguish. Rows from rowTool to rowPermissions are deeds of
// an agent, which deed relies on. The rows before them are elicitations of MCP servers.
type row uint8

const (
	rowForm row = iota
	// Codex lets such a host show forms even under never, if tools have full access. All other forms are declined
	// there.
	rowShownForm      // a form with fields, on a host that shows forms, in a person's own thread
	rowConfirm        // nothing to type
	rowURL            //
	rowApproval       // nothing to type, tagged as a tool approval
	rowMalformedEmpty // wrongly tagged as an approval; nothing to type
	rowMalformed      // wrongly tagged as an approval, with fields or a URL
	rowTool           // an agent asks whether it may call a tool
	rowCommand        // an agent asks whether it may run a command
	rowUnboxed        // the same, outside of its sandbox
	rowPatch          // an agent asks whether it may change files
	rowDangerous      // a command or patch in which the inspection found a danger
	rowPermissions    // an agent asks for more access
	rowSuggestion     // no server may make one
	rowUnknown        // an answer mode or a deed that this engine does not know
	rowCount
)

// refused reports rows that are declined whatever any layer says.
func (r row) refused() bool { return r == rowSuggestion || r == rowUnknown }

// deed reports rows in which an agent asks about a deed.
func (r row) deed() bool { return r >= rowTool && r <= rowPermissions }

// approval reports rows in which a yes needs no data and lets a program act.
func (r row) approval() bool { return r == rowApproval || r.deed() }

// flag is the granular flag that lets prompts of the row be shown. It is 0 for a tool: Codex 0.169 asks for those in
// every granular policy.
func (r row) flag() approvalPolicy {
	switch r {
	case rowTool:
		return 0
	case rowCommand, rowUnboxed, rowPatch, rowDangerous:
		return flagSandboxApproval
	case rowPermissions:
		return flagPermissions
	}
	return flagElicitations
}

// flagArgs are the arguments of the reason that the named flag is off.
func flagArgs(approval []elicit.Arg, flag string) []elicit.Arg {
	return append(slices.Clip(approval), elicit.Str("flag", flag))
}

// flagName is the name of the flag of the row in granular.
func (r row) flagName() string {
	if r.flag() == flagPermissions {
		return "request_permissions"
	}
	return "sandbox_approval"
}

// cell is the outcome of an approval policy for a kind of request, with its reason code. The zero cell is no opinion.
// Cells are compared as values, and their codes are those of reasons.
type cell struct {
	outcome Outcome
	code    string
}

var (
	// A code is part of the contract: hosts and journals have it, so it never changes its meaning.
	asks       = cell{Ask, "approval_policy_asks"}
	reviews    = cell{Review, "approval_policy_reviews"}
	strict     = cell{Review, "strict_review"}
	never      = cell{Decline, "approval_policy_never"}
	refused    = cell{Decline, "granular_off"}
	flagOff    = cell{Decline, "granular_flag_off"}
	unreadable = cell{Decline, "approval_policy_unreadable"}
	accepts    = cell{Accept, "full_access_accepts"}
	shown      = cell{Ask, "host_shows_forms"}
	malformed  = cell{Decline, "claim_malformed"}
	suggestion = cell{Decline, "suggestion_refused"}
	unknown    = cell{Decline, "unknown_kind"}
)

// table has the Codex semantics (reference: the decision order of Codex 0.169, `AskForApproval`).
// docs/reference/policy.md says which cells are ours. The columns are unset, untrusted, prompt, prompt with full
// access, reviewed, reviewed with full access, granular off, never, never with full access, unreadable. Three cells
// need a reason. A malformed approval declines under a reviewer, as in Codex. rowUnboxed and rowDangerous decline under
// never with full access, although a plain command is accepted there. A form with fields is never accepted: accepting
// would need data that no one has typed.
var table = [rowCount][columnCount]cell{
	rowForm:           {{}, asks, asks, asks, asks, asks, refused, never, never, unreadable},
	rowShownForm:      {{}, asks, asks, asks, asks, asks, refused, never, shown, unreadable},
	rowConfirm:        {{}, asks, asks, asks, asks, asks, refused, never, accepts, unreadable},
	rowURL:            {{}, asks, asks, asks, asks, asks, refused, never, never, unreadable},
	rowApproval:       {{}, asks, asks, asks, reviews, reviews, refused, never, accepts, unreadable},
	rowMalformedEmpty: {{}, asks, asks, asks, malformed, malformed, refused, never, accepts, unreadable},
	rowMalformed:      {{}, asks, asks, asks, malformed, malformed, refused, never, never, unreadable},
	rowTool:           {{}, asks, asks, asks, reviews, reviews, flagOff, never, accepts, unreadable},
	rowCommand:        {{}, asks, asks, accepts, reviews, accepts, flagOff, never, accepts, unreadable},
	rowUnboxed:        {{}, asks, asks, accepts, reviews, accepts, flagOff, never, never, unreadable},
	rowPatch:          {{}, asks, asks, accepts, reviews, accepts, flagOff, never, accepts, unreadable},
	rowDangerous:      {{}, asks, asks, asks, reviews, reviews, flagOff, never, never, unreadable},
	rowPermissions:    {{}, asks, asks, asks, reviews, reviews, flagOff, never, never, unreadable},
	rowSuggestion: {{}, suggestion, suggestion, suggestion, suggestion, suggestion, suggestion, suggestion, suggestion,
		suggestion},
	rowUnknown: {{}, unknown, unknown, unknown, unknown, unknown, unknown, unknown, unknown, unknown},
}

// opinion returns the stricter of the two readings of the layer's approval policy; see ranked.
func (c columns) opinion(r row, strictReview bool) cell {
	above, all := c.above.at(r, strictReview), c.all.at(r, strictReview)
	if all.outcome > above.outcome {
		return all
	}
	return above
}

// accepted is what an approval policy says when a rule above has accepted.
type accepted struct {
	cell
	stands  bool // the accept stays
	oneAsks bool // the reading with the settings from above asks, and the other leaves the accept
}

// whenAccepted returns the stricter of the two readings when a rule above has accepted. The approval policies never and
// granular off only forbid asking. An accept asks no one, so it stands if no reading says more than that. For example,
// a managed rule accepts a confirmation, and the user's approval policy is never. Nobody has to be asked, so the accept
// stands.
func (c columns) whenAccepted(r row, strictReview bool) accepted {
	above, all := c.above.at(r, strictReview), c.all.at(r, strictReview)
	switch {
	case above.asksNobody():
		return accepted{cell: all, stands: all.asksNobody()}
	// The reading of all layers says that nobody is asked, and the one from above asks. The stricter one is the one
	// that asks.
	case all.asksNobody():
		return accepted{cell: above, oneAsks: above.outcome == Ask || above.outcome == Review}
	case all.outcome > above.outcome:
		return accepted{cell: all}
	}
	return accepted{cell: above}
}

// whenAcceptedInFormat2 is whenAccepted as records of format 2 have it: the reading with the settings from above hid a
// stricter one, and an ask of the one was barred by the other.
func (c columns) whenAcceptedInFormat2(r row, strictReview bool) accepted {
	above, all := c.above.at(r, strictReview), c.all.at(r, strictReview)
	if !above.asksNobody() {
		return accepted{cell: above}
	}
	return accepted{cell: all, stands: all.asksNobody()}
}

// asksNobody reports cells that only say that no one is asked. An accept of a rule above does not contradict them.
func (c cell) asksNobody() bool { return c == never || c == refused || c == flagOff || c == accepts }

// at looks the cell up. It never panics: r and c come from functions that return values of the tables.
func (c column) at(r row, strictReview bool) cell {
	// Every approval policy that could be read honours a strict review, also never and granular off. Codex calls this a
	// strict auto review: the request itself wants a reviewer.
	if strictReview && c != colUnsaid && c != colUnreadable && !r.refused() {
		return strict
	}
	return table[r][c]
}

// forbids returns the cell that says why the column lets no one be asked. Its outcome is 0 when the column allows it.
// The result bars also what other layers ask: with never in one layer, "ask" by a rule of another one declines.
func (c column) forbids() cell {
	switch c {
	case colRefused:
		return refused
	case colNever, colNeverFull:
		return never
	case colUnreadable:
		return unreadable
	}
	return cell{}
}
