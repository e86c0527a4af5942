package asking_test

import (
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// A handler asks, the host sends the request, and the client answers.
func ExampleMachine_Step() {
	m, _, problems := asking.New(asking.Config{Server: "deploy-bot", Version: "2025-11-25",
		Declared: elicit.Modes{Form: true}, Requests: true}, asking.Input{At: 1000})
	if problems != nil {
		panic(problems)
	}
	step := func(at int64, ev asking.Event) (ref string) {
		for _, next := range m.Step(asking.Input{At: at, Random: [32]byte{byte(at)}, Event: ev}) {
			switch ef := next.(type) {
			case asking.Send:
				fmt.Printf("%s\n%s\n", ef.Method, ef.Params)
				ref = ef.Ref
			case asking.Settle:
				fmt.Println(ef.Outcome, string(ef.Content))
			}
		}
		return ref
	}
	step(2000, asking.Called{Call: "1", Target: "deploy"})
	ref := step(2001, asking.Posed{Call: "1", Question: asking.Question{Mode: elicit.Form, Message: "How many?",
		Schema: []byte(`{"type":"object","properties":{"n":{"type":"integer"}}}`)}})
	step(9000, asking.Responded{Ref: ref, Result: []byte(`{"action":"accept","content":{"n":4}}`)})
	// Output:
	// elicitation/create
	// {"mode":"form","message":"How many?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}
	// accept {"n":4}
}

// TestVectors runs the vectors of this package here too.
func TestVectors(t *testing.T) { vectors.Run(t, abi.Eval, "asking", "asker") }
