package engine_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/engine/policy"
)

// town is a run of many servers that ask and people who answer, written through Step.
type town struct {
	e       *engine.Engine
	journal bytes.Buffer
	at      int64
	shown   elicit.ID
	session string
}

func (w *town) do(ev event.Event) {
	w.at += 250
	in := engine.Input{At: w.at, Event: ev}
	binary.LittleEndian.PutUint64(in.Random[:], uint64(w.at))
	for _, next := range w.e.Step(in) {
		switch ef := next.(type) {
		case effect.Append:
			w.journal.Write(ef.Record)
			w.journal.WriteByte('\n')
		case effect.Show:
			w.shown, w.session = ef.ID, ef.Session
		}
	}
}

const townPolicy = `{"policy":{"user":{"version":1,"approval_policy":"on-request","rules":[
	{"name":"no-secrets","when":{"sensitive":true},"then":"decline"},
	{"name":"pages","when":{"kind":"url","server":"server-3"},"then":"cancel"}]}},
	"limits":{"per_minute":60000,"burst":60000}}`

var townSchemas = []string{
	`{"type":"object","properties":{"replicas":{"type":"integer","default":2,"minimum":1,"maximum":9}},` +
		`"required":["replicas"]}`,
	`{"type":"object","properties":{}}`,
	`{"type":"object","properties":{"name":{"type":"string","title":"Name","maxLength":80},` +
		`"mail":{"type":"string","format":"email"},"agree":{"type":"boolean","default":false}},"required":["name"]}`,
	`{"type":"object","properties":{"region":{"type":"string","oneOf":[{"const":"eu","title":"Europe"},` +
		`{"const":"us","title":"America"}]}}}`,
	`{"type":"object","properties":{"password":{"type":"string"}}}`,
	`{"type":"object","properties":{"nested":{"type":"object","properties":{}}}}`,
	`{"type":"object","properties":{"tags":{"type":"array","items":{"type":"string","enum":["a","b","c"]},` +
		`"maxItems":2},"note":{"type":"string",` +
		`"description":"Anything the operators should know before the deployment begins."}}}`,
}

// townJournal is a journal of n records, made once for each n.
var townJournal = func() func(n int) []byte {
	var mu sync.Mutex
	made := map[int][]byte{}
	return func(n int) []byte {
		mu.Lock()
		defer mu.Unlock()
		if made[n] == nil {
			made[n] = makeTown(n)
		}
		return made[n]
	}
}()

func makeTown(n int) []byte {
	w := &town{e: engine.New(), at: 1785000000000}
	w.do(event.Configured{Config: []byte(townPolicy)})
	both := elicit.Modes{Form: true, URL: true}
	for i := range 16 {
		w.do(event.Opened{Session: fmt.Sprint("session-", i), Server: fmt.Sprint("server-", i), Side: elicit.Answering,
			Declared: both, Shown: both})
	}
	for i, records := 0, 17; records < n; i++ {
		w.shown = ""
		r := elicit.Request{Session: fmt.Sprint("session-", i%16), Ref: fmt.Sprint(i), Tool: fmt.Sprint("tool-", i%5),
			Mode:    elicit.Form,
			Message: fmt.Sprintf("Step %d of the roll-out wants a word with you: shall we go on with build %d?", i, i*7)}
		if i%9 == 8 {
			r.Mode, r.URL = elicit.URL, fmt.Sprintf("https://accounts.example.org/consent?step=%d", i)
		} else {
			r.Schema = []byte(townSchemas[i%len(townSchemas)])
		}
		w.do(event.Asked{Request: r})
		if records++; w.shown != "" && records < n {
			w.do(event.Answered{Session: w.session, ID: w.shown, Action: elicit.Decline})
			records++
		}
	}
	return w.journal.Bytes()
}

// stack reads policies given as layer, document, layer, document….
func stack(t testing.TB, layers ...string) policy.Stack {
	t.Helper()
	var all []*policy.Policy
	for i := 0; i < len(layers); i += 2 {
		for _, layer := range policy.Layers() {
			if layer.String() == layers[i] {
				p, problems := policy.Parse(layer, []byte(layers[i+1]))
				if problems != nil {
					t.Fatalf("%s: %v", layers[i], problems)
				}
				all = append(all, p)
			}
		}
	}
	return policy.NewStack(all...)
}

const samePolicy = `{"version":1,"approval_policy":"on-request","rules":[
	{"name":"no-secrets","when":{"sensitive":true},"then":"decline"},
	{"name":"pages","when":{"kind":"url","server":"server-3"},"then":"cancel"}]}`

// TestSimulateSame holds that the recorded policy changes nothing, whatever the records hold.
func TestSimulateSame(t *testing.T) {
	told := 0
	got := engine.Simulate(townJournal(2000), stack(t, "user", samePolicy), func(d *engine.Decided) {
		if told++; d.Changed() {
			t.Errorf("record %d differs: %s", d.Record, d.AppendJSON(nil))
		}
	})
	if got.Problem != nil || got.Records != 2000 || got.Asked < 1000 || got.Decided < 800 || got.Changed != 0 ||
		told != got.Decided {
		t.Errorf("got %+v, told of %d", got, told)
	}
}

