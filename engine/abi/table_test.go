package abi

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/event"
)

const (
	openEvent = `{"event":{"event":"opened","session":"s","server":"build","side":"answering","declared":["form"],` +
		`"shown":["form"]}}`
	askEvent = `{"event":{"event":"asked","session":"s","ref":"1","mode":"form","message":"Go on?",` +
		`"schema":{"type":"object","properties":{}}}}`
)

func opened(t *testing.T, table *Table) Handle {
	t.Helper()
	h, out, status := table.Open([]byte(`{}`), nil)
	if status != OK {
		t.Fatalf("open: %v %s", status, out)
	}
	return h
}

func step(t *testing.T, table *Table, h Handle, input string, want Status) string {
	t.Helper()
	out, status := table.Step(h, []byte(input), []byte("kept "))
	if status != want || !bytes.HasPrefix(out, []byte("kept {")) {
		t.Fatalf("step %s: status %v, want %v: %s", input, status, want, out)
	}
	return string(out[5:])
}

func TestHandlesNameOneTenant(t *testing.T) {
	var table Table
	first := opened(t, &table)
	second := opened(t, &table)
	if first == 0 || first == second {
		t.Fatalf("handles %x and %x", first, second)
	}
	if got := table.Close(first); got != OK {
		t.Fatalf("close: %v", got)
	}
	third := opened(t, &table)
	if uint32(third) != uint32(first) || third == first {
		t.Errorf("the slot of %x is not used again: %x", first, third)
	}
	for name, h := range map[string]Handle{"zero": 0, "closed": first, "foreign": 99, "other generation": second + 1<<32,
		"slot zero": 1 << 32} {
		t.Run(name, func(t *testing.T) {
			out := step(t, &table, h, openEvent, UnknownHandle)
			if !strings.Contains(out, `"unknown_handle"`) {
				t.Errorf("got %s", out)
			}
			if got := table.Close(h); got != UnknownHandle {
				t.Errorf("close: %v, want %v", got, UnknownHandle)
			}
		})
	}
	step(t, &table, second, openEvent, OK)
}

func TestOpenRefusesAnyProblem(t *testing.T) {
	for name, config := range map[string]string{"unknown key": `{"polcy":{}}`,
		"bad policy": `{"policy":{"user":{"version":1,"mode":"x"}}}`,
		"garbage":    `{`, "empty": ``, "array": `[]`} {
		t.Run(name, func(t *testing.T) {
			var table Table
			h, out, status := table.Open([]byte(config), nil)
			if h != 0 || status != Invalid || !bytes.HasPrefix(out, []byte(`{"problems":[{"code":`)) {
				t.Errorf("handle %x, status %v: %s", h, status, out)
			}
			if len(table.slots) != 0 {
				t.Error("a slot was taken")
			}
		})
	}
}

func TestStepRefusesBadInput(t *testing.T) {
	var table Table
	h := opened(t, &table)
	for name, test := range map[string]struct {
		input string
		want  Status
		code  string
	}{
		"garbage":         {`{"event":`, Invalid, "json_truncated"},
		"array":           {`[]`, Invalid, "bad_input"},
		"no event":        {`{}`, Invalid, "json_empty"},
		"misspelt time":   {`{"att":5,"event":{"event":"ticked"}}`, Invalid, "unknown_member"},
		"negative time":   {`{"at":-1,"event":{"event":"ticked"}}`, Invalid, "bad_input"},
		"fractional time": {`{"at":1.5,"event":{"event":"ticked"}}`, Invalid, "bad_input"},
		"short random":    {`{"random":"00","event":{"event":"ticked"}}`, Invalid, "bad_input"},
		"an old name": {`{"dice":"` + strings.Repeat("00", 32) + `","event":{"event":"ticked"}}`, Invalid,
			"unknown_member"},
		"bad random":    {`{"random":"` + strings.Repeat("zz", 32) + `","event":{"event":"ticked"}}`, Invalid, "bad_input"},
		"unknown event": {`{"event":{"event":"x"}}`, Invalid, "unknown_event"},
		"list a number": {`{"list":1}`, Invalid, "bad_input"},
		"list nothing":  {`{"list":"shoes"}`, Invalid, "bad_input"},
		"save a number": {`{"save":1}`, Invalid, "bad_input"},
		"save nothing":  {`{"save":"t"}`, Invalid, "unknown_session"},
		"too large":     {strings.Repeat(" ", MaxInput+1), TooLarge, "json_size"},
	} {
		t.Run(name, func(t *testing.T) {
			if out := step(t, &table, h, test.input, test.want); !strings.Contains(out, `"code":"`+test.code+`"`) {
				t.Errorf("got %s, want %s", out, test.code)
			}
		})
	}
}

