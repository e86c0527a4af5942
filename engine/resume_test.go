package engine_test

import (
	"bytes"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/internal/must"
)

// savedState has every member that Save may write.
const savedState = `{"state":1,"opened":{"event":"opened","session":"s","server":"build","side":"answering",` +
	`"declared":["form","url"],"shown":["form","url"],"principal":"me"},"open":[` +
	`{"id":"00000000000000000000000000000001","state":"shown","deadline":9000,"rounds":2,"receipts":["shown","focused"],` +
	`"joined":[{"id":"00000000000000000000000000000002","ref":"2","parent":"call"}],"told":["/a"],` +
	`"draft":{"a":"Ada"},` +
	`"asked":{"event":"asked","session":"s","ref":"1","mode":"form","message":"Who?","schema":{"type":"object",` +
	`"properties":{"a":{"type":"string"}}}}},` +
	`{"id":"00000000000000000000000000000003","state":"awaiting","finished":false,"by":"policy",` +
	`"asked":{"event":"asked","session":"s","ref":"3","mode":"url","message":"Go","url":"https://example.org/",` +
	`"link":"L"}}` +
	`],"ended":[{"id":"00000000000000000000000000000004","outcome":"decline","cause":"user"}],` +
	`"visited":["example.org","127.0.0.1","[::1]"],"servers":["tools"],"muted":true,` +
	`"typed":[{"field":"a","value":"Ada","at":1,"id":"00000000000000000000000000000005","kind":"text"}],` +
	`"accepted":[{"tool":"b","message":"Go on?"},{"message":"Go"}],` +
	`"reviews":"ad|d","grants":[{"id":"00000000000000000000000000000006",` +
	`"digest":"0000000000000000000000000000000000000000000000000000000000000006","server":"","message":"Go on?",` +
	`"scope":"session"}],"session_allowance":60000,"session_allowance_at":5,"allowance":60000,"allowance_at":5}`

// savedConfig lets everything in savedState stand.
const savedConfig = `{"show_changes":true,"policy":{"user":{"version":1,"suggestions":"server"}},` +
	`"limits":{"per_minute_session":60}}`

func resumeInto(t *testing.T, state string) (*engine.Engine, []effect.Effect) {
	t.Helper()
	e := engine.New()
	e.Step(engine.Input{At: 10, Event: event.Configured{Config: []byte(savedConfig)}})
	_, effects := effect.Records(e.Step(engine.Input{At: 10, Event: event.Resumed{State: []byte(state)}}))
	return e, effects
}

// TestResumeTakesAll: nothing of a saved session is lost, so it is saved again as it was.
func TestResumeTakesAll(t *testing.T) {
	e, effects := resumeInto(t, savedState)
	for _, next := range effects {
		if p, bad := next.(effect.Problem); bad {
			t.Fatalf("%s", p.AppendJSON(nil))
		}
	}
	want := strings.Replace(savedState, `"finished":false,`, "", 1)
	if got, _ := e.Save("s"); withoutAllowances(string(got)) != withoutAllowances(want) {
		t.Errorf("saved again:\n%s\nwant\n%s", got, want)
	}
}

// withoutAllowances cuts off the last members, which time changes.
func withoutAllowances(state string) string {
	head, _, _ := strings.Cut(state, `,"session_allowance"`)
	return head
}

