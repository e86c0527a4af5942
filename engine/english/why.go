package english

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// Why returns a reason as a sentence for the person who is asked, or whose request ended. It names no layer and no
// setting. Reason has these, for authors of policies. The rule's own words come as a last sentence. A code without any
// template is returned as it is.
func Why(r elicit.Reason) string {
	args := r.Args
	if r.Rule != "" {
		args = append([]elicit.Arg{elicit.Str("rule", r.Rule)}, args...)
	}
	var line string
	switch template, setting := whys[r.Code], settingWhys[r.Code]; {
	// A person without any policy should not read of one.
	case r.Code == "approval_policy_asks" && (r.Layer == "builtin" || r.Layer == ""):
		line = "you have no rule for this, so Elicit asks"
	// {then} is an outcome, such as decline. In this sentence it becomes what the rule does: "declines this".
	case strings.HasPrefix(r.Code, "rule_") && template != "":
		line = ownersOf(r.Layer) + " rule " + render(r.Code, strings.Replace(template, "{then}", deedOf(r.Args), 1), args)
	case setting != "":
		line = ownersOf(r.Layer) + " policy " + render(r.Code, setting, args)
	case template != "":
		line = render(r.Code, template, args)
	case reasons[r.Code] != "":
		line = render(r.Code, reasons[r.Code], args)
	default:
		return r.Code
	}
	line = strings.ToUpper(line[:1]) + withDetails(line[1:], r.Args, false) + "."
	for _, a := range r.Args {
		if a.Name == "why" {
			line += " " + ended(text(a))
		}
	}
	return line
}

// ended returns the words of a rule's author as a whole sentence, because another one may follow. A last byte beyond
// ASCII may be a full stop of another script, so nothing is added then.
func ended(words string) string {
	if words == "" || strings.ContainsAny(words[len(words)-1:], ".!?:;") || words[len(words)-1] >= 0x80 {
		return words
	}
	return words + "."
}

// ownersOf names whose a rule or a policy is.
func ownersOf(layer string) string {
	switch layer {
	case "managed":
		return "your administrator's"
	case "user":
		return "your"
	case "project":
		return "the project's"
	case "session":
		return "this session's"
	}
	return "Elicit's own"
}

// deedOf says what a rule does, by its argument then. An outcome that this version does not know becomes
// "decides this".
func deedOf(args []elicit.Arg) string {
	for _, a := range args {
		if a.Name != "then" {
			continue
		}
		switch then := text(a); then {
		case "ask":
			return "asks about this"
		case "review":
			return "sends this to a reviewer"
		case "accept", "decline", "cancel":
			return then + "s this"
		}
	}
	return "decides this"
}

// whys are the sentences for a person where those of reasons are for authors. One of a rule follows the words "your
// rule".
var whys = map[string]string{
	"rule_matched":      "{rule} {then}",
	"rule_shadowed":     "{rule} {then} too, but an earlier rule decides",
	"rule_resembled":    "{rule} {then}, because its text can be read in another way",
	"rule_excepted":     "{rule} would apply, but its exception holds too",
	"rule_broken":       "{rule} could not be read whole, so it may apply too often",
	"rule_possible":     "{rule} may apply, because Elicit does not know everything[ (the {unknown})]",
	"unknown_asks":      "a rule may be meant for another request, so you decide",
	"self_protection":   "this may change, end or go around what asks you ({what}: {name})",
	"approvals_give":    "you let this tool go without being asked",
	"approvals_ask":     "you want to be asked about this tool",
	"tool_uncertain":    "several calls are open, and Elicit cannot tell which one asks",
	"tool_unknown":      "Elicit cannot tell which call asks",
	"accept_needs_data": "a rule would accept this, but only you can fill it in",
	"cannot_loosen":     "a stricter policy stands above this one",
	"granted":           "you agreed to this question before",
	"hasty":             "you accepted the last {answers} questions very fast, so Elicit takes more care with this one",
	"quiet_hours":       "these are quiet hours, in which Elicit asks nobody",
	"muted":             "you muted this server",
	"remember_lowered":  "your answer holds for a shorter time than you chose",
	"claim_malformed":   "this says that it is a tool approval, and is none",
	"scripted_answer":   "a file of prepared answers gave the answer",
}

// settingWhys are the sentences of settings. Each follows the words "your policy".
var settingWhys = map[string]string{
	"approval_policy_asks":       "wants you to be asked",
	"approval_policy_reviews":    "sends tool approvals to a reviewer",
	"approval_policy_never":      "lets nobody be asked",
	"approval_policy_unreadable": "cannot be read, so everything is declined",
	"policy_unreadable":          "cannot be read, so everything is declined",
	"granular_off":               "lets nobody be asked",
	"granular_flag_off":          "lets nobody be asked about this",
	"full_access_accepts":        "accepts what needs no data from you",
	"finding_declined":           "declines what Elicit found in this",
	"layer_cannot_accept":        "may not accept for you, so Elicit asks",
	"layer_cannot_review":        "may not name a reviewer, so Elicit asks",
	"host_shows_forms":           "leaves forms to the agent, which shows them to you",
	"layer_mattered":             "changes what another policy says",
	"unknown_declines":           "declines what only may match",
}
