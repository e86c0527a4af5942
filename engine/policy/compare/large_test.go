package compare_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/policy/compare"
)

func file(t *testing.T, l policy.Layer, rules ...string) *policy.Policy {
	t.Helper()
	text := `{"version":1,"approval_policy":"on-request","rules":[` + strings.Join(rules, ",") + `]}`
	p, problems := policy.Parse(l, []byte(text))
	if problems != nil {
		t.Fatalf("%s: %+v", text, problems)
	}
	return p
}

// TestHundredRules compares layers of a hundred rules. The number of decisions is bounded.
func TestHundredRules(t *testing.T) {
	var rules []string
	for i := range 100 {
		rules = append(rules, fmt.Sprintf(`{"when":{"server":"server-%[1]d","tool":"tool-%[1]d*"},"then":"accept"}`, i))
	}
	managed := file(t, policy.Managed, rules[:50]...)
	before := policy.NewStack(managed, file(t, policy.User, rules...))
	more := slices.Insert(slices.Clone(rules), 40, `{"when":{"server":"s*","tool":"tool-5"},"then":"decline"}`)
	for name, c := range map[string]struct {
		rules []string
		want  compare.Verdict
	}{
		"the same": {rules, compare.Tightens}, "one more": {more, compare.Tightens},
		"one less": {slices.Delete(slices.Clone(rules), 53, 54), compare.Loosens},
	} {
		got := compare.Stacks(before, policy.NewStack(managed, file(t, policy.User, c.rules...)))
		if got.Verdict != c.want || got.Runs > 20_000 {
			t.Errorf("%s: %+v", name, got)
		}
		t.Logf("%s: %d decisions", name, got.Runs)
	}
}
