package compare_test

import (
	"fmt"

	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/policy/compare"
)

func ExampleStacks() {
	stack := func(text string) policy.Stack {
		p, _ := policy.Parse(policy.User, []byte(text))
		return policy.NewStack(p)
	}
	before := stack(`{"version":1,"rules":[{"when":{"server":"git*"},"then":"decline"}]}`)
	after := stack(`{"version":1,"rules":[{"when":{"server":"git-*"},"then":"decline"}]}`)
	r := compare.Stacks(before, after)
	fmt.Println(r.Verdict, r.Facts.Server, r.Before.Outcome, r.After.Outcome)
	fmt.Println(compare.Stacks(after, before).Verdict)
	// Output:
	// loosens git decline ask
	// tightens
}