// TestResumeRefuses: a state with anything wrong in it changes nothing, wherever it is.
func TestResumeRefuses(t *testing.T) {
	for _, c := range []struct{ old, new, pointer string }{
		{`"open":[`, `"opens":[`, "/open"},
		{`"state":1,`, `"state":1,"extra":1,`, "/extra"},
		{`"muted":true`, `"muted":"true"`, "/muted"},
		{`"muted":true`, `"Muted":true`, "/Muted"},
		{`"visited":["example.org"`, `"visited":[7`, "/visited"},
		{`"visited":["example.org"`, `"visited":["example.org/x"`, "/visited"},
		{`"visited":["example.org"`, `"visited":["user@example.org"`, "/visited"},
		{`"visited":["example.org"`, `"visited":["EXAMPLE.org"`, "/visited"},
		{`"visited":["example.org"`, `"visited":["example.org:8080"`, "/visited"},
		{`"visited":["example.org"`, `"visited":[` + repeated(`"a%d.org"`, 65), "/visited"},
		{`"visited":["example.org","127.0.0.1","[::1]"]`, `"visited":{"0":"example.org"}`, "/visited"},
		{`"servers":["tools"]`, `"servers":"tools"`, "/servers"},
		{`"servers":["tools"]`, `"servers":[""]`, "/servers"},
		{`"servers":["tools"]`, `"servers":["` + strings.Repeat("x", 1025) + `"]`, "/servers"},
		{`"servers":["tools"]`, `"servers":[` + repeated(`"s%d"`, 65) + `]`, "/servers"},
		{`"reviews":"ad|d"`, `"reviews":["a"]`, "/reviews"},
		{`"reviews":"ad|d"`, `"reviews":"axd"`, "/reviews"},
		{`"reviews":"ad|d"`, `"reviews":"|a|"`, "/reviews"},
		{`"reviews":"ad|d"`, `"reviews":"` + strings.Repeat("a", 51) + `"`, "/reviews"},
		{`"outcome":"decline"`, `"outcome":"declined"`, "/ended"},
		{`"outcome":"decline"`, `"outcome":1`, "/ended"},
		{`"cause":"user"`, `"cause":"nobody"`, "/ended"},
		{`"cause":"user"`, `"cause":"user","why":""`, "/ended"},
		{`"00000000000000000000000000000004"`, `"4"`, "/ended"},
		{`"ended":[`, `"ended":[null,`, "/ended"},
		{`"ended":[`, `"ended":[` + repeated(`{"id":"%032x","outcome":"accept","cause":"user"}`, 1024) + `,`, "/ended"},
		{`"allowance":60000`, `"allowance":-1`, "/allowance"},
		{`"allowance":60000`, `"allowance":"60000"`, "/allowance"},
		{`"allowance_at":5}`, `"allowance_at":5.5}`, "/allowance_at"},
		{`"session_allowance":60000`, `"session_allowance":1e300`, "/session_allowance"},
		{`"session_allowance":60000,`, ``, "/session_allowance"},
		{`"kind":"text"`, `"kind":"texts"`, "/typed"},
		{`"message":"Go"}`, `"message":""}`, "/accepted"},
		{`{"message":"Go"}`, `{"message":"Go","at":1}`, "/accepted"},
		{`"scope":"session"`, `"scope":"always"`, "/grants"},
		{`"deadline":9000`, `"deadline":-1`, "/open"},
		{`"deadline":9000`, `"deadline":"9000"`, "/open"},
		{`"deadline":9000`, `"deadline":9e99`, "/open"},
		{`"rounds":2`, `"rounds":-2`, "/open"},
		{`"rounds":2`, `"rounds":2,"round":2`, "/open"},
		{`"receipts":["shown"`, `"receipts":["seen"`, "/open"},
		{`"receipts":["shown"`, `"receipts":["focused"`, "/open"},
		{`"receipts":["shown","focused"]`, `"receipts":"shown"`, "/open"},
		{`"ref":"2"`, `"ref":2`, "/open"},
		{`"ref":"2"`, `"ref":"1"`, "/open"},
		{`"ref":"2"`, `"ref":"2","tool":"x"`, "/open"},
		{`"joined":[`, `"joined":[[],`, "/open"},
		{`"00000000000000000000000000000002"`, `"00000000000000000000000000000001"`, "/open"},
		{`"00000000000000000000000000000003"`, `"00000000000000000000000000000001"`, "/open"},
		{`"told":["/a"]`, `"told":["/b"]`, "/open"},
		{`"told":["/a"]`, `"told":["/a/0"]`, "/open"},
		{`"told":["/a"]`, `"told":["/a","/a"]`, "/open"},
		{`"told":["/a"]`, `"told":{"0":"/a"}`, "/open"},
		{`"draft":{"a":"Ada"}`, `"draft":"Ada"`, "/open"},
		{`"finished":false`, `"finished":0`, "/open"},
		{`"by":"policy"`, `"by":"user"`, "/open"},
		{`"by":"policy"`, `"by":"policy","draft":{}`, "/open"},
		{`"state":"shown"`, `"state":"awaiting"`, "/open"},
		{`"message":"Go"`, `"message":"Go","told":1`, "/open"},
	} {
		state := strings.Replace(savedState, c.old, c.new, 1)
		if state == savedState {
			t.Errorf("%s is not in the state", c.old)
		}
		e, effects := resumeInto(t, state)
		p, refused := effects[0].(effect.Problem)
		if !refused || p.About != effect.AboutSession || p.Problems[0].Pointer != c.pointer {
			t.Errorf("%s for %s: %s, want a problem with %s", short(c.new), short(c.old), effects[0].AppendJSON(nil), c.pointer)
		}
		if len(e.Sessions())+len(e.Grants()) > 0 || len(effects) > 1 {
			t.Errorf("%s for %s: something of a state that is refused stays", short(c.new), short(c.old))
		}
	}
}

