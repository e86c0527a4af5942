package guardian

import (
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// A reviewer is a guardian that judges a tool approval in a person's place, usually a language model in the host. It
// is asked in words and answers in words; what counts as an allow is decided here and not in its prompt.

// MaxAttempts is how often a reviewer whose answer cannot be read is asked, all before one deadline.
const MaxAttempts = 3

// MaxReview bounds a reviewer's answer in bytes.
const MaxReview = 64 << 10

// Review is a reviewer's answer.
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
// The server writes the evidence and models quote evidence, so an object in a text need not be the reviewer's own word.
// An answer is read in two forms. The first is a text that holds one object and nothing else but white space and one code
// fence around the object. The second is an object that begins a line, ends the text and repeats the seed, which no server
// knows; no other brace may stand before it. Other text, another member, a member twice or a wrong type is no answer.
// ReadReview reads an absent member as the worse value: unknown authorization, and high risk for a deny.
func ReadReview(text, seed string) (r Review, ok bool) {
	object, alone := answerIn(text)
	if jsontext.Check([]byte(object), jsontext.Limits{Bytes: MaxReview, Depth: 2}) != nil {
		return Review{}, false
	}
	said := map[string]string{}
	ok = true
	gjson.Parse(object).ForEach(func(k, v gjson.Result) bool {
		switch k.String() {
		case "seed", "outcome", "risk_level", "user_authorization", "rationale":
			said[k.String()], ok = v.Str, v.Type == gjson.String
		default:
			ok = false
		}
		return ok
	})
	mark, marked := said["seed"]
	if !ok || marked && (seed == "" || mark != seed) || !marked && !alone {
		return Review{}, false
	}
	return r, r.take(said)
}

// take reports whether the members of an answer make a review.
func (r *Review) take(said map[string]string) bool {
	switch said["outcome"] {
	case "allow":
		r.Outcome, r.Risk = Allow, elicit.Low
	case "deny":
		r.Outcome, r.Risk = Deny, elicit.High
	case "ask":
		r.Outcome, r.Risk = Ask, elicit.Medium
	default:
		return false
	}
	if risk, given := said["risk_level"]; given {
		r.Risk = elicit.Severity(risk)
	}
	r.Authorization = "unknown"
	if word, given := said["user_authorization"]; given {
		r.Authorization = word
	}
	r.Rationale = cut(said["rationale"], maxMessage)
	return r.Risk.Rank() <= elicit.Critical.Rank() && r.Risk != elicit.Info && rankOf(r.Authorization) >= 0
}

// answerIn is the one object that may be a reviewer's answer, and whether the text holds nothing else. It is "" when the
// text has no such place; jsontext.Check decides whether what stands there is one object.
func answerIn(text string) (object string, alone bool) {
	at := strings.IndexByte(text, '{')
	if at < 0 {
		return "", false
	}
	before, object := text[:at], trimmed(text[at:])
	for _, fence := range [...]string{"```", "```json"} {
		line, fenced := strings.CutSuffix(strings.TrimSuffix(strings.TrimSuffix(before, "\n"), "\r"), fence)
		if inside, closed := strings.CutSuffix(object, "\n```"); fenced && closed && before[len(before)-1] == '\n' && begins(line) {
			return trimmed(inside), trimmed(line) == ""
		}
	}
	if !begins(before) {
		return "", false
	}
	return object, trimmed(before) == ""
}

// begins reports whether a line begins after the text, with spaces before it at most.
func begins(text string) bool {
	text = strings.TrimRight(text, " \t")
	return text == "" || text[len(text)-1] == '\n'
}

// trimmed is text without the white space of JSON around it. No other space is nothing: what nobody sees is no answer.
func trimmed(text string) string { return strings.Trim(text, " \t\r\n") }

func rankOf(authorization string) int {
	switch authorization {
	case "unknown":
		return 0
	case "low":
		return 1
	case "medium":
		return 2
	case "high":
		return 3
	}
	return -1
}

// Within reports whether an allow stays within what a reviewer may allow: low and medium risk; high risk that the
// person asked for at least in substance; critical risk never.
func (r Review) Within() bool {
	switch r.Risk {
	case elicit.Low, elicit.Medium:
		return true
	case elicit.High:
		return rankOf(r.Authorization) >= rankOf("medium")
	}
	return false
}

// cut shortens text to at most n bytes where a character begins.
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
