package engine_test

import (
	"bytes"
	"fmt"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// A question is asked, shown and answered. Time and randomness travel in the input, so the same inputs always have the
// same effects.
func ExampleEngine_Step() {
	e := engine.New()
	step := func(random byte, ev event.Event) (shown elicit.ID) {
		for _, next := range e.Step(engine.Input{At: 1000, Random: [32]byte{random}, Event: ev}) {
			switch ef := next.(type) {
			case effect.Show:
				fmt.Println("show:", ef.Message)
				shown = ef.ID
			case effect.Reply:
				fmt.Println("reply:", ef.Outcome, "by", ef.Cause, string(ef.Content))
			}
		}
		return shown
	}
	form := elicit.Modes{Form: true}
	step(1, event.Opened{Session: "s", Server: "backup", Side: elicit.Answering, Declared: form, Shown: form})
	id := step(2, event.Asked{Request: elicit.Request{Session: "s", Ref: "1", Mode: elicit.Form, Message: "Overwrite?",
		Schema: []byte(`{"type":"object","properties":{"force":{"type":"boolean","default":false}}}`)}})
	step(3, event.Answered{Session: "s", ID: id, Action: elicit.Accept, Content: []byte(`{"force":true}`)})
	// Output:
	// show: Overwrite?
	// reply: accept by user {"force":true}
}

// A journal of inputs is the whole history: Replay makes the same effects from it, and says where it was altered.
func ExampleReplay() {
	var records []byte
	e := engine.New()
	for i, ev := range []event.Event{event.Configured{Config: []byte("{}")}, event.Ticked{}} {
		kept, _ := effect.Records(e.Step(engine.Input{At: int64(1000 * i), Event: ev}))
		for _, record := range kept {
			records = append(append(records, record...), '\n')
		}
	}
	fmt.Println(engine.Replay(records, nil).Problem == nil)
	fmt.Println(engine.Replay(bytes.Replace(records, []byte(`"at":1000`), []byte(`"at":1001`), 1), nil).Problem.Code)
	// Output:
	// true
	// journal_edited
}

// CheckConfig says what a Configured event would be refused for.
func ExampleCheckConfig() {
	problems, inPolicies := engine.CheckConfig([]byte(`{"shown":3,"policy":{"user":{"version":2}}}`))
	fmt.Println(problems[0].Pointer, problems[0].Code)
	fmt.Println(inPolicies[0].Pointer, inPolicies[0].Code)
	// Output:
	// /shown unknown_member
	// /policy/user/version policy_unknown_version
}