func TestWorldFillsWhatIsLeftOut(t *testing.T) {
	table := Table{World: World{Now: func() int64 { return 7000 },
		Random: func(d *[32]byte) bool { d[0] = 0xab; return true }}}
	h, out, _ := table.Open([]byte(`{}`), nil)
	if !bytes.Contains(out, []byte(`"at":7000,"random":"ab00`)) {
		t.Errorf("open does not ask the world: %s", out)
	}
	if got := step(t, &table, h, openEvent, OK); !strings.Contains(got, `"at":7000,"random":"ab00`) {
		t.Errorf("got %s, want the world's time and random bytes", got)
	}
	said := `{"at":0,"random":"` + strings.Repeat("00", 32) + `","event":{"event":"ticked"}}`
	if got := step(t, &table, h, said, OK); !strings.Contains(got, `"at":0,"random":"0000`) {
		t.Errorf("got %s, want the caller's time and random bytes", got)
	}
	table.World.Random = func(*[32]byte) bool { return false }
	if got := step(t, &table, h, openEvent, Invalid); !strings.Contains(got, "no_random") {
		t.Errorf("got %s, want no_random", got)
	}
}

// TestSecondCallerGetsConflict makes a step inside a step: World is called while the engine is in use.
func TestSecondCallerGetsConflict(t *testing.T) {
	var table Table
	h := opened(t, &table)
	inside := 0
	table.World.Now = func() int64 {
		inside++
		if out, status := table.Step(h, []byte(openEvent), nil); status != Conflict {
			t.Errorf("a second step: %v %s", status, out)
		}
		if status := table.Close(h); status != Conflict {
			t.Errorf("a close: %v", status)
		}
		return 1
	}
	step(t, &table, h, openEvent, OK)
	if inside != 1 {
		t.Fatalf("the world was asked %d times", inside)
	}
	if status := table.Close(h); status != OK {
		t.Errorf("close after the step: %v", status)
	}
}

func TestManyCallers(t *testing.T) {
	var table Table
	shared := opened(t, &table)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			own, _, _ := table.Open([]byte(`{}`), nil)
			for range 50 {
				if _, status := table.Step(shared, []byte(`{"event":{"event":"ticked"}}`), nil); status != OK &&
					status != Conflict {
					t.Errorf("shared: %v", status)
				}
				if out, status := table.Step(own, []byte(`{"event":{"event":"ticked"}}`), nil); status != OK {
					t.Errorf("own: %v %s", status, out)
				}
			}
			if status := table.Close(own); status != OK {
				t.Errorf("close: %v", status)
			}
		})
	}
	all.Wait()
}

// TestPanicPoisons makes the engine's code panic. The process continues, the engine takes no more events, and its
// sessions can still be saved and loaded into another engine.
func TestPanicPoisons(t *testing.T) {
	var table Table
	h := opened(t, &table)
	step(t, &table, h, openEvent, OK)
	if got := step(t, &table, h, askEvent, OK); !strings.Contains(got, `"effect":"show"`) {
		t.Fatalf("got %s", got)
	}
	table.World.Now = func() int64 { panic("a bug") }
	if got := step(t, &table, h, openEvent, Internal); got != `{"problems":[{"code":"internal","pointer":""}]}` {
		t.Errorf("got %s", got)
	}
	table.World.Now = nil
	step(t, &table, h, openEvent, Internal)
	state, found := strings.CutPrefix(step(t, &table, h, `{"save":"s"}`, OK), `{"state":`)
	if !found {
		t.Fatalf("no state: %s", state)
	}
	step(t, &table, h, openEvent, Internal) // saving does not repair the engine
	rescued := opened(t, &table)
	if got := step(t, &table, rescued, `{"event":{"event":"resumed","state":`+state+`}`, OK); !strings.Contains(got,
		`"effect":"show"`) {
		t.Errorf("the saved session does not go on: %s", got)
	}
	if status := table.Close(h); status != OK {
		t.Errorf("close: %v", status)
	}
	next := opened(t, &table)
	step(t, &table, next, openEvent, OK) // the next engine of the slot is not poisoned
}