func repeated(format string, times int) string {
	var list []string
	for i := range times {
		list = append(list, fmt.Sprintf(format, i))
	}
	return strings.Join(list, ",")
}

func short(s string) string { return s[:min(len(s), 60)] }

// TestResumeCannotSpeakForOthers: a state that claims to know how another session's question ended is refused, and what
// a draft holds beside the fields of its form is dropped.
func TestResumeCannotSpeakForOthers(t *testing.T) {
	e := engine.New()
	var id elicit.ID
	form := elicit.Modes{Form: true}
	for at, ev := range []event.Event{
		event.Opened{Session: "other", Server: "build", Side: elicit.Answering, Declared: form, Shown: form},
		event.Asked{Request: elicit.Request{Session: "other", Ref: "1", Mode: elicit.Form, Message: "Who?",
			Schema: []byte(`{"type":"object","properties":{"a":{"type":"string"}}}`)}},
	} {
		for _, next := range e.Step(engine.Input{At: int64(at + 1), Event: ev}) {
			if show, ok := next.(effect.Show); ok {
				id = show.ID
			}
		}
	}
	e.Step(engine.Input{At: 3, Event: event.Answered{Session: "other", ID: id, Action: elicit.Decline}})
	state := strings.Replace(savedState, "00000000000000000000000000000004", string(id), 1)
	_, effects := effect.Records(e.Step(engine.Input{At: 4, Event: event.Resumed{State: []byte(state)}}))
	if p, refused := effects[0].(effect.Problem); !refused || p.Problems[0].Pointer != "/ended" {
		t.Errorf("%s", effects[0].AppendJSON(nil))
	}
	_, effects = resumeInto(t, strings.Replace(savedState, `"draft":{"a":"Ada"}`, `"draft":{"a":"Ada","b":"hunter2"}`, 1))
	if show, ok := effects[0].(effect.Show); !ok || string(show.Draft) != `{"a":"Ada"}` {
		t.Errorf("%s", effects[0].AppendJSON(nil))
	}
}

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

var update = flag.Bool("update", false, "write the effects in testdata/traces anew")

