package engine_test

import (
	"bytes"
	"fmt"
	"math/rand"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/policy"
)

// TestHasteIsFollowed answers questions soon and late, by a person and by others, with receipts and restarts between.
// Questions of a hasty person are cancelled. A count by hand says when that must be, a replay does the same, and a
// simulation of the same policy changes nothing.
func TestHasteIsFollowed(t *testing.T) {
	const doc = `{"version":1,"grants":"none","rules":[{"name":"h","when":{"hasty":true,"tool":"a"},"then":"cancel"}]}`
	config := event.Configured{Config: []byte(`{"limits":{"burst":1000,"per_minute":60000,"shown":2},"policy":{"user":` +
		doc + `}}`)}
	same, _ := policy.Parse(policy.User, []byte(doc))
	cancelled := 0
	for seed := range int64(400) {
		r := rand.New(rand.NewSource(seed))
		at, e := int64(1000), engine.New()
		var records [][]byte
		step := func(ev event.Event) []effect.Effect {
			in := engine.Input{At: at, Event: ev}
			r.Read(in.Random[:])
			lines, effects := effect.Records(e.Step(in))
			records = append(records, lines...)
			return effects
		}
		verify := func() {
			journal := append(bytes.Join(records, []byte{'\n'}), '\n')
			if out := engine.Replay(journal, nil); out.Problem != nil {
				t.Fatalf("seed %d: %+v", seed, *out.Problem)
			}
			if out := engine.Simulate(journal, policy.NewStack(same), nil); out.Problem != nil || out.Changed > 0 {
				t.Fatalf("seed %d: %+v", seed, out)
			}
		}
		step(config)
		step(event.Opened{Session: "s", Server: "shell", Side: elicit.Answering, Declared: elicit.Modes{Form: true},
			Shown: elicit.Modes{Form: true}})
		inRow := 0
		for i := range 60 {
			at += int64(r.Intn(500))
			ask := elicit.Request{Session: "s", Ref: fmt.Sprint(i), Mode: elicit.Form, Message: fmt.Sprint("Step ", i),
				Tool: []string{"a", "b", "b", "b"}[r.Intn(4)], Schema: []byte(`{"type":"object","properties":{}}`)}
			if r.Intn(15) == 0 {
				ask.For = "ann"
			}
			effects := step(event.Asked{Request: ask})
			show, shown := effects[0].(effect.Show)
			if hasty := inRow >= policy.HastyAnswers && ask.Tool == "a"; shown == hasty {
				t.Fatalf("seed %d: after %d in a row: %s", seed, inRow, effects[0].AppendJSON(nil))
			}
			if !shown {
				cancelled++
				continue
			}
			shownAt := at
			if r.Intn(3) == 0 {
				at += int64(r.Intn(1500))
				shownAt = at
				step(event.Noted{Session: "s", ID: show.ID, Receipt: event.ReceiptShown})
			}
			if r.Intn(20) == 0 {
				verify()
				state, _ := e.Save("s")
				e, records = engine.New(), nil
				step(config)
				step(event.Resumed{State: state})
			}
			at += int64(r.Intn(2100))
			answer := event.Answered{Session: "s", ID: show.ID, Action: elicit.Accept, Principal: ask.For}
			if r.Intn(12) == 0 {
				answer.Action = elicit.Decline
			}
			if r.Intn(9) == 0 {
				answer.Via = event.ViaScript
			}
			step(answer)
			switch {
			case ask.For != "" || answer.Via != event.ViaPerson:
			case answer.Action != elicit.Accept || at-shownAt >= policy.HastyWithin:
				inRow = 0
			default:
				inRow++
			}
		}
		verify()
	}
	if cancelled < 500 {
		t.Errorf("%d questions of a hasty person: the test has lost its subject", cancelled)
	}
}
