package engine_test

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// vectorInputs are the inputs of the vectors of a family that f starts from.
func vectorInputs(f *testing.F, family string, each func(in gjson.Result)) {
	for _, v := range vectors.Read(f, family) {
		each(gjson.ParseBytes(v.In))
	}
}

var scalar = regexp.MustCompile(`:\s*("(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*)`)

// FuzzReadEvent: whatever can be read is written and read again alike, and a run of it replays byte for byte.
func FuzzReadEvent(f *testing.F) {
	seen := map[string]bool{"": true} // many events differ in a word alone
	vectorInputs(f, "step", func(in gjson.Result) {
		in.Get("inputs").ForEach(func(_, input gjson.Result) bool {
			ev := input.Get("event").Raw
			if shape := scalar.ReplaceAllString(ev, ":0"); !seen[shape] {
				seen[shape] = true
				f.Add([]byte(ev))
			}
			return true
		})
	})
	f.Fuzz(func(t *testing.T, doc []byte) {
		ev, problems := event.Read(doc)
		if (ev == nil) != (len(problems) > 0) {
			t.Fatalf("event %v with problems %v", ev, problems)
		}
		if ev == nil {
			return
		}
		first := ev.AppendJSON(nil)
		again, problems := event.Read(first)
		if again == nil || !bytes.Equal(again.AppendJSON(nil), first) {
			t.Fatalf("%s is not read back: %v", first, problems)
		}
		checkReplays(t, openSession(), ev, event.Ticked{})
	})
}

// FuzzReplay: no journal, however broken, makes a replay panic or read more records than there are lines.
func FuzzReplay(f *testing.F) {
	vectorInputs(f, "journal", func(in gjson.Result) { f.Add([]byte(in.Get("journal_text").String())) })
	f.Fuzz(func(t *testing.T, journal []byte) {
		r := engine.Replay(journal, nil)
		if lines := bytes.Count(journal, []byte{'\n'}); r.Records > lines || r.Problem == nil && r.Records != lines {
			t.Fatalf("%d records of %d lines, problem %v", r.Records, lines, r.Problem)
		}
	})
}

// FuzzResumed: a state from anywhere is refused or taken up whole, can be saved again, and replays.
func FuzzResumed(f *testing.F) {
	g := newGenerator("a")
	script := make([]byte, 4000)
	rand.NewChaCha8([32]byte{}).Read(script)
	e, steps := engine.New(), 0
	written(script, g, 1)(func(in engine.Input) {
		g.saw(e.Step(in))
		if state, open := e.Save("a"); open && steps%6 == 0 {
			f.Add(state)
		}
		steps++
	})
	f.Fuzz(func(t *testing.T, state []byte) {
		e := engine.New()
		refused := false
		for _, next := range e.Step(engine.Input{At: 1000, Event: event.Resumed{State: state}}) {
			if _, bad := next.(effect.Problem); bad {
				refused = true
			}
		}
		if open := len(e.Sessions()); refused != (open == 0) {
			t.Fatalf("refused %v, %d sessions open", refused, open)
		}
		for _, session := range e.Sessions() {
			saved, _ := e.Save(session)
			for _, next := range engine.New().Step(engine.Input{At: 1000, Event: event.Resumed{State: saved}}) {
				if p, bad := next.(effect.Problem); bad {
					t.Fatalf("saved again as %s, refused: %s", saved, p.AppendJSON(nil))
				}
			}
		}
		checkReplays(t, event.Resumed{State: state}, event.Ticked{})
	})
}

func openSession() event.Opened {
	return event.Opened{Session: "s", Server: "build", Side: elicit.Answering,
		Declared: elicit.Modes{Form: true, URL: true}, Shown: elicit.Modes{Form: true, URL: true}}
}

