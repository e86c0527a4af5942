package asking_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// TestRandomSessions drives a machine with random events, and beside it one that is saved and loaded now and then. Both
// must have the same effects, and the effects must keep the rules that oracle checks.
func TestRandomSessions(t *testing.T) {
	settled, accepted := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		config := drawConfig(t)
		stay, move := begun(t, config), begun(t, config)
		o := &oracle{t: t, first: map[elicit.ID]asking.Settle{}, refs: map[string]elicit.ID{}, links: map[string]elicit.ID{}}
		now := int64(0)
		for range rapid.IntRange(20, 150).Draw(t, "steps") {
			if rapid.IntRange(0, 3).Draw(t, "move") == 0 && !o.closed {
				move.move(t, config, now)
			}
			now += rapid.SampledFrom([]int64{0, 1, 1, 1, 1, 1, 900, 21_000, 100_000}).Draw(t, "passed")
			ev := drawEvent(t, stay)
			effects := stay.step(ev, now)
			o.check(ev, stay.last)
			o.closed = stay.m.Over()
			if strings.Contains(ev, `"shutdown"`) && !o.closed {
				t.Fatal("a shutdown leaves something open")
			}
			if moved := move.step(ev, now); moved != effects && !forgotten(effects, moved) {
				t.Fatalf("%s\nwithout a move:\n%s\nwith one:\n%s", ev, effects, moved)
			}
		}
		stay.replay(t)
		move.replay(t)
		for _, s := range o.first {
			if settled++; s.Outcome == elicit.Accepted {
				accepted++
			}
		}
	})
	t.Logf("%d questions settled, %d accepted", settled, accepted)
	if !testing.Short() && (settled < 100 || accepted < 10) { // -short plays too few lives to count
		t.Errorf("%d questions settled, %d accepted: the test has lost its subject", settled, accepted)
	}
}

// forgotten reports whether only the machine that was moved has forgotten how a question ended, because a saved state
// has the last 16 ends. A late answer counts in neither.
func forgotten(effects, moved string) bool {
	stayed, went := strings.Split(effects, "\n"), strings.Split(moved, "\n")
	return slices.EqualFunc(stayed, went, func(a, b string) bool {
		return a == b || strings.Contains(a, `"code":"already_settled"`) && strings.Contains(b, `"code":"unknown_request"`)
	})
}

func drawConfig(t *rapid.T) asking.Config {
	c := rapid.SampledFrom([]asking.Config{
		{Version: "2025-06-18", Declared: both, Requests: true}, {Version: "2025-11-25", Declared: both, Requests: true},
		{Version: "2025-11-25", Declared: both}, {Version: "2026-07-28", Declared: both}, {Version: "2025-06-18"},
	}).Draw(t, "client")
	c.Server, c.Principal = "bot", "ann"
	c.Order = rapid.SampledFrom(asking.Orders()).Draw(t, "order")
	c.Attempts = rapid.IntRange(1, 3).Draw(t, "attempts")
	if rapid.Bool().Draw(t, "page") {
		c.Page = "https://bot.example/"
	}
	if rapid.Bool().Draw(t, "fallback") {
		c.Fallback = asking.DefaultFallback
	}
	return c
}

// machineUnder is a machine with the names of its ids, links and refs: the same name stands for the same thing in both
// machines, whose random bytes and journals differ.
type machineUnder struct {
	m       *asking.Machine
	names   []string
	body    []byte
	last    []asking.Effect
	records []byte
	steps   int
	call    string // that began last
}

func begun(t *rapid.T, c asking.Config) *machineUnder {
	m, effects, problems := asking.New(c, asking.Input{Random: [32]byte{1}})
	if problems != nil {
		t.Fatal(problems)
	}
	u := &machineUnder{m: m}
	u.text(effects)
	return u
}

func (u *machineUnder) random() [32]byte {
	u.steps++
	return [32]byte{byte(u.steps), byte(u.steps >> 8), 2}
}

func (u *machineUnder) move(t *rapid.T, c asking.Config, now int64) {
	u.replay(t)
	state := u.m.Save()
	m, effects, problems := asking.Load(c, state, asking.Input{At: now, Random: u.random()})
	if problems != nil {
		t.Fatalf("%v\n%s", problems, state)
	}
	u.m, u.records = m, nil
	if text := u.text(effects); text != "" {
		t.Fatalf("loading has effects:\n%s\n%s", text, state)
	}
}

func (u *machineUnder) replay(t *rapid.T) {
	n := strings.Count(string(u.records), "\n")
	if got := engine.Replay(u.records, nil); got.Problem != nil || int(got.Records) != n {
		t.Fatalf("the journal of %d records replays %d of them: %v", n, got.Records, got.Problem)
	}
}

var random = regexp.MustCompile(`\bask-[0-9a-f]{16}\b|\b[0-9a-f]{32}\b`)

