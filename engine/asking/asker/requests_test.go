package asker

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/stored"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/seal"
)

// asks lets a call of a session ask once more, and returns the effects.
func asks(m *Machine, session, call, ref string) []Effect {
	c := Client{Session: session, Version: "2025-11-25", Requests: true, Declared: elicit.Modes{Form: true}}
	if m.calls[call] == nil {
		m.Step(Input{Event: Called{Call: call, Client: c, Target: "t"}})
	}
	return m.Step(Input{Event: Posed{Ref: ref, Call: call, Question: asking.Question{Mode: elicit.Form, Message: "Go on?",
		Schema: []byte(`{"type":"object","properties":{}}`)}}})
}

// only is the only reply of a step.
func only(t *testing.T, effects []Effect) (r Reply) {
	t.Helper()
	i := slices.IndexFunc(effects, func(next Effect) bool { _, is := next.(Reply); return is })
	if i < 0 {
		t.Fatalf("no reply in %v", effects)
	}
	return effects[i].(Reply)
}

// TestListsAreBounded: a list has so many questions and no more, and says whether there are others.
func TestListsAreBounded(t *testing.T) {
	m, _ := New(Config{Asking: asking.Config{Server: "bot", Engine: []byte(
		`{"limits":{"per_minute":60000,"burst":60000}}`)}})
	listed := func(want int, more bool) {
		t.Helper()
		l := only(t, m.Step(Input{Event: Listed{Ref: "l"}})).Listed
		if len(l.Questions) != want || l.More != more {
			t.Fatalf("%d questions, more %v; want %d, %v", len(l.Questions), l.More, want, more)
		}
		if doc := string(Reply{Listed: l}.AppendJSON(nil)); strings.Contains(doc, `"more":true`) != more {
			t.Fatalf("more %v: …%s", more, doc[len(doc)-40:])
		}
	}
	for n := range 1000 - 1 {
		asks(m, fmt.Sprintf("s%04d", n), fmt.Sprint("c", n), fmt.Sprint("q", n))
	}
	listed(1000-1, false)
	last := "t"
	for n := 0; m.sessionName(last) < "ffff"; n++ {
		last = fmt.Sprint("t", n)
	}
	asks(m, last, "d", "d0")
	listed(1000, false)
	asks(m, last, "d", "d1") // in the session that is looked at last
	listed(1000, true)
	m.Step(Input{Event: GivenUp{Ref: "d1"}})
	listed(1000, false)
	asks(m, "u", "e", "e0") // in another session
	listed(1000, true)
}

// TestLooksAreBounded: a list looks at so many sessions of a store and no more.
func TestLooksAreBounded(t *testing.T) {
	for _, c := range []struct {
		sessions int
		more     bool
	}{{10_000 - 1, false}, {10_000, true}} { // the store has not named all when its last page is full
		m, _ := New(Config{Store: true, Asking: asking.Config{Server: "bot"}})
		effects := m.Step(Input{Event: Listed{Ref: "l"}})
		for n := 0; ; {
			switch ef := effects[0].(type) {
			case Due:
				var names []string
				for ; len(names) < sweepPage && n < c.sessions; n++ {
					names = append(names, fmt.Sprint("s", n))
				}
				effects = m.Step(Input{Event: Found{names}})
				continue
			case Load:
				effects = m.Step(Input{Event: Missing(ef)})
				continue
			}
			break
		}
		if got := only(t, effects).Listed; got.More != c.more {
			t.Errorf("%d sessions: more %v", c.sessions, got.More)
		}
	}
}

