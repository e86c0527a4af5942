package engine_test

import (
	"bytes"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// TestChangedMakesUpTheMessage asks much alike and lets a person, a script and policy answer, with restarts between.
// What is the same or new is the message. What is the same or gone is a message of the same tool that the person has
// accepted. A replay of the journal comes to the same effects.
func TestChangedMakesUpTheMessage(t *testing.T) {
	words := []string{"Run", "make", "test", "clean", "/srv/app", "now?", "-f", "\n", "mаke", "删除"}
	compared := 0
	for seed := range int64(600) {
		r := rand.New(rand.NewSource(seed))
		at, e := int64(1000), engine.New()
		var records [][]byte
		step := func(ev event.Event) []effect.Effect {
			at += 1000
			in := engine.Input{At: at, Event: ev}
			r.Read(in.Random[:])
			lines, effects := effect.Records(e.Step(in))
			records = append(records, lines...)
			return effects
		}
		config := event.Configured{Config: []byte(`{"show_changes":true,"limits":{"burst":1000,"per_minute":60000},` +
			`"policy":{"user":{"version":1,"rules":[{"name":"auto","when":{"tool":"auto"},"then":"accept"}]}}}`)}
		step(config)
		step(event.Opened{Session: "s", Server: "shell", Side: elicit.Answering, Declared: elicit.Modes{Form: true},
			Shown: elicit.Modes{Form: true}})
		accepted := map[string][]string{}
		for i := range 40 {
			var message []string
			for range 1 + r.Intn(8) {
				message = append(message, words[r.Intn(len(words))])
			}
			tool := []string{"", "a", "b", "auto"}[r.Intn(4)]
			for _, next := range step(event.Asked{Request: elicit.Request{Session: "s", Ref: fmt.Sprint(i), Mode: elicit.Form,
				Tool: tool, Message: strings.Join(message, " "), Schema: []byte(`{"type":"object","properties":{}}`)}}) {
				show, shown := next.(effect.Show)
				if !shown {
					continue
				}
				if show.Changed != nil {
					compared++
					checkChanged(t, seed, show, accepted[tool])
				}
				answer := event.Answered{Session: "s", ID: show.ID,
					Action: []elicit.Action{elicit.Accept, elicit.Accept, elicit.Decline, elicit.Cancel}[r.Intn(4)],
					Via:    []event.Via{event.ViaPerson, event.ViaPerson, event.ViaScript, event.ViaModel, event.ViaClient}[r.Intn(5)]}
				step(answer)
				if answer.Action == elicit.Accept && answer.Via == event.ViaPerson {
					accepted[tool] = append(accepted[tool], show.Message)
				}
			}
			if r.Intn(9) == 0 {
				replayed(t, seed, records)
				state, _ := e.Save("s")
				e, records = engine.New(), nil
				step(config)
				step(event.Resumed{State: state})
			}
		}
		replayed(t, seed, records)
	}
	if compared < 1000 {
		t.Errorf("%d comparisons: the test has lost its subject", compared)
	}
}

func checkChanged(t *testing.T, seed int64, show effect.Show, accepted []string) {
	t.Helper()
	is, was := "", ""
	for _, c := range show.Changed {
		if c.Is != effect.GoneText {
			is += c.Text
		}
		if c.Is != effect.NewText {
			was += c.Text
		}
	}
	if is != show.Message || was == is || !slices.Contains(accepted, was) {
		t.Fatalf("seed %d: %q for %q, accepted %q", seed, show.Changed, show.Message, accepted)
	}
}

func replayed(t *testing.T, seed int64, records [][]byte) {
	t.Helper()
	if out := engine.Replay(append(bytes.Join(records, []byte{'\n'}), '\n'), nil); out.Problem != nil {
		t.Fatalf("seed %d: %+v\n%s\n%s", seed, *out.Problem, out.Want, out.Got)
	}
}

// TestAcceptedFitIntoAState accepts messages that take as much room in JSON as any: what a session keeps stays small,
// the newest is in it, and another engine can read it.
func TestAcceptedFitIntoAState(t *testing.T) {
	e, at := engine.New(), int64(1000)
	config := event.Configured{Config: []byte(`{"show_changes":true,"limits":{"burst":1000,"per_minute":60000}}`)}
	step := func(ev event.Event) []effect.Effect {
		at += 1000
		_, effects := effect.Records(e.Step(engine.Input{At: at, Random: [32]byte{byte(at / 1000)}, Event: ev}))
		return effects
	}
	ask := func(i int, message string) effect.Show {
		return step(event.Asked{Request: elicit.Request{Session: "s", Ref: fmt.Sprint(i), Mode: elicit.Form, Message: message,
			Schema: []byte(`{"type":"object","properties":{}}`)}})[0].(effect.Show)
	}
	step(config)
	step(event.Opened{Session: "s", Server: "shell", Side: elicit.Answering, Declared: elicit.Modes{Form: true},
		Shown: elicit.Modes{Form: true}})
	for i, length := range []int{16 << 10, 16<<10 + 1, 10, 5000, 9000, 3000, 2000, 1000, 4000} {
		show := ask(i, fmt.Sprint(i)+strings.Repeat("\x01", length-1))
		step(event.Answered{Session: "s", ID: show.ID, Action: elicit.Accept})
	}
	state, _ := e.Save("s")
	if len(state) > 70<<10 {
		t.Errorf("a state of %d bytes", len(state))
	}
	e = engine.New()
	step(config)
	if effects := step(event.Resumed{State: state}); len(effects) != 0 {
		t.Fatalf("%s", effects[0].AppendJSON(nil))
	}
	if show := ask(99, "8"+strings.Repeat("\x01", 3999)+"!"); len(show.Changed) != 2 {
		t.Errorf("%d pieces", len(show.Changed))
	}
}