// TestSimulateAgreesWithARun holds a simulation against the truth: the same inputs stepped under the other policy.
func TestSimulateAgreesWithARun(t *testing.T) {
	const other = `{"version":1,"approval_policy":"on-request","findings":{"decline":"high"},"rules":[
		{"name":"no-pages","when":{"kind":"url"},"then":"decline"},
		{"name":"trusted","when":{"server":"server-1*","kind":"confirm"},"then":"accept"}]}`
	records := townJournal(2000)
	told := map[int64]policy.Outcome{}
	if out := engine.Simulate(records, stack(t, "user", other), func(d *engine.Decided) {
		if d.Changed() {
			told[d.Record] = d.Now.Outcome
		}
	}); out.Problem != nil {
		t.Fatal(out.Problem)
	}
	then, now := fates(t, records, ""), fates(t, records,
		`{"policy":{"user":`+other+`},"limits":{"per_minute":60000,"burst":60000}}`)
	differ := 0
	for record, was := range then {
		is := now[record]
		if was == is {
			if o, ok := told[record]; ok {
				t.Errorf("record %d: simulated %s, but the run stays at %s", record, o, was)
			}
			continue
		}
		differ++
		if told[record].String() != is {
			t.Errorf("record %d: simulated %q, the run changes from %s to %s", record, told[record], was, is)
		}
	}
	if differ != len(told) || differ < 100 {
		t.Errorf("%d decisions differ in the run, %d in the simulation; want the same, and many", differ, len(told))
	}
}

// fates replays the events of a journal, under config in place of the recorded one unless it is "", and tells what came
// of each question before anybody answered.
func fates(t *testing.T, records []byte, config string) map[int64]string {
	t.Helper()
	e, fate, seq := engine.New(), map[int64]string{}, int64(0)
	var events []engine.Input
	if p := engine.Replay(records, nil).Problem; p != nil {
		t.Fatal(p)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(records)), "\n") {
		given, problems := event.Read([]byte(between(line, `"event":`, `,"effects":`)))
		if problems != nil {
			t.Fatal(problems)
		}
		events = append(events, engine.Input{At: int64(len(events)) * 250, Event: given})
	}
	for _, in := range events {
		seq++
		switch ev := in.Event.(type) {
		case event.Answered:
			continue
		case event.Configured:
			if config != "" {
				in.Event = event.Configured{Config: []byte(config)}
			}
		case event.Asked:
			in.Random[0], in.Random[1], in.Random[2] = byte(seq), byte(seq>>8), 1
			fate[seq] = outcomeOf(e.Step(in))
			e.Step(engine.Input{At: in.At, Event: event.Cancelled{Session: ev.Session, Ref: ev.Ref}})
			continue
		}
		e.Step(in)
	}
	return fate
}

func outcomeOf(effects []effect.Effect) string {
	for _, next := range effects {
		switch ef := next.(type) {
		case effect.Show:
			return "ask"
		case effect.Reply:
			return string(ef.Outcome)
		}
	}
	return "nothing"
}

func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return s
}

// FuzzSimulate walks well-chained journals with anything in their records: the chain proves order, not sense.
func FuzzSimulate(f *testing.F) {
	f.Add(`{"event":"asked","session":"s","ref":"1","mode":"form","message":"m","schema":{"type":"object",`+
		`"properties":{}}}`, `[{"effect":"show","reasons":7}]`)
	f.Add(`{"event":"configured","config":{"policy":{"user":{"version":2}}}}`, `[]`)
	f.Add(`{"event":"resumed","state":{"opened":{"event":"opened"}}}`, `[1,null,{"effect":{}}]`)
	f.Add(`{"event":"closed","session":"s","cause":"x"}`, `{}`)
	other := stack(f, "user", `{"version":1,"rules":[{"name":"all","when":{"server":"*"},"then":"decline"}]}`)
	f.Fuzz(func(t *testing.T, given, effects string) {
		var records []byte
		var head journal.Head
		for _, ev := range []string{`{"event":"opened","session":"s","server":"s","side":"answering",` +
			`"declared":["form","url"],"shown":[]}`, given,
			`{"event":"asked","session":"s","ref":"1","mode":"form","message":"m","schema":{"type":"object","properties":{}}}`} {
			var line []byte
			line, head = journal.Append(nil, head, journal.Record{Event: []byte(ev), Effects: []byte(effects)})
			records = append(append(records, line...), '\n')
		}
		told, changed := 0, 0
		out := engine.Simulate(records, other, func(d *engine.Decided) {
			if told++; d.Changed() {
				changed++
			}
			if !json.Valid(d.AppendJSON(nil)) {
				t.Errorf("%s", d.AppendJSON(nil))
			}
		})
		if out.Changed != changed || out.Decided != told || out.Decided > out.Asked ||
			out.Asked > out.Records || out.Problem == nil && out.Records != 3 {
			t.Errorf("%+v, told %d, changed %d", out, told, changed)
		}
	})
}

// BenchmarkSimulate goes through 100,000 records; the budget is 2 s.
func BenchmarkSimulate(b *testing.B) {
	const n = 100_000
	records := townJournal(n)
	kept := bytes.Count(records, []byte{'\n'}) // some events are counted and have no record of their own
	other := stack(b, "managed", `{"version":1,"rules":[{"name":"no-pages","when":{"kind":"url"},"then":"decline"}]}`,
		"user", samePolicy)
	b.SetBytes(int64(len(records)))
	changed := 0
	for b.Loop() {
		out := engine.Simulate(records, other, func(*engine.Decided) {})
		if out.Problem != nil || out.Records != kept || out.Changed == 0 {
			b.Fatalf("%+v", out)
		}
		changed = out.Changed
	}
	b.ReportMetric(float64(kept)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
	b.ReportMetric(float64(changed), "differences")
}