// TestConflictsPause: a process that always comes second gives up after so many conflicts, and looks again after a
// pause what the others have done.
func TestConflictsPause(t *testing.T) {
	m, _ := New(Config{Store: true, Asking: asking.Config{Server: "bot"}})
	at, steps := int64(0), 0
	step := func(ev Event) []Effect {
		steps++
		return m.Step(Input{At: at, Elapsed: at, Random: [32]byte{1, byte(steps), byte(steps >> 8)}, Event: ev})
	}
	c := Client{Session: "s", Version: "2025-11-25", Requests: true, Declared: elicit.Modes{Form: true}}
	name := step(Called{Call: "c", Client: c, Target: "t"})[0].(Load).Session
	step(Missing{name})
	asks(m, "s", "c", "q")
	state := step(Watched{name})[0].(Commit).State
	send := step(Committed{name, 1})[0].(Send)
	effects := step(Responded{Ref: send.Ref, Result: []byte(`{"action":"accept","content":{}}`)})
	for range 2 { // the answer is not lost, and has as many tries again
		for n := 1; n <= 100; n++ {
			if _, is := effects[0].(Commit); !is {
				t.Fatalf("conflict %d: %v", n, effects)
			}
			if effects = step(Conflicted{name}); n == 100 {
				break
			}
			effects = step(Loaded{name, uint64(n + 1), state})
		}
		w, is := effects[len(effects)-1].(Wake)
		if !is || w.In <= 0 || w.In > longPause {
			t.Fatalf("after the last conflict: %v", effects)
		}
		at += w.In
		if effects = step(Ticked{}); effects[0] != Effect(Load{name}) {
			t.Fatalf("after the pause: %v", effects)
		}
		effects = step(Loaded{name, 1, state})
	}
}

// TestValuesAreBounded: the values of a call are bounded together, with those that an earlier run has kept.
func TestValuesAreBounded(t *testing.T) {
	value := func(size int) []byte { return []byte(`"` + strings.Repeat("a", size-2) + `"`) }
	m, _ := New(Config{Asking: asking.Config{Server: "bot"}})
	c := Client{Version: "2026-07-28", Declared: elicit.Modes{Form: true}}
	keep := func(call string, position, size int) Failure {
		return only(t, m.Step(Input{Event: Computed{Ref: "v", Call: call, Position: position, Value: value(size)}})).Failed
	}
	m.Step(Input{Event: Called{Call: "a", Client: c, Target: "t"}})
	m.Step(Input{Event: Kept{Ref: "k", Call: "a"}})
	if got := keep("a", 0, 32<<10+1); got != TooLarge {
		t.Errorf("a byte too many: %q", got)
	}
	if got := keep("a", 0, 32<<10-2); got != "" {
		t.Errorf("nearly the most: %q", got)
	}
	if got := keep("a", 1, 3); got != TooLarge {
		t.Errorf("a byte too many beside it: %q", got)
	}
	asks(m, "", "a", "q")
	made := m.Step(Input{Event: Returned{Call: "a"}})[0].(Seal)
	if made.Claims.ID != seal.ID(made.Random, seal.State, 0) {
		t.Errorf("the seal has the id %s", made.Claims.ID)
	}
	m.Step(Input{Event: Sealed{Call: "a", State: "S"}})
	m.Step(Input{Event: Called{Call: "b", Client: c, Target: "t", State: "S"}})
	m.Step(Input{Event: Unsealed{Call: "b", ID: "i", Body: made.Claims.Body, Expires: made.Claims.ExpiresAt}})
	if got := only(t, m.Step(Input{Event: Kept{Ref: "k", Call: "b"}})); len(got.Value) != 32<<10-2 {
		t.Fatalf("the value of the first run has %d bytes", len(got.Value))
	}
	m.Step(Input{Event: Kept{Ref: "k", Call: "b"}})
	if got := keep("b", 1, 3); got != TooLarge {
		t.Errorf("a byte too many beside the first: %q", got)
	}
	if got := keep("b", 1, 2); got != "" {
		t.Errorf("the most beside the first: %q", got)
	}
}

