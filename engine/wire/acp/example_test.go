package acp_test

import (
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/wire/acp"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// A permission becomes a tool approval. A yes to it is the agent's own option for one use.
func ExampleDialect_DecodePermission() {
	p, refused := acp.V1.DecodePermission([]byte(`{"sessionId":"s1",`+
		`"toolCall":{"toolCallId":"t1","title":"Run make","kind":"execute","rawInput":{"command":"make"}},`+
		`"options":[{"optionId":"always","name":"Always","kind":"allow_always"},`+
		`{"optionId":"yes","name":"Allow","kind":"allow_once"},{"optionId":"no","name":"Reject","kind":"reject_once"}]}`),
		func(string, string) *acp.Announced { return nil })
	if refused != nil {
		panic(refused.Problems)
	}
	fmt.Println(p.Request.Tool, p.Request.Claim)
	fmt.Println(p.Request.Message)
	yes, _ := p.Accepting(nil)
	fmt.Printf("%s\n", acp.AppendSelected(nil, []byte("9"), yes.ID))
	// Output:
	// execute approval
	// Run make
	//
	// make
	// {"jsonrpc":"2.0","id":9,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}
}

// TestVectors runs the vectors of this package here too.
func TestVectors(t *testing.T) { vectors.Run(t, abi.Eval, "acp") }
