package wire_test

import (
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// A message that two readers could read differently is invalid. Its id still says which request to answer.
func ExampleReadEnvelope() {
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":7,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":7,"method":"ping","method":"tools/call"}`,
	} {
		e, fault := wire.ReadEnvelope([]byte(message), wire.Limits{})
		if fault != nil {
			fmt.Println(fault.Code)
			continue
		}
		fmt.Println(e.Kind == wire.Request, e.Method, string(e.ID))
	}
	// Output:
	// true ping 7
	// json_duplicate_key
}

// TestVectors runs the vectors of this package here too.
func TestVectors(t *testing.T) {
	vectors.Run(t, abi.Eval, "wire", "acp", "codex", "hooks", "interrupts")
}
