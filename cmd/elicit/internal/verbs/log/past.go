package log

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
)

// why says in words what ended the question; "" while it is open.
func (q *loggedQuestion) why() string {
	if q.cause == "" {
		return ""
	}
	var reasons []elicit.Reason
	for _, code := range []string{"scripted_answer", "granted"} { // answers that a file or a person gave
		if slices.Contains(q.words, code) {
			reasons = append(reasons, elicit.Reason{Code: code})
		}
	}
	return cli.OneLine(english.Ended(q.cause, reasons))
}

// maxWords bounds the words of a question; a policy has at most 500 rules.
const maxWords = 600

// learn takes what an effect tells of the question.
func (q *loggedQuestion) learn(ef gjson.Result, at int64) {
	if q == nil {
		return
	}
	switch ef.Get("effect").String() {
	case "show":
		q.kind = elicit.Kind(ef.Get("kind").String())
	case "reply":
		q.outcome, q.cause, q.ended = elicit.Outcome(ef.Get("outcome").String()), elicit.Cause(ef.Get("cause").String()), at
		if rule := ef.Get("reasons.0.rule"); q.cause == elicit.ByPolicy && rule.Exists() && q.outcome != "" &&
			!ef.Get(`reasons.#(code=="scripted_answer")`).Exists() && !ef.Get(`reasons.#(code=="granted")`).Exists() {
			q.by = cli.OneLine(ef.Get("reasons.0.layer").String() + " rule " + rule.String())
			if why := ef.Get("reasons.0.args.why").String(); why != "" {
				q.by += ": " + plain.Cut(cli.OneLine(why), 72)
			}
		}
	case "withdraw":
		if q.cause == "" {
			q.cause, q.ended = elicit.Cause(ef.Get("cause").String()), at
		}
	}
	ef.Get("reasons").ForEach(func(_, r gjson.Result) bool {
		q.add(r.Get("code").String())
		q.add(r.Get("rule").String())
		return true
	})
	ef.Get("findings").ForEach(func(_, f gjson.Result) bool {
		q.add(f.Get("code").String())
		if s := elicit.Severity(f.Get("severity").String()); q.severity == "" || s.Rank() > q.severity.Rank() {
			q.severity = s
		}
		return true
	})
}

func (q *loggedQuestion) add(word string) {
	if word != "" && len(q.words) < maxWords && !slices.Contains(q.words, word) {
		q.words = append(q.words, word)
	}
}
