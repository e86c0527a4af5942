package relay_test

import (
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// The machine has no I/O: a message goes in, and effects come out.
func ExampleMachine_Step() {
	both := elicit.Modes{Form: true, URL: true}
	m, _, problems := relay.New(relay.Config{Server: "backup", Modes: both,
		Session: &relay.Session{Version: "2025-11-25", Declared: both}}, relay.Input{At: 1000})
	if problems != nil {
		panic(problems)
	}
	for _, message := range []string{
		`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`,
		`{"jsonrpc":"2.0","method":"ping","method":"pong"}`, // two readers could read this differently
		`{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"Go on?",` +
			`"requestedSchema":{"type":"object","properties":{}}}}`,
	} {
		for _, effect := range m.Step(relay.Input{At: 2000, Event: relay.Received{From: relay.Server},
			Message: []byte(message)}) {
			fmt.Printf("%T;", effect)
		}
		fmt.Println()
	}
	// Output:
	// relay.Forward;
	// relay.Note;
	// effect.Append;relay.Question;effect.Show;
}

// TestVectors runs the vectors of this package here too.
func TestVectors(t *testing.T) { vectors.Run(t, abi.Eval, "relay", "acp", "codex") }