// checkReplays runs events on a new engine and holds its journal against a replay.
func checkReplays(t *testing.T, events ...event.Event) {
	t.Helper()
	e := engine.New()
	var journal []byte
	for i, ev := range events {
		effects := e.Step(engine.Input{At: int64(1000 * i), Event: ev})
		journal = append(append(journal, effects[0].(effect.Append).Record...), '\n')
	}
	if r := engine.Replay(journal, nil); r.Problem != nil {
		t.Fatalf("%s\n%s\nwant %s\ngot  %s", journal, r.Problem.AppendJSON(nil), r.Want, r.Got)
	}
}

// TestHostileEventsReplay are the events that a record could once not hold.
func TestHostileEventsReplay(t *testing.T) {
	deep := func(n int) []byte {
		return append(bytes.Repeat([]byte("["), n), bytes.Repeat([]byte("]"), n)...)
	}
	asked := func(r elicit.Request) event.Asked {
		r.Session, r.Ref, r.Mode = "s", "1", elicit.Form
		return event.Asked{Request: r}
	}
	for name, ev := range map[string]event.Event{
		"deep schema":            asked(elicit.Request{Schema: deep(128)}),
		"deeper schema":          asked(elicit.Request{Schema: deep(129)}),
		"deep state":             event.Resumed{State: deep(128)},
		"deep config":            event.Configured{Config: deep(128)},
		"state of control bytes": event.Resumed{State: bytes.Repeat([]byte{1}, 4<<20)},
		"state of brackets":      event.Resumed{State: bytes.Repeat([]byte("["), 4<<20)},
		"wide schema": asked(elicit.Request{Schema: []byte("[" + string(bytes.Repeat([]byte("1,"), 30_000)) +
			"1]")}),
		"message of control bytes": asked(elicit.Request{Schema: []byte(`{"type":"object","properties":{}}`),
			Message: string(bytes.Repeat([]byte{1}, 64<<10))}),
		"parts of another message": asked(elicit.Request{Message: "a\nb",
			Parts: []elicit.Part{{Is: elicit.PartText, Lines: 1}}}),
		"long message": asked(elicit.Request{Schema: []byte(`{"type":"object","properties":{}}`),
			Message: strings.Repeat("x", 100<<10)}),
		"message longer than a session holds": asked(elicit.Request{Schema: []byte(`{"type":"object","properties":{}}`),
			Message: strings.Repeat("x", 2<<20)}),
		"message not UTF-8": asked(elicit.Request{Message: "\xff"}),
		"schema not UTF-8":  asked(elicit.Request{Schema: []byte("\"\xff\"")}),
		"name not UTF-8":    event.Closed{Session: "\xff"},
		"nil":               nil,
		"pointer":           &event.Opened{Session: "t"},
	} {
		t.Run(name, func(t *testing.T) { checkReplays(t, openSession(), ev, event.Ticked{}) })
	}
}

// TestManyEndingsReplay ends more requests in one step than a record shows one by one.
func TestManyEndingsReplay(t *testing.T) {
	events := []event.Event{event.Configured{Config: []byte(`{"limits":{"queue":1024,"burst":60000,"sessions":100,` +
		`"answer_ttl_ms":600000}}`)}}
	for s := range 5 {
		opened := openSession()
		opened.Session = string(rune('a' + s))
		events = append(events, opened)
		for ref := range 900 {
			events = append(events, event.Asked{Request: elicit.Request{Session: opened.Session,
				Ref:  string(rune(0x4e00 + ref)),
				Mode: elicit.Form, Schema: []byte(`{"type":"object","properties":{}}`)}})
		}
	}
	e := engine.New()
	var journal []byte
	for _, ev := range append(events, event.Event(event.Ticked{})) {
		in := engine.Input{At: 1000, Event: ev}
		if _, last := ev.(event.Ticked); last {
			in.At = 601000
		}
		effects := e.Step(in)
		journal = append(append(journal, effects[0].(effect.Append).Record...), '\n')
	}
	if !bytes.Contains(journal, []byte(`{"effect":"cut","count":`)) {
		t.Error("no record was cut; the test has lost its subject")
	}
	if r := engine.Replay(journal, nil); r.Problem != nil {
		t.Errorf("%s", r.Problem.AppendJSON(nil))
	}
}