// TestRecordsOfACommit: a commit has the records of its step, unless the store is to have none.
func TestRecordsOfACommit(t *testing.T) {
	for keep, want := range map[int64]bool{-1: false, 0: true, 1: true} {
		m, _ := New(Config{Store: true, KeepJournal: keep, Asking: asking.Config{Server: "bot"}})
		c := Client{Session: "s", Version: "2025-11-25", Requests: true, Declared: elicit.Modes{Form: true}}
		name := m.Step(Input{Event: Called{Call: "c", Client: c, Target: "t"}})[0].(Load).Session
		m.Step(Input{Event: Missing{name}})
		asks(m, "s", "c", "q")
		got := string(m.Step(Input{Event: Watched{name}})[0].(Commit).AppendJSON(nil))
		if strings.Contains(got, `"records":[`) != want || strings.Contains(got, "taken") {
			t.Errorf("keep %d: %s", keep, got)
		}
	}
}

// TestConflictsOfAQuestion: a question that always comes second fails, and the session pauses before it looks again.
func TestConflictsOfAQuestion(t *testing.T) {
	m, _ := New(Config{Store: true, Asking: asking.Config{Server: "bot"}})
	c := Client{Session: "s", Version: "2025-11-25", Requests: true}
	name := m.Step(Input{Event: Called{Call: "c", Client: c, Target: "t"}})[0].(Load).Session
	m.Step(Input{Event: Missing{name}})
	asks(m, "s", "c", "q")
	m.Step(Input{Event: Watched{name}})
	asks(m, "s", "c", "next")
	for range 100 - 1 {
		m.Step(Input{Event: Conflicted{name}})
		m.Step(Input{Event: Missing{name}})
	}
	got := m.Step(Input{Event: Conflicted{name}})
	if w, is := got[len(got)-1].(Wake); !is || w.In <= 0 || w.In > longPause || only(t, got).Failed != NoStore {
		t.Fatalf("after the last conflict: %v", got)
	}
	if !slices.Contains(got, Effect(Load{name})) {
		t.Error("the next question waits for nothing")
	}
}

// TestTimers: moments come in their order, and names at one moment in theirs. A later set replaces an earlier one, and
// the heap stays small.
func TestTimers(t *testing.T) {
	var all timers
	for n := range int64(1000) {
		for i, name := range []string{"c", "a", "b", "never"} {
			all.set(name, 2000-n+int64(i&2))
		}
	}
	for _, name := range []string{"z", "y", "x", "w", "v", "u"} {
		all.set(name, 1004)
	}
	for n := range 50 { // a heap that was made again is in order
		all.set(fmt.Sprint("late", n), int64(9050-n))
	}
	for range 300 {
		all.set("never", 5000)
		all.set("never", 6000)
	}
	if all.set("never", 0); len(all.heap) > 4*len(all.at)+1 {
		t.Errorf("%d entries for %d names", len(all.heap), len(all.at))
	}
	got := ""
	for now := int64(1000); now < 1005; now++ {
		got += fmt.Sprint(all.next(), ":")
		for name := all.due(now); name != ""; name = all.due(now) {
			got += name
		}
		got += " "
	}
	if want := "1001: 1001:ac 1003: 1003:b 1004:uvwxyz "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for n := range 50 {
		if name := all.due(9050); name != fmt.Sprint("late", 49-n) {
			t.Fatalf("%s is due", name)
		}
	}
}

// TestClientAsJSON: the JSON of a client has every member of it.
func TestClientAsJSON(t *testing.T) {
	c := Client{Session: "s", Principal: "p", Version: "2025-11-25", Declared: elicit.Modes{Form: true, URL: true},
		Requests: true}
	r, problems := strict.Document(append(c.AppendJSON([]byte(`{"client":`)), '}'), jsontext.Limits{})
	if got := ReadClient(&r, "client"); problems != nil || r.Problems != nil || got != c {
		t.Errorf("%+v (%v)", got, r.Problems)
	}
}