// TestTraces runs the readable scripts in testdata/traces. In each,
//
//	# text            is for the reader
//	> 1000 {"event"…} is an input at that time; an answer may name its request #1, #2, … in order of appearance
//	< show …          is an effect that it brings about, without its journal record
func TestTraces(t *testing.T) {
	paths, err := filepath.Glob("testdata/traces/*.txt")
	if err != nil || len(paths) < 6 {
		t.Fatalf("%d traces: %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) { runTrace(t, path) })
	}
}

func runTrace(t *testing.T, path string) {
	want := must.Read(t, path)
	var got, journal bytes.Buffer
	e, names := engine.New(), naming{}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(want), "\n"), "\n") {
		if strings.HasPrefix(line, "< ") {
			continue
		}
		got.WriteString(line + "\n")
		input, ok := strings.CutPrefix(line, "> ")
		if !ok {
			continue
		}
		records, effects := effect.Records(e.Step(traceInput(t, input, names)))
		for _, record := range records {
			journal.Write(append(record, '\n'))
		}
		names.render(effects)
		for _, next := range effects {
			got.WriteString("< " + tell(next, names) + "\n")
		}
	}
	if *update {
		must.Write(t, got.Bytes(), path)
	} else if got.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
	if r := engine.Replay(journal.Bytes(), nil); r.Problem != nil {
		t.Errorf("the journal of this trace does not replay: %s", r.Problem.AppendJSON(nil))
	}
}

func traceInput(t *testing.T, line string, names naming) engine.Input {
	t.Helper()
	at, doc, _ := strings.Cut(line, " ")
	when, err := strconv.ParseInt(at, 10, 64)
	must.OK(t, err)
	given, problems := event.Read([]byte(doc))
	if given == nil {
		t.Fatalf("%s: %s", line, elicit.AppendList(nil, problems))
	}
	switch ev := given.(type) {
	case event.Answered:
		ev.ID = names.id(string(ev.ID), ev.ID)
		given = ev
	case event.Consulted:
		ev.ID = names.id(string(ev.ID), ev.ID)
		given = ev
	}
	return engine.Input{At: when, Event: given}
}

// tell writes an effect in a line that a newcomer can read.
func tell(next effect.Effect, names naming) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	switch ef := next.(type) {
	case effect.Show:
		say("show %s: %s asks %q", names[ef.ID], ef.Server, ef.Message)
		if ef.URL != "" {
			say(" and would open %s", ef.URL)
		}
		if ef.Deadline > 0 {
			say(", until %d", ef.Deadline)
		}
		if ef.Waiting > 0 {
			say(", %d more waiting", ef.Waiting)
		}
		for _, f := range ef.Findings {
			say("\n<   %s: %s", f.Severity, english.Finding(f))
		}
		tellReasons(&b, ef.Reasons)
	case effect.Reply:
		say("reply to %s (%s): %s, because %s", ef.Ref, names[ef.ID], ef.Outcome, english.Ended(ef.Cause, ef.Reasons))
		if ef.Content != nil {
			say("\n<   content %s", ef.Content)
		}
		tellProblems(&b, ef.Problems)
		if ef.Cause != elicit.ByUser {
			tellReasons(&b, ef.Reasons)
		}
	case effect.Withdraw:
		say("withdraw %s: %s", names[ef.ID], english.Cause(ef.Cause))
	case effect.OpenURL:
		say("open %s for %s", ef.URL, names[ef.ID])
	case effect.Resolve:
		say("resolve %s: page %s", names[ef.ID], ef.Resolution)
	case effect.Wake:
		say("wake at %d", ef.At)
	case effect.Consult:
		say("ask guardian %s about %s, until %d: %s", ef.Guardian, names[ef.ID], ef.Deadline, ef.Question)
	case effect.Problem:
		say("problem")
		tellProblems(&b, ef.Problems)
	}
	return b.String()
}

func tellProblems(b *strings.Builder, problems []elicit.Problem) {
	for _, p := range problems {
		fmt.Fprintf(b, "\n<   %s: %s", strings.TrimPrefix(p.Pointer, "/"), english.Problem(p))
	}
}

func tellReasons(b *strings.Builder, reasons []elicit.Reason) {
	for _, r := range reasons {
		fmt.Fprintf(b, "\n<   %s", english.Reason(r))
	}
}
