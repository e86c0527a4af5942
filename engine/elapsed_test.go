package engine

import (
	"bytes"
	"testing"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// TestJournalsReplayWhenTheClockWasSet sets the wall clock between the steps of a session that is saved and resumed in
// the middle. Each journal replays to the byte, also one in which only some inputs have elapsed time.
func TestJournalsReplayWhenTheClockWasSet(t *testing.T) {
	const hour = 3_600_000
	at, both := int64(1_700_000_000_000), elicit.Modes{Form: true, URL: true}
	var clock elicit.Clock
	var lines bytes.Buffer
	e := New()
	step := func(set int64, elapsed elicit.Elapsed, ev event.Event) {
		at += set
		in := Input{At: at, Event: ev}
		if wall, now := clock.Read(at, elapsed, lastMoment); elapsed > 0 {
			in.At, in.Now = wall, now
		}
		for _, next := range e.Step(in) {
			if a, is := next.(effect.Append); is {
				lines.Write(append(a.Record, '\n'))
			}
		}
	}
	asked := func(ref string) event.Event {
		return event.Asked{Request: elicit.Request{Session: "s", Ref: ref, Mode: elicit.Form, Message: "Go on?",
			Schema: []byte(`{"type":"object","properties":{}}`)}}
	}
	config := []byte(`{"limits":{"answer_ttl_ms":5000,"burst":2,"per_minute":10},"pauses":true}`)
	step(0, 1, event.Configured{Config: config})
	step(0, 1, event.Opened{Session: "s", Server: "b", Side: elicit.Answering, Declared: both, Shown: both})
	step(-hour, 1000, asked("1"))
	step(2*hour, 2000, asked("2"))
	step(0, 2001, asked("3")) // beyond the rate
	step(-hour, 0, asked("4"))
	step(hour, 4000, event.Ticked{})
	step(-3*hour, 7000, event.Ticked{})
	step(0, 8000, asked("5"))
	if out := Replay(lines.Bytes(), nil); out.Problem != nil || out.Records < 8 {
		t.Fatalf("%d records: %+v\nwant %s\ngot  %s", out.Records, out.Problem, out.Want, out.Got)
	}
	if bytes.Count(lines.Bytes(), []byte(`"now":`)) < 5 {
		t.Error("records do not have the time that deadlines follow")
	}
	state, _ := e.Save("s")
	if !bytes.Contains(state, []byte(`"saved_now":`)) {
		t.Error("a state does not tell that the clock was set")
	}
	e, clock = New(), elicit.Clock{}
	lines.Reset()
	step(0, 1, event.Configured{Config: config})
	step(100, 100, event.Resumed{State: state})
	step(hour, 5000, event.Ticked{})
	if out := Replay(lines.Bytes(), nil); out.Problem != nil || out.Records != 3 {
		t.Fatalf("resumed: %d records: %+v", out.Records, out.Problem)
	}
}