// TestTooManyConflicts: a hundred conflicts in a row end a wait, and the hundred after them end the next one.
func TestTooManyConflicts(t *testing.T) {
	for _, principal := range []string{"", "ann"} {
		m, _ := New(Config{Store: true, Asking: asking.Config{Server: "bot"}})
		client := Client{Session: "s", Version: "2025-11-25", Principal: principal, Requests: true}
		client.Declared.Form = true
		load, commits, replies, at := "", 0, 0, int64(0)
		var do func(ev Event)
		do = func(ev Event) {
			at++
			for _, next := range m.Step(Input{At: at, Elapsed: at, Event: ev}) {
				switch ef := next.(type) {
				case Load:
					load = ef.Session
				case Watch:
					defer do(Watched(ef))
				case Commit:
					commits++
					defer do(Conflicted{ef.Session})
				case Reply:
					if replies++; ef.To != "c" && ef.Failed != NoStore {
						t.Errorf("%q: %+v", principal, ef)
					}
				}
			}
		}
		do(Called{Call: "c", Client: client})
		for load != "" {
			name := load
			load = ""
			do(Missing{name})
		}
		for n := range 2 {
			commits = 0
			do(Posed{Ref: fmt.Sprint("q", n), Call: "c", Question: asking.Question{Mode: elicit.Form, Message: "?",
				Schema: []byte(`{"type":"object","properties":{"n":{"type":"integer"}}}`)}})
			for load != "" && commits <= 100 {
				name := load
				load = ""
				do(Missing{name})
			}
			if commits != 100 || replies != 2+n {
				t.Errorf("%q: after %d commits, %d replies", principal, commits, replies)
			}
		}
	}
}

// TestAllowancesMakeRoom: at the bound, the first principal by name gives way whom nobody waits for, and of whom the
// store or a full allowance tells.
func TestAllowancesMakeRoom(t *testing.T) {
	for _, store := range []bool{false, true} {
		m, _ := New(Config{Store: store, Asking: asking.Config{Server: "bot"}})
		full := m.rates.full()
		for n := range 4096 - 1 {
			m.rates.byName[fmt.Sprintf("p%04d", n)] = &allowance{level: full, at: 1}
		}
		has := func(name string) bool { return m.rates.byName[name] != nil }
		m.rates.byName["p0000"].waits = []func(*Reply){func(*Reply) {}}
		m.rates.byName["p0001"].level = 0
		if m.allowance("q0"); len(m.rates.byName) != 4096 {
			t.Fatalf("%d within the bound", len(m.rates.byName))
		}
		m.allowance("q1")
		if len(m.rates.byName) != 4096 || !has("p0000") || has("p0001") != !store || has("p0002") != store ||
			!has("p0003") {
			t.Errorf("store %t: %d, the first ones: %t %t %t %t", store, len(m.rates.byName), has("p0000"), has("p0001"),
				has("p0002"), has("p0003"))
		}
		for name := range m.rates.byName {
			m.rates.byName[name].waits = []func(*Reply){func(*Reply) {}}
		}
		if m.allowance("q2"); len(m.rates.byName) != 4096+1 {
			t.Errorf("%d, when all are waited for", len(m.rates.byName))
		}
	}
}

