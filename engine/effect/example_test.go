package effect_test

import (
	"fmt"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// A host keeps the records of a step first, and then performs the rest in order.
func Example() {
	e := engine.New()
	perform := func(ev event.Event) {
		records, rest := effect.Records(e.Step(engine.Input{At: 1, Event: ev}))
		fmt.Println(len(records), "record")
		for _, next := range rest {
			switch ef := next.(type) {
			case effect.Show:
				fmt.Printf("ask: %s\n", ef.Message)
			case effect.Reply:
				fmt.Printf("tell the server: %s, because of the %s\n", ef.Outcome, ef.Cause)
			}
		}
	}
	perform(event.Opened{Session: "s", Server: "backup", Side: elicit.Answering, Declared: elicit.Modes{Form: true}})
	perform(event.Asked{Request: elicit.Request{Session: "s", Ref: "1", Mode: elicit.Form, Message: "Go on?",
		Schema: []byte(`{"type":"object","properties":{}}`)}})
	// Output:
	// 1 record
	// 1 record
	// tell the server: cancel, because of the no_ui
}

func ExampleOpenURL() {
	fmt.Printf("%s\n", effect.OpenURL{Session: "s", ID: "0a", URL: "https://example.com/pay"}.AppendJSON(nil))
	// Output:
	// {"effect":"open_url","session":"s","id":"0a","url":"https://example.com/pay"}
}
