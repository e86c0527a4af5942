package pull_test

import (
	"fmt"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/pull"
	"github.com/elicit-engine/elicit/engine/relay"
)

// A host gives a message, and then takes effects until it must wait.
func Example() {
	both := elicit.Modes{Form: true, URL: true}
	machine, beginning, _ := relay.New(relay.Config{Server: "backup", Modes: both}, relay.Input{At: 1})
	loop := pull.New(machine, pull.Time{At: 1}, beginning)
	loop.Give(relay.Received{From: relay.Client}, []byte(`{"jsonrpc":"2.0","method":"notifications/x"}`))
	for {
		next, message, wait := loop.Next(pull.Time{At: 2}, func(*[32]byte) bool { return true })
		switch ef := next.(type) {
		case nil:
			fmt.Println("wait", wait)
			return
		case relay.Forward:
			fmt.Printf("to the %s: %s\n", ef.To, message)
		default:
			fmt.Printf("%.18s…\n", next.AppendJSON(nil))
		}
	}
	// Output:
	// {"effect":"append"…
	// to the server: {"jsonrpc":"2.0","method":"notifications/x"}
	// wait -1
}
