package english

import (
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		name string
		got  string
		want string
	}{
		{"figures", Problem(elicit.Problem{Code: "journal_gap", Args: []elicit.Arg{elicit.Num("record", 3),
			elicit.Num("found", 5)}}),
			"record 3 is missing; number 5 stands in its place"},
		{"a peer's braces stay braces", Problem(elicit.Problem{Code: "already_settled",
			Args: []elicit.Arg{elicit.Str("outcome", "{cause}"), elicit.Str("cause", "x")}}),
			"this request was settled before: {cause}, x"},
		{"nothing a terminal obeys", Problem(elicit.Problem{Code: "unknown_mode",
			Args: []elicit.Arg{elicit.Str("mode", "a\x1b[2J\u202eb")}}),
			"aU+001B[2JU+202Eb is not a mode; use form or url"},
		{"an unknown code says itself", Problem(elicit.Problem{Code: "no_such_code"}), "no such code"},
		{"a rule's own why", Reason(elicit.Reason{Code: "rule_matched", Layer: "user", Rule: "r",
			Args: []elicit.Arg{elicit.Str("then", "decline"), elicit.Str("why", "because")}}),
			"user rule r: it matches and says decline: because"},
	} {
		if c.got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, c.got, c.want)
		}
	}
}
