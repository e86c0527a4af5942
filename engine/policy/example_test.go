package policy_test

import (
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// A decision comes with every reason. A lower layer can only tighten what a higher one says.
func ExampleStack_Decide() {
	managed, _ := policy.Parse(policy.Managed,
		[]byte(`{"version":1,"rules":[{"name":"no-secrets","when":{"sensitive":true},"then":"decline"}]}`))
	user, _ := policy.Parse(policy.User, []byte(`{"version":1,"rules":[{"name":"all","when":{"server":"*"},`+
		`"then":"ask"}]}`))
	stack := policy.NewStack(managed, user)
	d := stack.Decide(&policy.Facts{Server: "backup", Mode: elicit.Form, Kind: elicit.KindForm,
		Fields: []policy.FieldFact{{Name: "password", Sensitive: true}}})
	fmt.Println(d.Outcome)
	for _, reason := range d.Reasons {
		fmt.Println("-", english.Reason(reason))
	}
	// Output:
	// decline
	// - managed rule no-secrets: it matches and says decline
	// - user rule all: it matches and says ask
	// - user rule all: it wants ask, but a layer above it stands at decline
}

// Parse reports every problem, and the policy that it returns fails closed.
func ExampleParse() {
	p, problems := policy.Parse(policy.User, []byte(`{"version":1,"rules":[{"when":{"sevrer":"x"},"then":"accept"}]}`))
	fmt.Println(problems[0].Pointer, problems[0].Code)
	fmt.Println(policy.NewStack(p).Decide(&policy.Facts{Server: "x", Mode: elicit.Form}).Outcome)
	// Output:
	// /rules/0/when/sevrer unknown_member
	// ask
}

// TestVectors runs the vectors of this package here too.
func TestVectors(t *testing.T) { vectors.Run(t, abi.Eval, "policy", "explain") }