// text writes effects with names in place of what is random, without records and wakes.
func (u *machineUnder) text(effects []asking.Effect) string {
	var b strings.Builder
	u.last = effects
	for _, next := range effects {
		switch ef := next.(type) {
		case effect.Append:
			u.records = append(append(u.records, ef.Record...), '\n')
			continue
		case effect.Wake:
			continue
		case asking.Interrupt:
			u.body = ef.Body
		}
		b.Write(append(next.AppendJSON(nil), '\n'))
	}
	return random.ReplaceAllStringFunc(b.String(), func(s string) string {
		i := slices.Index(u.names, s)
		if i < 0 {
			i, u.names = len(u.names), append(u.names, s)
		}
		return fmt.Sprintf("$%d", i)
	})
}

var name = regexp.MustCompile(`"\$(\d+)"`)

func (u *machineUnder) step(ev string, now int64) string {
	long := name.ReplaceAllStringFunc(ev, func(s string) string {
		var i int
		fmt.Sscanf(s, `"$%d"`, &i)
		return `"` + u.names[i] + `"`
	})
	if c, is := read(ev).(asking.Called); is {
		u.call = c.Call
	}
	if u.body != nil {
		long = strings.Replace(long, `"$body"`, string(u.body), 1)
	}
	return u.text(u.m.Step(asking.Input{At: now, Random: u.random(), Event: read(long)}))
}

func read(text string) asking.Event {
	ev, problems := asking.ReadEvent([]byte(text))
	if problems != nil {
		panic(fmt.Sprint(text, problems))
	}
	return ev
}

// drawEvent draws the JSON of an event, with names that the machine has used.
func drawEvent(t *rapid.T, u *machineUnder) string {
	call := rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, "call")
	known := func(isRef bool) string { // the name of a ref, or of an id or link; late ones are more often open
		names := []string{`"nothing"`}
		for i, name := range u.names {
			if isRef == strings.HasPrefix(name, "ask-") {
				names = append(names, fmt.Sprintf(`"$%d"`, i))
			}
		}
		return names[max(0, len(names)-1-rapid.SampledFrom([]int{0, 0, 0, 1, 2, 3, 4}).Draw(t, "known"))]
	}
	answer := rapid.SampledFrom([]string{`"action":"accept","content":{"n":1}`, `"action":"accept","content":{"n":1}`,
		`"action":"accept","content":{"n":2}`, `"action":"accept","content":{"n":3}`,
		`"action":"accept","content":{"n":"x"}`, `"action":"decline"`, `"action":"cancel"`,
		`"action":"accept"`}).Draw(t, "answer")
	switch rapid.SampledFrom([]int{0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 6, 7, 8, 9}).Draw(t, "event") {
	case 0:
		state, key := "", rapid.SampledFrom([]string{"q0.0", "q0.1", "q1.0"}).Draw(t, "key")
		if u.body != nil && rapid.Bool().Draw(t, "state") {
			state = `,"answers":"$body"`
		}
		return `{"event":"called","call":"` + call + `","target":"deploy"` + state + `,"responses":{"` + key + `":{` +
			answer + `}}}`
	case 1:
		question := rapid.SampledFrom([]string{
			`"mode":"form","message":"How many?","schema":` + numberSchema,
			`"mode":"form","message":"How many?","schema":` + numberSchema,
			`"mode":"form","message":"And now?","schema":` + numberSchema,
			`"mode":"form","message":"Key?","secret":true,"schema":` + numberSchema,
			`"mode":"form","message":"Approve?","for":"bob","schema":` + numberSchema,
			`"mode":"form","message":"Bad","schema":{"type":"object","properties":{"a":{"type":"object"}}}`,
			`"mode":"url","message":"Sign in","url":"https://id.example/"`,
			`"mode":"url","message":"Sign in","url":"https://id.example/","wait":true`}).Draw(t, "question")
		if u.call != "" && rapid.IntRange(0, 3).Draw(t, "other call") > 0 {
			call = u.call
		}
		position := rapid.IntRange(0, 2).Draw(t, "position")
		return fmt.Sprintf(`{"event":"posed","call":"%s","position":%d,%s}`, call, position, question)
	case 2:
		if rapid.IntRange(0, 9).Draw(t, "error") == 0 {
			return `{"event":"responded","ref":` + known(true) + `,"error":{"code":-1,"message":"no"}}`
		}
		return `{"event":"responded","ref":` + known(true) + `,"result":{` + answer + `}}`
	case 3:
		id := known(false)
		by := rapid.SampledFrom([]string{`"link":` + id + `,"principal":"ann",`,
			`"id":` + id + `,"principal":"ann","via":"model",`, `"id":` + id + `,"principal":"ann","via":"model",`,
			`"link":` + id + `,"principal":"bob",`, `"id":` + id + `,"principal":"bob","via":"model",`}).Draw(t, "by")
		return `{"event":"submitted",` + by + answer + `}`
	case 4:
		return `{"event":"returned","call":"` + call + `"}`
	case 5:
		return rapid.SampledFrom([]string{`{"event":"cancelled","call":"` + call + `"}`,
			`{"event":"cancelled","id":` + known(false) + `}`}).Draw(t, "cancelled")
	case 8:
		value := rapid.SampledFrom([]string{"", `,"value":1`, `,"value":{"n":2}`}).Draw(t, "value")
		return fmt.Sprintf(`{"event":"once","call":"%s","position":%d%s}`, call,
			rapid.IntRange(0, 2).Draw(t, "position"), value)
	case 9:
		return `{"event":"claimed","link":` + known(false) + `,"principal":"` +
			rapid.SampledFrom([]string{"ann", "bob"}).Draw(t, "by") + `","browser":"` +
			rapid.SampledFrom([]string{"x", "y"}).Draw(t, "browser") + `"}`
	case 6:
		return `{"event":"completed","id":` + known(false) + `}`
	}
	if rapid.IntRange(0, 20).Draw(t, "close") == 0 {
		cause := rapid.SampledFrom([]string{"session_closed", "shutdown"}).Draw(t, "cause")
		return `{"event":"closed","cause":"` + cause + `"}`
	}
	return `{"event":"ticked"}`
}

