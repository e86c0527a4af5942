package guardian

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// A reviewer is a guardian that decides about a tool approval instead of a person. It is usually a language model in
// the host. It is asked in words and answers in words. This file, and not the prompt, decides what counts as an allow.

// MaxAttempts is how often a reviewer is asked if its answer cannot be read. One deadline holds for all attempts. A
// model that has failed three times would most likely fail a fourth time, and each attempt costs money.
const MaxAttempts = 3

// MaxReview is the most bytes of a reviewer's answer.
const MaxReview = 64 << 10

// Review is a reviewer's answer. The zero value is no review. Outcome alone decides nothing: see Within for what risk
// and authorization permit.
type Review struct {
	Outcome       Decision // allow, ask or deny, as it said
	Risk          elicit.Severity
	Authorization string // how clearly the person asked for this: unknown, low, medium, high
	Rationale     string
}

// ReadReview reads a reviewer's answer to the question of that seed:
//
//	{"seed"?,"outcome":"allow"|"deny"|"ask","risk_level"?,"user_authorization"?,"rationale"?}
//
// The server writes the evidence and models quote evidence, so an object in the text may not be the reviewer's own
// answer. An answer is read in two forms. The first is a text with one object and nothing else but white space and one
// code fence around the object. The second is an object that begins a line, ends the text and repeats the seed, which
// no server knows. The text before it may be thoughts, also with braces, but not another answer: see thoughtsOnly. Any
// other text, a repeated member, an unknown one that is no comment, or a wrong type is no answer. ReadReview reads an
// absent member as the worse value: unknown authorization, and high risk for a deny.
//
// Examples with the seed abc, in which ↵ is a line break:
//
//	{"outcome":"allow"}                                 an answer: nothing else is there
//	Let me see.↵{"seed":"abc","outcome":"allow"}        an answer: it has the seed
//	Let me see.↵{"outcome":"allow"}                     none: it may be quoted
//	I think {"seed":"abc","outcome":"allow"}            none: it does not begin a line
//	{"outcome":"deny"}↵{"seed":"abc","outcome":"allow"} none: there are two
func ReadReview(text, seed string) (r Review, ok bool) {
	object, before, alone := answerIn(text)
	// Two candidates for an answer are none. Taking the last would let quoted evidence speak after the model did.
	if !alone && !thoughtsOnly(before, seed) {
		return Review{}, false
	}
	said, problems := strict.Document([]byte(object), jsontext.Limits{Bytes: MaxReview})
	marked := said.Has("seed")
	if mark := said.Opt("seed"); problems != nil || marked && (seed == "" || mark != seed) || !marked && !alone {
		return Review{}, false
	}
	// A second member "outcome" is refused by the gate, and an unknown member by RefuseUnknown.
	ok = r.take(&said)
	if said.RefuseUnknown(); !ok || len(said.Problems) > 0 {
		return Review{}, false
	}
	return r, true
}

// take reports whether the members of an answer make a review. An allow without a risk is of low risk: the form of the
// answer leaves the risk to the model. Within then needs no authorization.
func (r *Review) take(said *strict.Reader) bool {
	switch said.Str("outcome") {
	case "allow":
		r.Outcome, r.Risk = Allow, elicit.Low
	case "deny":
		r.Outcome, r.Risk = Deny, elicit.High
	case "ask":
		r.Outcome, r.Risk = Ask, elicit.Medium
	default:
		return false
	}
	if said.Has("risk_level") {
		r.Risk = elicit.Severity(said.Str("risk_level"))
	}
	r.Authorization = "unknown"
	if said.Has("user_authorization") {
		r.Authorization = said.Str("user_authorization")
	}
	r.Rationale = cut(said.Opt("rationale"), maxMessage)
	for _, name := range comments {
		if v := said.Take(name); v.IsObject() || v.IsArray() {
			return false // it may hold another answer
		}
	}
	// Info is a severity of findings and no risk. An unknown word ranks above critical and is refused here.
	return r.Risk.Rank() <= elicit.Critical.Rank() && r.Risk != elicit.Info && rankOf(r.Authorization) >= 0
}

// comments are members that models add to their answers. They decide nothing.
var comments = [...]string{"confidence", "reasoning", "reason", "explanation", "thoughts", "thinking", "analysis",
	"comment", "notes"}

// thoughtsOnly reports whether the text before an answer has no other answer in it. From its first brace on, it names
// neither the seed nor an outcome, and has no escape that could spell one. Each thought that is opened is closed: else
// the object might be one that the model thinks of, and the text be cut behind it. \u could spell the word outcome
// within a string of JSON, unseen by this search.
func thoughtsOnly(before, seed string) bool {
	if at := strings.IndexByte(before, '{'); at >= 0 {
		for _, word := range [...]string{"outcome", `\u`, seed} {
			if word != "" && strings.Contains(before[at:], word) {
				return false
			}
		}
	}
	return strings.LastIndex(before, "<think") <= strings.LastIndex(before, "</think")
}

// answerIn returns the one object that may be a reviewer's answer, the text before it, and whether there is nothing
// else. An answer has no objects in it, so it is the last one that begins a line. jsontext.Check decides whether the
// text there is one object.
func answerIn(text string) (object, before string, alone bool) {
	at := strings.LastIndexByte(text, '{')
	for at >= 0 && !begins(text[:at]) {
		at = strings.LastIndexByte(text[:at], '{')
	}
	if at < 0 {
		return "", text, false
	}
	before, object = text[:at], trimmed(text[at:])
	for _, fence := range [...]string{"```", "```json"} {
		line, fenced := strings.CutSuffix(strings.TrimSuffix(strings.TrimSuffix(before, "\n"), "\r"), fence)
		inside, closed := strings.CutSuffix(object, "\n```")
		// Models like to wrap JSON into a fence of Markdown. The fence must be whole: ```json before it and ``` behind
		// it.
		if fenced && closed && before[len(before)-1] == '\n' && begins(line) {
			return trimmed(inside), line, trimmed(line) == ""
		}
	}
	return object, before, trimmed(before) == ""
}

// begins reports whether a line begins after the text, with nothing but spaces before it, or thoughts end there. Models
// of some makers write </think> on the line of their answer.
func begins(text string) bool {
	text = strings.TrimRight(text, " \t")
	return text == "" || text[len(text)-1] == '\n' || strings.HasSuffix(text, "</think>") ||
		strings.HasSuffix(text, "</thinking>")
}

// trimmed returns text without JSON's white space around it. Other invisible characters stay, because an invisible text
// is no answer.
func trimmed(text string) string { return strings.Trim(text, " \t\r\n") }

// authorizations are in the order of their strength.
var authorizations = []string{"unknown", "low", "medium", "high"}

// rankOf is negative for a word that is no authorization.
func rankOf(authorization string) int { return slices.Index(authorizations, authorization) }

// Within reports whether an allow is one that a reviewer may give: for low and medium risk, for high risk if the person
// asked for it at least in substance, and never for critical risk. Example: "delete the old branch" that the person
// asked for in so many words may be of high risk and allowed. Giving away a password may not, whoever asked.
func (r Review) Within() bool {
	switch r.Risk {
	case elicit.Low, elicit.Medium:
		return true
	case elicit.High:
		return rankOf(r.Authorization) >= rankOf("medium")
	}
	return false
}

// cut shortens text to at most n bytes without splitting a character. The result is valid UTF-8 if text was.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	n -= len("…")
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}