// TestResultsAreBounded: the newest results of a session stay as long as they fit together, and the answers stay taken.
func TestResultsAreBounded(t *testing.T) {
	const maxResult, maxHeld, maxTaken = 64 << 10, 16 << 20, 16
	sized := func(n int) *taken {
		return &taken{result: make([]byte, n-2), error: []byte("e"), body: []byte("b"), ended: true, keyed: true,
			until: 9, refuse: 9}
	}
	s := &session{taken: []*taken{sized(3), sized(maxResult - 10), sized(10)}}
	s.bound()
	if old, mid := s.taken[0], s.taken[1]; old.size() != 0 || old.keyed || mid.size() != maxResult-10 || !mid.keyed {
		t.Errorf("%d, %d", old.size(), mid.size())
	}
	for n, want := range map[int]bool{maxResult: true, maxResult + 1: false} {
		for _, given := range []struct{ own, room, kept bool }{
			{true, true, want}, {false, true, false}, {true, false, false}} {
			r := &run{brought: brought{own: given.own}}
			s := &session{taken: []*taken{{}}}
			s.end(r, Returned{Result: make([]byte, n-1), Error: []byte("e")}, 5, 10, given.room)
			if got := s.taken[0]; !got.ended || (got.result != nil) != given.kept || got.until != 15 || got.refuse != 15 {
				t.Errorf("%d bytes, %+v: %d kept until %d", n, given, got.size(), got.until)
			}
			r.interrupt = &asking.Interrupt{Offer: asking.ByRounds, Body: make([]byte, n-1), Requests: []byte("q"),
				Expires: 20}
			s = &session{taken: []*taken{{}}}
			s.end(r, Returned{}, 5, 10, given.room)
			if got := s.taken[0]; !got.ended || (got.body != nil) != given.kept || got.until != 20 ||
				got.sealed != 20+callLife {
				t.Errorf("%d bytes of a state, %+v: %d kept until %d", n, given, got.size(), got.until)
			}
			r.interrupt.Keep = true
			s = &session{taken: []*taken{{}}}
			if s.end(r, Returned{}, 5, 10, true); s.taken[0].ended {
				t.Error("a call that the session keeps has ended")
			}
		}
	}
	for _, i := range []*asking.Interrupt{nil, {Offer: asking.ByRounds, Body: []byte("b"), Expires: 20}} {
		old := sized(maxResult)
		old.call = "old"
		s := &session{taken: []*taken{old, {call: "new"}}}
		r := &run{brought: brought{own: true}, interrupt: i}
		r.called.Call = "new"
		if s.end(r, Returned{Result: []byte("r")}, 5, 10, true); old.size() != 0 || s.taken[1].size() != 1 {
			t.Errorf("%v: an old result of %d bytes stays beside one of %d", i, old.size(), s.taken[1].size())
		}
	}
	for _, n := range []int{maxTaken, maxTaken + 1} {
		s := &session{}
		for i := range n {
			s.taken = append(s.taken, &taken{round: i, ended: true, until: 9, refuse: 9})
		}
		if s.prune(8); len(s.taken) != maxTaken || s.taken[0].round != n-maxTaken {
			t.Errorf("of %d, %d stay, the first is %d", n, len(s.taken), s.taken[0].round)
		}
		if s.prune(9); len(s.taken) != 0 {
			t.Errorf("%d stay at their end", len(s.taken))
		}
	}
	m := &sessions{}
	s = &session{taken: []*taken{sized(maxHeld - 1)}}
	if m.hold(s); !m.room() || m.held != maxHeld-1 {
		t.Errorf("%d bytes held leave no room", m.held)
	}
	s.taken = []*taken{sized(maxHeld)}
	if m.hold(s); m.room() {
		t.Error("as many bytes as may be held leave room")
	}
	s.taken = []*taken{sized(maxHeld - 1), sized(3)}
	if m.hold(s); m.room() || m.held != maxHeld+2 || s.held != maxHeld+2 {
		t.Errorf("%d bytes held leave room", m.held)
	}
	s.taken = nil
	if m.hold(s); !m.room() || m.held != 0 {
		t.Errorf("%d bytes held of nothing", m.held)
	}
	m.config.Store = true
	if s.taken = []*taken{sized(maxHeld)}; !m.room() {
		t.Error("a store has no room")
	}
	if m.hold(s); m.held != 0 {
		t.Error("the results in a store count")
	}
}