const numberSchema = `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`

// oracle knows what each question came to, and which refs and links belong to which question.
type oracle struct {
	t      *rapid.T
	first  map[elicit.ID]asking.Settle
	refs   map[string]elicit.ID
	links  map[string]elicit.ID
	closed bool
}

func (o *oracle) check(text string, effects []asking.Effect) {
	for _, next := range effects {
		switch ef := next.(type) {
		case asking.Send:
			o.refs[ef.Ref] = ef.ID
		case asking.Page:
			o.links[ef.Link] = ef.Show.ID
		case asking.Settle:
			o.settle(text, ef)
		}
		if _, problem := next.(effect.Problem); o.closed && !problem {
			if _, record := next.(effect.Append); !record {
				o.t.Fatalf("after the end: %s", next.AppendJSON(nil))
			}
		}
	}
}

func (o *oracle) settle(text string, s asking.Settle) {
	say := string(s.AppendJSON(nil))
	if s.Outcome == elicit.Accepted && s.Content != nil {
		var content struct{ N *int }
		if json.Unmarshal(s.Content, &content) != nil || content.N == nil {
			o.t.Fatalf("content that does not fit: %s", say)
		}
	} else if s.Outcome != elicit.Accepted && s.Content != nil {
		o.t.Fatalf("content without an accept: %s", say)
	}
	if s.ID == "" {
		return
	}
	before, again := o.first[s.ID]
	switch {
	case s.Replayed && (!strings.HasPrefix(text, `{"event":"posed"`) || !again):
		o.t.Fatalf("a replay of nothing, after %s: %s", text, say)
	case s.Replayed && (before.Outcome != s.Outcome || before.Cause != s.Cause ||
		string(before.Content) != string(s.Content)):
		o.t.Fatalf("a replay of something else: %s, before %s", say, before.AppendJSON(nil))
	case !s.Replayed && again:
		o.t.Fatalf("settled twice: %s, before %s", say, before.AppendJSON(nil))
	case !s.Replayed:
		o.first[s.ID] = s
	}
}

// TestAnswersReachTheirQuestion answers open requests with the number of their call, and old ones again.
func TestAnswersReachTheirQuestion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		config := asking.Config{Server: "bot", Principal: "ann", Version: "2025-11-25", Declared: both, Requests: true}
		m, _, problems := asking.New(config, asking.Input{})
		if problems != nil {
			t.Fatal(problems)
		}
		now, settled := int64(0), map[string]int{}
		waiting := map[string]int{} // the number that answers a ref
		step := func(ev asking.Event) {
			now++
			for _, next := range m.Step(asking.Input{At: now, Random: [32]byte{byte(now), byte(now >> 8)}, Event: ev}) {
				switch ef := next.(type) {
				case asking.Send:
					var call int
					fmt.Sscan(ef.Call, &call)
					waiting[ef.Ref] = call
				case asking.Settle:
					settled[ef.Call]++
					if want := `{"n":` + ef.Call + `}`; string(ef.Content) != want {
						t.Fatalf("call %s got %s", ef.Call, ef.Content)
					}
				}
			}
		}
		n := rapid.IntRange(2, 8).Draw(t, "calls")
		for call := range n {
			step(asking.Called{Call: fmt.Sprint(call), Target: "deploy"})
			step(asking.Posed{Call: fmt.Sprint(call), Question: text("How many?")})
		}
		var refs []string // of requests so far, answered or not
		for len(settled) < n {
			refs = refs[:0]
			for ref := range waiting {
				refs = append(refs, ref)
			}
			slices.Sort(refs)
			ref := rapid.SampledFrom(refs).Draw(t, "ref")
			step(asking.Responded{Ref: ref, Result: number(waiting[ref])})
		}
		for _, ref := range refs { // each answer comes once more
			step(asking.Responded{Ref: ref, Result: number(waiting[ref])})
		}
		for call := range n {
			if settled[fmt.Sprint(call)] != 1 {
				t.Fatalf("call %d settled %d times", call, settled[fmt.Sprint(call)])
			}
		}
	})
}
