package engine_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/engine/policy"
)

// run is one process: it makes an engine that goes on after head, asks one question, and perhaps ends in order.
func run(t *testing.T, head journal.Head, at int64, server string, ends bool) (lines []byte, next journal.Head,
	id elicit.ID) {
	t.Helper()
	e := engine.New()
	var effects []effect.Effect
	if head.Seq > 0 {
		effects = e.Continue(head, at)
	}
	config := `{"limits":{"per_minute":1,"burst":1},"servers":["` + server + `"]}`
	events := []event.Event{event.Configured{Config: []byte(config)}, event.Opened{Session: "s", Server: server,
		Side: elicit.Answering, Declared: elicit.Modes{Form: true}, Shown: elicit.Modes{Form: true}},
		event.Asked{Request: elicit.Request{Session: "s", Ref: "1", Mode: elicit.Form, Message: "Go on?",
			Schema: []byte(`{"type":"object","properties":{}}`)}}}
	if ends {
		events = append(events, event.Closed{Session: "s"})
	}
	for i, ev := range events {
		effects = append(effects, e.Step(engine.Input{At: at + int64(i), Event: ev})...)
	}
	for _, next := range effects {
		switch ef := next.(type) {
		case effect.Append:
			lines = append(append(lines, ef.Record...), '\n')
		case effect.Show:
			id = ef.ID
		}
	}
	return lines, e.Head(), id
}

// TestAJournalOfManyProcesses: each process has an engine of its own, some were killed and some saw an earlier clock.
// The journal of all replays to the byte. Nothing that one process knew decides in the next.
func TestAJournalOfManyProcesses(t *testing.T) {
	var all []byte
	var head journal.Head
	var ids []elicit.ID
	for i, at := range []int64{5000, 9000, 100, 9000, 9000, 20} {
		lines, next, id := run(t, head, at, []string{"git", "gît"}[i%2], i%3 != 1)
		if id == "" || slices.Contains(ids, id) {
			t.Fatalf("process %d: the question has the id %q, and before there were %q", i, id, ids)
		}
		all, head, ids = append(all, lines...), next, append(ids, id)
	}
	if n := strings.Count(string(all), `"event":{"event":"begun"},"effects":[]`); n != 5 {
		t.Errorf("%d processes say that they begin, not 5", n)
	}
	if out := engine.Replay(all, nil); out.Problem != nil || out.Head != head {
		t.Errorf("got %v\nwant %s\n got %s", out.Problem, out.Want, out.Got)
	}
	never, _ := policy.Parse(policy.User, []byte(`{"version":1,"approval_policy":"never"}`))
	if out := engine.Simulate(all, policy.NewStack(never), func(*engine.Decided) {}); out.Problem != nil ||
		out.Asked != 6 || out.Changed != 6 {
		t.Errorf("got %+v", out)
	}
	changed := bytes.Replace(all, []byte(`"event":"begun"`), []byte(`"event":"ended"`), 1)
	if out := engine.Replay(changed, nil); out.Problem == nil {
		t.Error("a changed beginning is not noticed")
	}
}
