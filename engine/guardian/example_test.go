package guardian_test

import (
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// The strongest verdict counts, and policy says what a failed guardian counts as.
func ExampleCombine() {
	allow, _ := guardian.ReadVerdict([]byte(`{"v":1,"decision":"pass"}`), guardian.BeforeShow)
	results := []guardian.Result{
		{Guardian: "links", Phase: guardian.BeforeShow, Verdict: allow},
		{Guardian: "slow", Phase: guardian.BeforeShow, Fault: guardian.FaultFuel},
	}
	fmt.Println(guardian.Combine(results, guardian.Ask).Decision)
	fmt.Println(guardian.Combine(results, guardian.Deny).Decision)
	// Output:
	// ask
	// deny
}

// TestVectors runs the vectors of this package here too.
func TestVectors(t *testing.T) { vectors.Run(t, abi.Eval, "guardian") }
