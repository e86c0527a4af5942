package english

import "github.com/elicit-engine/elicit/engine/elicit"

var reasons = map[string]string{
	// engine/policy
	"rule_matched":   "it matches and says {then}",
	"rule_shadowed":  "it matches and says {then}, but an earlier rule of this layer decides",
	"rule_resembled": "it matches what a person reads here, though not letter by letter, and says {then}",
	"rule_excepted":  "it matches and would say {then}, but its unless holds too",
	"approvals_give": "approvals {approvals} give this tool's approval without asking",
	"approvals_ask":  "approvals {approvals} leave this tool's approval to somebody",
	"rule_broken":    "it could not be read whole, so it may match too much; it can only tighten, and says {then}",
	"rule_possible":  "it may match, since the tool is not known; it can only tighten, and says {then}",
	"tool_uncertain": "the question may belong to {candidates} calls; this is decided as for tool \"{tool}\", the " +
		"strictest",
	"tool_unknown":               "the question may belong to a call that nobody listed; this is decided as for any tool",
	"accept_needs_data":          "accepting would need data from a person, so it asks",
	"layer_cannot_accept":        "only managed and user policies may accept, so it asks",
	"layer_cannot_review":        "no reviewer may answer for this layer, so it asks",
	"cannot_loosen":              "it wants {wanted}, but a layer above it stands at {stands}",
	"policy_unreadable":          "this policy cannot be read, so everything is declined",
	"finding_declined":           "finding {finding} is {severity}, which this policy declines",
	"granted":                    "you agreed to this question before (grant {grant})",
	"quiet_hours":                "these are quiet hours, in which nobody is asked",
	"approval_policy_asks":       "approval policy {approval_policy} asks the person",
	"approval_policy_reviews":    "approval policy {approval_policy} sends tool approvals to the reviewer",
	"strict_review":              "the server asked for a strict review, so a reviewer decides",
	"approval_policy_never":      "approval policy {approval_policy} forbids to ask anybody",
	"granular_off":               "mcp_elicitations is false, so nobody may be asked",
	"approval_policy_unreadable": "the approval policy {approval_policy} is not known, so everything is declined",
	"full_access_accepts":        "approval policy {approval_policy} with full access accepts what needs no data",
	"host_shows_forms":           "the host shows forms to the person even under approval policy {approval_policy}",
	"claim_malformed":            "it claims to be a tool approval but is not one, so it is declined without review",
	"suggestion_refused":         "a server may not suggest tools to install",
	"unknown_kind":               "this kind of request is not known here",

	// engine
	"muted":            "this server has been muted for the session",
	"remember_lowered": "this answer was to be remembered as {wanted}, but holds as {kept}",
	"joined":           "the same question was open already, and its answer holds for this one too",
	"secret_confirmed": "the person was told of the secret in the answer, and sent it",
	"secret_noted":     "policy lets answers with a secret in them pass",
	"secret_unsent":    "the answer held what looks like a secret, and nobody could be asked whether to send it",
	"answer_invalid":   "the answer did not fit the form, and nobody could be asked again",
	"no_reviewer":      "no reviewer is at hand, so a person is asked",

	// engine, engine/guardian: guardians and reviewers
	"guardian_passed": "guardian {guardian} has nothing against the {of}",
	"guardian_allowed": "guardian {guardian} allows the {of}, which for others than reviewers is to have nothing " +
		"against it",
	"guardian_asked":          "guardian {guardian} wants a person's word: {because}",
	"guardian_denied":         "guardian {guardian} denies it: {because}",
	"guardian_fault":          "guardian {guardian} gave no verdict ({fault}), which counts as {counts_as}",
	"guardian_audit":          "guardian {guardian}, which is only listened to, said {said} of the {of}",
	"guardian_confirmed":      "the answer was confirmed for a guardian that asked for it",
	"guardian_redacted":       "{field} was taken out of the answer for a guardian",
	"second_person_approved":  "{principal} approved for guardian {guardian}",
	"second_person_refused":   "{principal} refused to approve for guardian {guardian}",
	"second_person_undecided": "{principal} neither approved nor refused for guardian {guardian} ({problem})",
	"second_person_missing":   "nobody else approved for guardian {guardian} ({fault})",
	"review_needs_person":     "a reviewer answers approvals only, nothing that is typed or visited, so a person is asked",
	"reviews_stopped":         "reviewers have denied too much in this session, so a person is asked",
	"reviewer_allowed":        "reviewer {guardian} allows it ({risk} risk): {because}",
	"reviewer_beyond": "reviewer {guardian} allows it, but {risk} risk with {authorization} authorization is " +
		"beyond what a reviewer may allow",
	"reviewer_asked":     "reviewer {guardian} leaves it to a person: {because}",
	"reviewer_denied":    "reviewer {guardian} denies it ({risk} risk): {because}",
	"reviewer_failed":    "reviewer {guardian} gave no usable answer ({fault}); that says nothing about the risk",
	"reviewer_timed_out": "reviewer {guardian} did not answer in time; that says nothing about the risk",
	"scripted_answer":    "answered from a file of prepared answers; nobody was asked",
}

var causes = map[elicit.Cause]string{
	elicit.ByUser:           "the person decided",
	elicit.ByPolicy:         "policy decided; nobody was asked",
	elicit.ByGuardian:       "a guardian decided",
	elicit.ByRateLimit:      "too many requests from this server; nobody was asked",
	elicit.ByInvalidRequest: "the request was not valid; nobody was asked",
	elicit.ByUnsupported:    "this mode was not declared; nobody was asked",
	elicit.ByTimeout:        "nobody answered in time",
	elicit.BySuperseded:     "a newer request took its place",
	elicit.ByPeerCancelled:  "the server withdrew the request",
	elicit.ByCallEnded:      "the call it belonged to is over",
	elicit.BySessionClosed:  "the session closed while it was open",
	elicit.ByNoUI:           "there was nobody to show it to",
	elicit.ByDuplicate:      "the same request was already open",
	elicit.ByShutdown:       "the host shut down while it was open",
}
