package house

// silentArguments are the arguments of codes that their sentences leave out, because they are figures for programs.
// TestCodesNameTheirArguments compares them with the vectors.
var silentArguments = map[string][]string{
	"claim_malformed":       {"approval_policy"},
	"command_destructive":   {"count"},
	"command_exfiltrates":   {"count"},
	"command_obfuscated":    {"count"},
	"command_pipe_to_shell": {"count"},
	"granular_flag_off":     {"approval_policy"},
	"granular_off":          {"approval_policy"},
	"guardian_allowed":      {"digest"},
	"guardian_asked":        {"digest", "of"},
	"guardian_audit":        {"because", "digest"},
	"guardian_denied":       {"digest", "fuel", "of"},
	"guardian_fault":        {"at", "digest", "fuel", "of", "problem"},
	"guardian_finding":      {"code"},
	"guardian_passed":       {"because", "digest", "fuel"},
	"guardian_redaction":    {"guardian"},
	"journal_cut":           {"line"},
	"journal_edited":        {"line"},
	"journal_gap":           {"line"},
	"journal_unchained":     {"line"},
	"journal_unreadable":    {"line"},
	"journal_version":       {"line"},
	"output_or_fault":       {"round"},
	"quiet_hours":           {"from", "offset", "to"},
	"ref_in_use":            {"ref"},
	"reviewer_allowed":      {"authorization"},
	"reviewer_asked":        {"authorization", "risk"},
	"reviewer_beyond":       {"because"},
	"reviewer_denied":       {"authorization"},
	"rule_matched":          {"why"},
	"same_principal":        {"round"},
	"secret_in_answer":      {"count"},
	"secret_refused":        {"count"},
	"secret_unconfirmed":    {"count"},
	"secret_value":          {"count"},
	"server_lookalike":      {"how"},
	"strict_review":         {"approval_policy"},
	"suggestion_refused":    {"approval_policy"},
	"text_long":             {"limit"},
	"text_destructive":      {"count"},
	"text_pressure":         {"count"},
	"unknown_event":         {"event", "record"},
	"unknown_request":       {"round"},
	"url_bidi":              {"count"},
	"url_known_lookalike":   {"how"},
	"url_non_ascii_host":    {"ascii"},
}

// The sentences of docs/codes.md between its tables. An apostrophe stands for a backquote.

const codesIntro = `# Codes

This page is generated from the tables of 'engine/english'. Change those, then run
'go test ./internal/house -run TestCodesAreFresh -update'.

A code is a word that programs compare. One code has one meaning and one spelling, whichever package
or interface tells of it. Codes are the contract. Sentences may change with any release, and a
program must never parse them. 'describe' lists the codes of the engine at hand, and 'explain'
turns codes into sentences ([abi.md](abi.md)).

In the column "meaning", a name in braces stands for the argument of that name. A part in square
brackets is left out when its argument was not given. Where an argument is listed and the sentence
does not use it, it is a figure for programs.

A guardian may add codes of its own to findings. Its manifest lists them.
`

const codesProblems = `A problem says that an input is wrong: '{"code","pointer","start"?,"end"?,"args"?}'. The pointer
([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)) names the value that is wrong, in the document
that was given. For 'missing', it names the member that is not there.
`

const codesReasons = `A reason says why a decision fell as it did. Reasons come with every decision
([policy.md](policy.md)).
`

const codesFindings = `A finding is something that a person or a policy should know about a request before it is
answered. [risk.md](risk.md) lists the severity of each, and when it is found.
`

const codesRemarks = `A remark is advice for the author of a schema, from 'elicit lint' and the operation 'lint'.
[lint.md](lint.md) lists the severity of each. Problems of a schema are remarks too, under their own
codes.
`

const codesCauses = `A cause says who or what settled a request. Every reply has one.
`

const codesFaults = `A fault says why a guardian gave no verdict ([guardians.md](guardians.md)). The engine finds
the last three itself, and a host reports the others.
`

const codesStatuses = `A status says how a call of an interface went ([abi.md](abi.md)). The C library alone has
the last two. The problem 'forked' comes with the status of that name.
`

const codesEnd = `
## Codes of one host

Some hosts have words of their own, which no engine writes.

| code | where | meaning |
|---|---|---|
| 'signal_without_altstack' | 'elicit_selfcheck' in C | a signal handler would run on a small stack |
| 'second_go_runtime' | 'elicit_selfcheck' in C | another library brings a Go runtime too |
| 'incomplete' | '<elicit-form>' | an answer is half typed |
| 'check_failed' | '<elicit-form>' | the answer could not be checked |
| 'unsent' | '<elicit-form>' | the answer could not be sent |
`