// TestHeldResults: without a store, a process counts the results that it holds, until they are forgotten or their
// session ends. An answer that was taken is refused as long as any entry of its call says.
func TestHeldResults(t *testing.T) {
	result := []byte(`{"content":[]}`)
	m, _ := New(Config{Asking: asking.Config{Server: "bot", Fallback: "f"}})
	of := Client{Session: "s", Version: "2025-06-18", Principal: "ann"}
	for n, end := range []func(){func() { m.Step(Input{Event: Closed{Ref: "x", Session: "s"}}) },
		func() { m.Step(Input{At: 900_000, Elapsed: 900_000, Event: Ticked{}}) }} {
		first, again := fmt.Sprint("a", n), fmt.Sprint("b", n)
		m.Step(Input{Event: Called{Call: first, Client: of, Target: "t"}})
		asks(m, "", first, "q"+first)
		text := string(only(t, m.Step(Input{Event: Returned{Call: first}})).Result)
		id := text[strings.Index(text, `\"id\":\"`)+9:]
		m.Step(Input{Random: [32]byte{1}, Event: Called{Call: again, Client: of, Target: "f",
			Arguments: []byte(`{"id":"` + id[:65] + `","action":"accept"}`)}})
		m.Step(Input{Event: Returned{Call: again, Result: result}})
		if m.sessions.held != len(result) {
			t.Fatalf("%d: %d bytes are held of a result of %d", n, m.sessions.held, len(result))
		}
		if end(); m.sessions.held != 0 {
			t.Errorf("%d: %d bytes are held of nothing", n, m.sessions.held)
		}
	}
	s := &session{taken: []*taken{{answer: "a", refuse: 50}, {key: "k", answer: "b", refuse: 60}}}
	if s.take(&run{brought: brought{answer: "c"}}, 1, 10); len(s.taken) != 2 || s.taken[1].refuse != 50 {
		t.Errorf("the new entry of %d is refused until %d", len(s.taken), s.taken[1].refuse)
	}
}

