package engine_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// holding are configurations for held calls. Under the first no command may begin with rm, however it was typed.
var holding = []string{
	`{"limits":{"shown":2,"burst":50,"per_minute":6000},"policy":{"user":{"version":1,"grants":"always",
	  "rules":[{"name":"no-rm","when":{"command":"rm *"},"then":"decline"}]}}}`,
	`{"join_duplicates":true,"limits":{"shown":2,"burst":50,"per_minute":6000,"note":9},
	  "policy":{"user":{"version":1,"secrets":"note"}}}`,
	`{"limits":{"shown":2,"burst":50,"per_minute":6000,"arguments":60},
	  "policy":{"project":{"version":1,"secrets":"refuse"}}}`,
	`{"limits":{"shown":2,"burst":50,"per_minute":6000},"guardians":[` + sentinel("before_send", "/request") + `]}`,
}

// TestEditProperties plays lives in which calls are held, notes are written and arguments are edited. The rules of
// TestStepProperties apply, and those of checkBeside.
func TestEditProperties(t *testing.T) {
	met := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		g := newGenerator("a", "b")
		g.configs, g.holding = holding, true
		taken := map[elicit.ID]effect.Show{}
		l := drawn(t, g)
		config := pick(g, holding)
		first, e := true, engine.New() // a second engine, to see the effects
		live(t, g, func(step func(engine.Input)) {
			l(func(in engine.Input) {
				if first {
					first = false
					in.Event = event.Configured{Config: []byte(config)}
				}
				if _, again := in.Event.(event.Configured); again {
					in.Event = event.Configured{Config: []byte(config)}
				}
				checkBeside(t, in, e.Step(in), taken, config == holding[0], met)
				step(in)
			})
		}, met)
	})
	t.Logf("%v", met)
	for what, floor := range map[string]int{"edited": 200, "noted": 100, "arguments_edited": 200, "note_not_sent": 50,
		"arguments_refused": 4, "edit_not_taken": 50, "secret_confirmed": 2, "remember": 30} {
		if met[what] < floor && !testing.Short() { // -short plays too few lives to count
			t.Errorf("%s %d times, want %d: the lives have lost their subject", what, met[what], floor)
		}
	}
}

// checkBeside: only a question that takes a note or an edit is answered with one, only a refusal or a yes has a note,
// and no edit gets past a rule.
func checkBeside(t *rapid.T, in engine.Input, effects []effect.Effect, shown map[elicit.ID]effect.Show, noRM bool,
	met map[string]int) {
	answer, _ := in.Event.(event.Answered)
	for _, next := range effects {
		switch ef := next.(type) {
		case effect.Show:
			shown[ef.ID] = ef
		case effect.Problem:
			for _, p := range ef.Problems {
				met[p.Code]++
			}
		case effect.Reply:
			s := shown[ef.ID]
			if ef.Arguments != nil {
				met["edited"]++
				if ef.Outcome != elicit.Accepted || s.ID != "" && s.Takes&elicit.TakesEdit == 0 ||
					bytes.Equal(ef.Arguments, s.Arguments) {
					t.Fatalf("%s is answered with arguments: %s", s.AppendJSON(nil), ef.AppendJSON(nil))
				}
				command := gjson.GetBytes(ef.Arguments, "command").String()
				if noRM && strings.HasPrefix(command, "rm ") && s.Message == "Run ls -l?" { // the engine knows its command
					t.Fatalf("a rule declines %s", ef.Arguments)
				}
			}
			if ef.Note != "" {
				met["noted"]++
				if s.ID != "" && !s.Takes.Note(elicit.Action(ef.Outcome)) || ef.ID == answer.ID && ef.Note != answer.Note {
					t.Fatalf("%s is answered with a note: %s", s.AppendJSON(nil), ef.AppendJSON(nil))
				}
			}
		}
	}
}
