package asker_test

import (
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// A process without a store runs a handler, which asks.
func Example() {
	m, _ := asker.New(asker.Config{Asking: asking.Config{Server: "bot"}})
	step := func(ev asker.Event) {
		for _, next := range m.Step(asker.Input{At: 1000, Event: ev}) {
			switch ef := next.(type) {
			case asker.Send:
				fmt.Println("send", ef.Method, "for", ef.To)
			case asker.Reply:
				fmt.Println("reply to", ef.To)
				if ef.Settle != nil {
					fmt.Println(ef.Settle.Outcome, string(ef.Settle.Content))
				}
			}
		}
	}
	client := asker.Client{Session: "1", Version: "2025-11-25", Declared: elicit.Modes{Form: true}, Requests: true}
	step(asker.Called{Call: "call", Client: client, Target: "greet"})
	step(asker.Posed{Ref: "name?", Call: "call", Question: asking.Question{Mode: elicit.Form, Message: "Your name?",
		Schema: []byte(`{"type":"object","properties":{"name":{"type":"string"}}}`)}})
	// Output:
	// reply to call
	// send elicitation/create for name?
}

// TestVectors runs the vectors of this package here too.
func TestVectors(t *testing.T) { vectors.Run(t, abi.Eval, "asker") }
