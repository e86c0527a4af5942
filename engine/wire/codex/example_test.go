package codex_test

import (
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire/codex"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// A command becomes an approval. Rules see what the shell would run, and a yes holds once.
func ExampleDecode() {
	q, refused := codex.Decode(codex.MethodCommand, []byte(`{"kind":"command","threadId":"t","turnId":"u","itemId":"i",`+
		`"command":"/bin/bash -lc 'git push'","cwd":"/w","availableDecisions":["accept","cancel"]}`), nil)
	if refused != nil {
		panic(refused.Problems)
	}
	fmt.Println(q.Request.Tool, q.Request.Command)
	fmt.Printf("%s\n", q.AppendResult(nil, codex.Answer{Action: elicit.Accept}))
	fmt.Printf("%s\n", q.AppendResult(nil, codex.Answer{Action: elicit.Decline}))
	// Output:
	// shell git push
	// {"decision":"accept"}
	// {"decision":"decline"}
}

// TestVectors runs the vectors of this package here too.
func TestVectors(t *testing.T) { vectors.Run(t, abi.Eval, "codex") }