func TestOpenSurvivesAPanic(t *testing.T) {
	table := Table{World: World{Now: func() int64 { panic("a bug") }}}
	if h, out, status := table.Open([]byte(`{}`), nil); h != 0 || status != Internal {
		t.Errorf("handle %x, status %v: %s", h, status, out)
	}
}

// TestStepIsTheEngine compares the table with the engine that it wraps.
func TestStepIsTheEngine(t *testing.T) {
	var table Table
	h := opened(t, &table)
	e := engine.New()
	e.Step(engine.Input{Event: event.Configured{Config: []byte(`{}`)}})
	ev, _ := event.Read([]byte(`{"event":"ticked"}`))
	want := string(e.Step(engine.Input{At: 5, Event: ev})[0].AppendJSON(nil))
	if got := step(t, &table, h, `{"at":5,"event":{"event":"ticked"}}`, OK); got != `{"effects":[`+want+`]}` {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestGrantsAreListed(t *testing.T) {
	var table Table
	h := opened(t, &table)
	if got := step(t, &table, h, `{"list":"grants"}`, OK); got != `{"grants":[]}` {
		t.Errorf("got %s", got)
	}
	grant := `{"id":"0123456789abcdef0123456789abcdef","digest":"` + strings.Repeat("0", 64) +
		`","server":"build","message":"Go on?","scope":"always","expires_at":9000}`
	step(t, &table, h, `{"at":5,"event":{"event":"configured","config":{"grants":[`+grant+`]}}}`, OK)
	if got := step(t, &table, h, `{"list":"grants"}`, OK); got != `{"grants":[`+grant+`]}` {
		t.Errorf("got %s", got)
	}
	step(t, &table, h, `{"at":9000,"event":{"event":"ticked"}}`, OK)
	if got := step(t, &table, h, `{"list":"grants"}`, OK); got != `{"grants":[]}` {
		t.Errorf("after its end: %s", got)
	}
}

// TestOpenRepeats checks that the first record, too, has the given time and random bytes. With them a whole journal has
// the same bytes on every machine.
func TestOpenRepeats(t *testing.T) {
	first := func(now int64) string {
		table := Table{World: World{Now: func() int64 { return now },
			Random: func(d *[32]byte) bool { d[0] = byte(now); return true }}}
		h, out, status := table.Open([]byte(`{"config":{"profile":"2025-11-25"},"at":7,"random":"`+strings.Repeat("ab",
			32)+`"}`), nil)
		if h == 0 || status != OK || !strings.Contains(string(out), `"at":7,"random":"abab`) {
			t.Fatalf("status %v: %s", status, out)
		}
		return string(out)
	}
	if a, b := first(1), first(2); a != b {
		t.Errorf("two clocks, two records:\n%s\n%s", a, b)
	}
	for _, c := range []struct{ name, input, want string }{
		{"unknown member", `{"config":{},"policy":{}}`, `"/policy"`},
		{"time that is none", `{"config":{},"at":-1}`, `"/at"`},
		{"random bytes that are none", `{"config":{},"random":"6"}`, `"/random"`},
		{"configuration that is none", `{"config":[]}`, `"problems"`},
		{"wrong inside", `{"config":{"polizei":1}}`, `"/polizei"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var table Table
			if h, out, status := table.Open([]byte(c.input), nil); h != 0 || status != Invalid || !strings.Contains(string(out),
				c.want) {
				t.Errorf("handle %x, status %v: %s", h, status, out)
			}
		})
	}
}

// TestOpenOfTwoMachines checks that an input which names two machines has one answer, and that each machine is found.
func TestOpenOfTwoMachines(t *testing.T) {
	for range 50 {
		var table Table
		_, out, status := table.Open([]byte(`{"asker":{},"asking":{"server":"s"}}`), nil)
		if status != Invalid || !strings.Contains(string(out), `"unknown_version","pointer":"/asking/version"`) ||
			!strings.Contains(string(out), `"unknown_member","pointer":"/asker"`) {
			t.Fatalf("status %v: %s", status, out)
		}
	}
	for _, of := range []map[string]opener{openers, moreOpeners} {
		for name := range of {
			if !slices.Contains(machineNames[:], name) {
				t.Errorf("no input opens %s", name)
			}
		}
	}
}
