package replay

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// TestChangeGroups gives equal changes to one group, and the larger group comes first.
func TestChangeGroups(t *testing.T) {
	asks := policy.Decision{Outcome: policy.Ask}
	refuses := policy.Decision{Outcome: policy.Decline, Reasons: []elicit.Reason{{Code: "quiet_hours", Layer: "user"}}}
	var g changeGroups
	for i, tool := range []string{"drop", "list", "list", "li\x1bst"} {
		g.add(&engine.Decided{Record: int64(i + 3), At: int64(i) * 1000, Then: asks, Now: refuses,
			Request: elicit.Request{Server: "db", Tool: tool, Message: "Go on with " + tool + "?"}})
	}
	var out strings.Builder
	g.print(&out)
	block := func(head, first string) string {
		return head + ": ask → decline\n  now    user: these are quiet hours, in which nobody is asked\n" +
			"  then   not recorded\n  first  record " + first + "\n"
	}
	want := block("2 questions of db, tool list", "4, 1970-01-01 00:00:01 UTC: Go on with list?") +
		block("1 question of db, tool drop", "3, 1970-01-01 00:00:00 UTC: Go on with drop?") +
		block("1 question of db, tool li<U+001B>st", "6, 1970-01-01 00:00:03 UTC: Go on with li<U+001B>st?")
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}
