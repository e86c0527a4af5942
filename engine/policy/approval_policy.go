package policy

// approvalPolicy is how a layer treats requests that none of its rules names.
type approvalPolicy uint8

const (
	policyUnsaid approvalPolicy = iota
	policyUntrusted
	policyOnRequest
	policyOnFailure // gone from the Codex protocol; Codex configuration still accepts it, as on-request
	policyNever
	policyGranular   // granular, mcp_elicitations true
	policyGranularNo // granular, mcp_elicitations false: auto-reject, never auto-accept
	policyUnreadable // an approval policy that this engine cannot read: never, without any exception
)

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

// column is an approval policy with known access and reviewer.
type column uint8

const (
	colUnsaid column = iota
	colUntrusted
	colPrompt
	colReviewed
	colRefused
	colNever
	colNeverFull
	colUnreadable
	columnCount
)

func (m approvalPolicy) column(s setting) column {
	switch m {
	case policyUnsaid:
		return colUnsaid
	case policyUntrusted:
		return colUntrusted
	case policyOnRequest, policyOnFailure, policyGranular:
		if s.reviewer == reviewerAuto {
			return colReviewed
		}
		return colPrompt
	case policyGranularNo:
		return colRefused
	case policyNever:
		if s.access == accessFull {
			return colNeverFull
		}
		return colNever
	}
	return colUnreadable
}

// row is the kind of request that the approval policies distinguish.
type row uint8

const (
	rowForm           row = iota
	rowShownForm          // a form with fields, on a host that shows forms, in a person's own thread
	rowConfirm            // nothing to type
	rowURL                //
	rowApproval           // nothing to type, tagged as a tool approval
	rowMalformedEmpty     // wrongly tagged as an approval; nothing to type
	rowMalformed          // wrongly tagged as an approval, with fields or a URL
	rowSuggestion         // no server may make one
	rowUnknown            // an answer mode or a deed that this engine does not know
	rowCount
)

// refused reports rows that are declined whatever any layer says.
func (r row) refused() bool { return r == rowSuggestion || r == rowUnknown }

// cell is the outcome of an approval policy for a kind of request, with its reason code.
type cell struct {
	outcome Outcome
	code    string
}

var (
	asks       = cell{Ask, "approval_policy_asks"}
	reviews    = cell{Review, "approval_policy_reviews"}
	strict     = cell{Review, "strict_review"}
	never      = cell{Decline, "approval_policy_never"}
	refused    = cell{Decline, "granular_off"}
	unreadable = cell{Decline, "approval_policy_unreadable"}
	accepts    = cell{Accept, "full_access_accepts"}
	shown      = cell{Ask, "host_shows_forms"}
	malformed  = cell{Decline, "claim_malformed"}
	suggestion = cell{Decline, "suggestion_refused"}
	unknown    = cell{Decline, "unknown_kind"}
)

// table has the Codex semantics for MCP elicitations (reference: the decision order of Codex 0.169, `AskForApproval`).
// The columns are unset, untrusted, prompt, reviewed, granular off, never, never with full access, unreadable.
var table = [rowCount][columnCount]cell{
	rowForm:           {{}, asks, asks, asks, refused, never, never, unreadable},
	rowShownForm:      {{}, asks, asks, asks, refused, never, shown, unreadable},
	rowConfirm:        {{}, asks, asks, asks, refused, never, accepts, unreadable},
	rowURL:            {{}, asks, asks, asks, refused, never, never, unreadable},
	rowApproval:       {{}, asks, asks, reviews, refused, never, accepts, unreadable},
	rowMalformedEmpty: {{}, asks, asks, malformed, refused, never, accepts, unreadable},
	rowMalformed:      {{}, asks, asks, malformed, refused, never, never, unreadable},
	rowSuggestion:     {{}, suggestion, suggestion, suggestion, suggestion, suggestion, suggestion, suggestion},
	rowUnknown:        {{}, unknown, unknown, unknown, unknown, unknown, unknown, unknown},
}

// opinion returns the stricter of the two readings of the layer's approval policy; see ranked.
func (c columns) opinion(r row, strictReview bool) cell {
	above, all := c.above.at(r, strictReview), c.all.at(r, strictReview)
	if all.outcome > above.outcome {
		return all
	}
	return above
}

// besideAccept returns the opinion when a rule above has accepted. The approval policies never and granular off only
// forbid asking. An accept asks no one, so it stands if a reading says no more than that.
func (c columns) besideAccept(r row, strictReview bool) (opinion cell, stands bool) {
	above, all := c.above.at(r, strictReview), c.all.at(r, strictReview)
	if !above.asksNobody() {
		return above, false
	}
	return all, all.asksNobody()
}

func (c cell) asksNobody() bool { return c == never || c == refused || c == accepts }

func (c column) at(r row, strictReview bool) cell {
	// Every approval policy that could be read honours a strict review, also never and granular off.
	if strictReview && c != colUnsaid && c != colUnreadable && !r.refused() {
		return strict
	}
	return table[r][c]
}

// forbids returns the cell that says why the column lets no one be asked. Its outcome is 0 when the column allows it.
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
