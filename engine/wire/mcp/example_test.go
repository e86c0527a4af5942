package mcp_test

import (
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// A dialect reads a question as its protocol date spells it, and writes the answer the same way.
func ExampleDialect_DecodeCreate() {
	d, _ := mcp.Lookup("2025-11-25")
	request, _, refused := d.DecodeCreate([]byte(`{"mode":"url","message":"Sign in","url":"https://example.com",`+
		`"elicitationId":"L"}`), d.AllModes())
	if refused != nil {
		panic(refused.Problems)
	}
	fmt.Println(request.Mode, request.URL, request.Link)
	answer, _ := d.AppendAnswer(nil, []byte("7"), mcp.Answer{Action: elicit.Accept})
	fmt.Printf("%s\n", answer)
	// Output:
	// url https://example.com L
	// {"jsonrpc":"2.0","id":7,"result":{"action":"accept"}}
}

// TestVectors runs the vectors of this package here too.
func TestVectors(t *testing.T) { vectors.Run(t, abi.Eval, "wire") }