// TestHalfDocuments: what ends in the middle is told as that.
func TestHalfDocuments(t *testing.T) {
	half := []byte(`{"event":`)
	_, event := ReadEvent(half)
	_, config := ReadConfig(half)
	_, state := readSaved(half)
	_, _, rate := readRate(half)
	for i, problems := range [][]elicit.Problem{event, config, state, rate} {
		if len(problems) != 1 || problems[0].Code != "json_truncated" {
			t.Errorf("%d: %v", i, problems)
		}
	}
	m, _ := New(Config{Asking: asking.Config{Server: "bot"}})
	if got := only(t, m.Step(Input{Event: Called{Call: "c", State: "s", Arguments: half}})); got.Failed != NoState {
		t.Errorf("a state with half of the arguments: %+v", got)
	}
	for text, want := range map[string]bool{`{`: false, `{}`: true, `{"x":1}`: false,
		`{"session":"s","machine":{}}`: true} {
		if _, ok := readRound([]byte(text)); ok != want {
			t.Errorf("%s: %t", text, ok)
		}
	}
	effects := []asking.Effect{effect.Problem{About: effect.AboutAnswer, Problems: []elicit.Problem{{Code: "a"}}},
		effect.Problem{About: effect.AboutHost, Problems: []elicit.Problem{{Code: "b"}}}}
	for n, want := range []string{"session_closed", "session_closed", "b"} {
		if got := refusal(effects[:n]); len(got) != 1 || got[0].Code != want {
			t.Errorf("%d effects: %v", n, got)
		}
	}
	for ef, want := range map[Effect]string{Wake{0}: `{"effect":"wake","in":0}`, Wake{-1}: `{"effect":"wake"}`,
		Wake{1}: `{"effect":"wake","in":1}`} {
		if got := string(ef.AppendJSON(nil)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestNothingStays: when calls are over, the machine keeps nothing of them.
func TestNothingStays(t *testing.T) {
	m, _ := New(Config{Asking: asking.Config{Server: "bot", Fallback: "f"}})
	at, body := int64(0), []byte(nil)
	var do func(ev Event)
	do = func(ev Event) {
		at++
		for _, next := range m.Step(Input{At: at, Elapsed: at, Random: [32]byte{byte(at)}, Event: ev}) {
			switch ef := next.(type) {
			case Send:
				defer do(Responded{Ref: ef.Ref, Result: []byte(`{"action":"accept","content":{"n":1}}`)})
			case Seal:
				body = ef.Claims.Body
				defer do(Sealed{Call: ef.Call, State: "s"})
			case Unseal:
				defer do(Unsealed{Call: ef.Call, ID: ef.Call, Body: body, Expires: at + 1})
			}
		}
	}
	form := asking.Question{Mode: elicit.Form, Message: "?",
		Schema: []byte(`{"type":"object","properties":{"n":{"type":"integer"}}}`)}
	alone := Client{Version: Rounds, Declared: elicit.Modes{Form: true}}
	asked := Client{Session: "s", Version: "2025-11-25", Requests: true, Declared: alone.Declared}
	single := Client{Version: "2025-11-25", Requests: true, Declared: alone.Declared}
	for n, c := range []Client{asked, alone, alone, single} {
		ev := Called{Call: fmt.Sprint("c", n), Client: c, Arguments: []byte("null")}
		if n == 2 {
			ev.State, ev.Responses = "s", []byte(`{"q0.0":{"action":"accept","content":{"n":1}}}`)
		}
		do(ev)
		do(Posed{Ref: fmt.Sprint("q", n), Call: ev.Call, Question: form})
		do(Returned{Call: ev.Call})
	}
	do(Called{Call: "f", Client: alone, Target: "f", Arguments: []byte(`{"id":"x.y","action":"decline"}`)})
	do(Closed{Ref: "x", Session: "s"})
	if got := []int{len(m.calls), len(m.passing), len(m.waiting), len(m.sessions.asks), len(m.sessions.sends),
		len(m.sessions.byName), len(m.redeemed)}; !slices.Equal(got, []int{0, 0, 0, 0, 0, 0, 1}) {
		t.Errorf("%v stay", got)
	}
	at += 2 * stored.Skew
	do(Called{Call: "late", Client: alone, State: "s"})
	if len(m.redeemed) != 1 {
		t.Errorf("%d states are remembered", len(m.redeemed))
	}
}

// TestAnswersByContent: an answer is known by its content, whatever the order of its members is.
func TestAnswersByContent(t *testing.T) {
	of := func(content string) string {
		if content == "" {
			return digestOf(listed("answer"), nil)
		}
		return digestOf(listed("answer"), []byte(content))
	}
	if of(`{"a":1,"b":2}`) != of(`{ "b": 2, "a": 1 }`) || of("") != of("null") {
		t.Error("equal answers differ")
	}
	known := map[string]bool{}
	for _, content := range []string{"", "{}", `{"a":1}`, `{"a":1,"a":1}`, `{"a":2,"a":1}`, "{"} {
		known[of(content)] = true
	}
	if len(known) != 6 {
		t.Errorf("%d of 6 answers differ", len(known))
	}
}

// TestPositionsAreBounded: a handler keeps and asks no more than a call may have.
func TestPositionsAreBounded(t *testing.T) {
	m, _ := New(Config{Asking: asking.Config{Server: "bot"}})
	m.Step(Input{Event: Called{Call: "a", Client: Client{Version: Rounds}}})
	for n := range 257 {
		got := only(t, m.Step(Input{Event: Kept{Ref: "k", Call: "a"}}))
		if (got.Settle == nil) != (n < 256) || n < 256 && got.Position != n {
			t.Fatalf("value %d: %+v", n, got)
		}
	}
}

// TestSweepsAreBounded: a sweep goes past a million sessions that stay due, and no more.
func TestSweepsAreBounded(t *testing.T) {
	for skip, want := range map[int]bool{1 << 20: true, 1<<20 + 1: false} {
		m, _ := New(Config{Store: true, Asking: asking.Config{Server: "bot"}})
		m.sweep = sweep{failed: map[string]failing{}, seen: map[string]bool{}, skip: skip - sweepPage}
		if _, more := m.Step(Input{Event: Found{Sessions: make([]string, sweepPage)}})[0].(Due); more != want {
			t.Errorf("after %d sessions it goes on: %v", skip, more)
		}
	}
}
