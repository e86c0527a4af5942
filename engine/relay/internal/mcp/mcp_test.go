package mcp

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// TestProgressOnlyRises reports numbers of every size. The machine's numbers must rise for days and stay below the
// server's next one.
func TestProgressOnlyRises(t *testing.T) {
	for _, said := range []string{"", "0", "1", "-5", "0.25", "99.5", "1e9", "123456789012", "1e300", "1e-300"} {
		u := progress{token: []byte("1")}
		high := 0.0
		if said != "" {
			o, _ := wire.ReadObject([]byte(`{"progress":` + said + `}`))
			u.report(o.Get("progress"), o.Get("total"))
			high = u.last + maxAhead*max(1, math.Abs(u.last))
		}
		before := math.Inf(-1)
		if u.reported {
			before = u.last
		}
		for i := range 100_000 { // 17 days
			beat := u.next()
			n := gjson.GetBytes(beat, "params.progress")
			if !gjson.ValidBytes(beat) || n.Type != gjson.Number || n.Num <= before || n.Num > high {
				t.Fatalf("after the server's %q, beat %d: %s follows %v, want more and at most %v", said, i, beat, before, high)
			}
			before = n.Num
		}
	}
}

// TestToolsAreBounded fills each table of tools to its bound. A tool beyond it counts as not said.
func TestToolsAreBounded(t *testing.T) {
	list := func(names ...string) []byte {
		return []byte(`{"tools":[{"name":"` + strings.Join(names, `","annotations":{"readOnlyHint":true}},{"name":"`) +
			`","annotations":{"readOnlyHint":true}}]}`)
	}
	const nameBytes = 256
	tools, long := newToolbox(false), strings.Repeat("x", nameBytes)
	tools.listed(list(long, long+"x"))
	if n := len(tools.annotations); n != 1 || tools.annotations[long].ReadOnly == elicit.Unsaid {
		t.Errorf("%d tools are known, want the one whose name has %d bytes", n, nameBytes)
	}
	for i := range maxTools {
		tools.listed(list(fmt.Sprint("tool-", i)))
	}
	tools.listed([]byte(`{"tools":[{"name":"tool-0"}]}`))
	last, beyond := fmt.Sprint("tool-", maxTools-2), fmt.Sprint("tool-", maxTools-1)
	if n := len(tools.annotations); n != maxTools || tools.annotations[last].ReadOnly == elicit.Unsaid ||
		tools.annotations[beyond].ReadOnly != elicit.Unsaid || tools.annotations["tool-0"].ReadOnly != elicit.Unsaid {
		t.Errorf("%d tools are known, want %d, the last of them %s, and the last word about tool-0", n, maxTools, last)
	}
	tools.listed([]byte(`{"tools":[],"tools":[]}`))
	if len(tools.annotations)+len(tools.said) != 0 {
		t.Error("a list that readers read in two ways leaves tools known")
	}

	n := names{}
	n.text([]byte(`"` + long[2:] + `"`))
	if n.text([]byte(`"` + long[1:] + `"`)); len(n) != 1 {
		t.Errorf("%d names are kept, want only that of %d bytes", len(n), nameBytes)
	}
	for i := range maxTools {
		if n.text(fmt.Append(nil, i)); n.text([]byte(`"a\u0062"`)) != "ab" {
			t.Fatal("a name is not read")
		}
	}
	if len(n) != maxTools {
		t.Errorf("%d names are kept, want %d", len(n), maxTools)
	}
}

// TestSchemasAreBounded lists tools with large schemas. A schema that is not kept checks no arguments.
func TestSchemasAreBounded(t *testing.T) {
	const each, all = 65_536, 8_388_608
	tools := newToolbox(true)
	keep := func(name string, size int) int {
		tools.keep(mcp.Tool{Name: name, InputSchema: []byte(`{` + strings.Repeat(" ", size-2) + `}`)})
		return len(tools.said[name].schema)
	}
	if tools.keep(mcp.Tool{Name: "none"}); tools.said["none"].schema != nil {
		t.Error("a tool without a schema has one")
	}
	if keep("large", each+1) != 0 || keep("large", each) != each {
		t.Errorf("a schema is not kept up to %d bytes", each)
	}
	for i := range all/each - 2 {
		keep(fmt.Sprint("tool-", i), each)
	}
	tools.listed([]byte(`{"tools":[],"tools":[]}`))
	for i := range all/each - 1 {
		keep(fmt.Sprint("tool-", i), each)
	}
	for range 2 { // listed once more, it takes the place of itself
		if keep("last", each) != each || keep("more", 2) != 0 {
			t.Errorf("schemas are not kept up to %d bytes", all)
		}
	}
}

func TestBeginning(t *testing.T) {
	for text, want := range map[string]string{"": "", "abc": "abc", "abcd": "abc…", "aé": "aé", "abé": "ab…",
		"a水": "a…", "水": "水", "水x": "水…", "a\u07bfx": "a\u07bf…"} {
		if got := beginning([]byte(text), 3); got != want {
			t.Errorf("%q begins with %q, want %q", text, got, want)
		}
	}
}

// TestTasksAreBounded adds an entry that is just allowed, and one that is not. The oldest task is forgotten.
func TestTasksAreBounded(t *testing.T) {
	const bytes, most = 67_108_864, 256
	l := tasks{}
	one := l.made("t", nil)
	if l.add(one, &mcp.Entry{Key: "a"}, bytes) == nil || l.add(one, &mcp.Entry{Key: "b"}, 1) != nil {
		t.Errorf("the entries of tasks do not have up to %d bytes", bytes)
	}
	if l.forget(one); l.kept != 0 || len(l.list) != 0 {
		t.Errorf("a forgotten task leaves %d bytes", l.kept)
	}
	one = l.made("t", nil)
	for n := range most + 1 {
		if added := l.add(one, &mcp.Entry{Key: fmt.Sprint(n)}, 0) != nil; added != (n < most) {
			t.Errorf("entry %d of a task is added: %v", n, added)
		}
	}
	k := &call{method: methodToolsCall}
	m, d, _ := start()
	l = d.tasks
	q := &link.Question{}
	l.add(l.made("t", nil), &mcp.Entry{Key: "q"}, 0).question = q
	for n := range most {
		if m.how != nil {
			t.Errorf("task %d ends another", n)
		}
		l.take(mcp.Task{ID: fmt.Sprint(n)}, k, "", 0)
	}
	if m.how == nil || m.how(q) != link.Cancel {
		t.Error("the question of a forgotten task goes on")
	}
	if l.take(mcp.Task{ID: "asks nothing"}, nil, "", 0); l.find("asks nothing") != nil {
		t.Error("a task that asks nothing is remembered")
	}
	if len(l.list) != most || l.find("t") != nil || l.find("0") == nil {
		t.Errorf("%d tasks are remembered, want %d", len(l.list), most)
	}
}

// TestShortTimes: how long an ended call counts, how long a busy server is let alone, and which total is told.
func TestShortTimes(t *testing.T) {
	if l := (endings{}).with("a", 1).with("b", 2).with("c", 60_002); len(l) != 2 || l[0].tool != "b" {
		t.Errorf("a minute later, %v may have asked", l)
	}
	l := endings{}
	for n := range 2 * elicit.MaxCandidates {
		l = l.with(fmt.Sprint(n), 1)
	}
	if len(l) != elicit.MaxCandidates+1 {
		t.Errorf("%d ended calls are remembered", len(l))
	}
	k := &call{}
	for n, want := range []int64{250, 500, 1000, 2000, 4000, 4000} {
		if got := pause(k); got != want {
			t.Errorf("pause %d has %d ms, want %d", n, got, want)
		}
	}
	for digits, told := range map[int]bool{32: true, 33: false} {
		u := progress{token: []byte("1")}
		total := strings.Repeat("9", digits)
		u.report([]byte("1"), []byte(total))
		if strings.Contains(string(u.next()), total) != told {
			t.Errorf("a total of %d digits is told: %v", digits, !told)
		}
	}
}

// machine is what a dialogue meets. It says what the dialogue does, and keeps the latest question.
type machine struct {
	link.Link
	link.Repeater
	said  []string
	asked *link.Question
	how   func(*link.Question) link.How // of the latest Withdraw
	state link.Engine
	told  func() // runs once, while the engine is told something
}

func (m *machine) Fail(k *link.Call, problems ...elicit.Problem) {
	k.Open, m.said = false, append(m.said, "fail "+problems[0].Code)
}
func (m *machine) Note(_ link.End, problems ...elicit.Problem) {
	m.said = append(m.said, "note "+problems[0].Code)
}
func (m *machine) Deliver(*link.Call, []byte, []byte) { m.said = append(m.said, "deliver") }
func (m *machine) Tell(event.Event) {
	if told := m.told; told != nil {
		m.told = nil
		told()
	}
}
func (m *machine) Ask(q *link.Question)                                       { m.asked = q }
func (m *machine) Withdraw(how func(*link.Question) link.How)                 { m.how = how }
func (m *machine) Engine() link.Engine                                        { return m.state }
func (*machine) Send(link.End, []byte, func())                                {}
func (*machine) End(*link.Call, bool)                                         {}
func (*machine) Questions() []*link.Question                                  { return nil }
func (*machine) Session(_, _ elicit.Modes, _ string) (session, server string) { return "form", "" }

// start makes a dialogue, and gives it calls of the client one by one.
func start() (m *machine, d *Dialogue, add func(request string) *call) {
	m = &machine{state: link.Engine{Arguments: 1 << 20}}
	to := &link.Connection{Link: m, Who: &link.Audience{Ask: link.AskClient}, Calls: link.NewCalls(),
		Clock: &link.Clock{}, IDs: &link.IDs{}}
	d = New(to, m, Config{HoldCalls: true})
	return m, d, func(request string) *call {
		k := made(&link.Call{Key: gate.KeyOf(to.IDs.Next()), Repeats: true})
		to.Calls.Add(k.Call, []byte(request))
		return k
	}
}

// does checks what the dialogue has done since the last time.
func (m *machine) does(t *testing.T, about string, want ...string) {
	t.Helper()
	if !slices.Equal(m.said, want) {
		t.Errorf("%s: %q, want %q", about, m.said, want)
	}
	m.said = nil
}

// TestWithdrawnQuestions: the engine has forgotten the questions of a call, unless it failed when it was told so.
func TestWithdrawnQuestions(t *testing.T) {
	for failed, want := range []link.How{link.Forget, link.Cancel} {
		m, d, add := start()
		k := add(`{}`)
		k.session, k.turn = "form", &turn{call: k}
		m.told = func() { m.state.Failed += failed }
		d.withdrawCall(k)
		for i, how := range []link.How{m.how(&link.Question{Request: elicit.Request{Session: "form", Parent: k.parent}}),
			m.how(&link.Question{Of: k}), m.how(&link.Question{Of: k.turn}), m.how(&link.Question{})} {
			if how != []link.How{want, link.Cancel, link.Cancel, link.Keep}[i] {
				t.Errorf("after %d failures, question %d ends by %d", failed, i, how)
			}
		}
	}
}

// TestTokens: a token is known while the latest call that has it is open.
func TestTokens(t *testing.T) {
	_, d, add := start()
	known := func(about string, want int) {
		if n := len(d.link.signs.tokens); n != want {
			t.Errorf("%s: %d tokens are known, want %d", about, n, want)
		}
	}
	of := func(token string) *call {
		k := add(`{}`)
		k.progress.token = []byte(token)
		d.link.signs.watch(k)
		return k
	}
	first, second, other := of("1"), of("1"), of("2")
	d.link.signs.forget(add(`{}`))
	d.link.signs.forget(first)
	known("the first call of two is over", 2)
	d.Ended(second.Call, true)
	known("both are over", 1)
	d.heldCallDecided(other, effect.Reply{Outcome: elicit.Declined}, refusedCall)
	known("the call is refused", 0)
}

// TestOver leaves no round and no task behind.
func TestOver(t *testing.T) {
	_, d, add := start()
	for range 2 {
		d.handOver(&turn{call: add(`{"params":{}}`)}, nil)
	}
	d.tasks.made("t", nil)
	d.Over()
	if n := len(d.handed.list) + len(d.tasks.list) + d.link.Calls.Kept; n != 0 || d.tasks.link != d.link {
		t.Errorf("%d rounds, %d tasks and %d bytes are left", len(d.handed.list), len(d.tasks.list), d.link.Calls.Kept)
	}
}

// TestHeldCallIsRecorded: a call that was accepted goes to the server only if the journal says so.
func TestHeldCallIsRecorded(t *testing.T) {
	for want, told := range map[string]func(*machine){
		"deliver":             nil,
		"fail internal":       func(m *machine) { m.state.Failed++ },
		"fail journal_failed": func(m *machine) { m.state.Broken, m.state.Why = true, "journal_failed" },
	} {
		m, d, add := start()
		k := add(`{"params":{"name":"t"}}`)
		k.method, k.approval.arguments = methodToolsCall, argumentsOf(paramsOf(k.Request))
		if told != nil {
			m.told = func() { told(m) }
		}
		d.release(k)
		m.does(t, "a record", want)
	}
	_, d, add := start()
	k := add(`{"params":{"name":"t"}}`)
	if d.approved(k, effect.Reply{Arguments: []byte(`{"a":"of the person"}`)}); d.link.Calls.Kept != len(k.Request) {
		t.Errorf("%d bytes are kept of a call of %d", d.link.Calls.Kept, len(k.Request))
	}
}

// TestBytesOfARound counts what the server has sent for a round, and what the client has supplied.
func TestBytesOfARound(t *testing.T) {
	const request = `{"params":{}}`
	m, d, add := start()
	k := add(request)
	for _, size := range []int{100, 50} {
		if d.startRound(k, size, mcp.Result{Asks: true}); d.link.Calls.Kept != len(request)+size {
			t.Errorf("%d bytes are kept for a round of %d", d.link.Calls.Kept, size)
		}
	}
	d.startRound(k, link.MaxKeptBytes, mcp.Result{Asks: true})
	m.does(t, "a round that is too large", "fail too_many_calls")

	m, d, add = start()
	k = add(request)
	one := &turn{call: k}
	one.Round, _ = one.Next(mcp.Result{Asks: true, Entries: []mcp.Entry{{Key: "r", Method: "roots/list"}}})
	if d.supply(one, "r", []byte(`{}`)); one.size != 2 {
		t.Errorf("%d bytes count of the client's answer", one.size)
	}
	if d.handOver(one, nil); d.Handed() != len(request)+2 || d.link.Calls.Kept != d.Handed() {
		t.Errorf("%d of %d bytes are of the round", d.Handed(), d.link.Calls.Kept)
	}
	again := add(request)
	again.retried = &retried{continuation: d.handed.list[0]}
	one.size = link.MaxKeptBytes
	d.retry(again)
	m.does(t, "a retry that is too large", "fail too_many_calls")
}

// TestFailsOnce: the first problem of a round or of a page is the answer to its call.
func TestFailsOnce(t *testing.T) {
	first, second := elicit.Problem{Code: "first"}, elicit.Problem{Code: "second"}
	reply := func(p elicit.Problem) effect.Reply { return effect.Reply{Problems: []elicit.Problem{p}} }
	m, d, add := start()
	k := add(`{}`)
	one := &turn{call: k}
	m.told = func() { d.failRound(one, second) }
	d.failRound(one, first)
	d.failRound(&turn{call: k}, second)
	m.does(t, "a round", "fail first")
	k = add(`{}`)
	page := &visits{}
	m.told = func() { d.visitsRefused(k, page, reply(second)) }
	d.visitsRefused(k, page, reply(first))
	d.visitsRefused(k, &visits{}, reply(second))
	d.visited(k, &visits{})
	m.does(t, "a page", "fail first")
	if p := entryAnswer(one, "", effect.Reply{Outcome: elicit.Failed}); p == nil || p.Code != "answer_unfit" {
		t.Errorf("an entry without an answer has %v", p)
	}
}

// TestEntriesOfATask: an entry that is asked once more has another key. A client answers each key once.
func TestEntriesOfATask(t *testing.T) {
	m, d, _ := start()
	l := &d.tasks
	one := l.made("t", nil)
	e := l.add(one, &mcp.Entry{Key: "q", Method: mcp.MethodCreate, Request: elicit.Request{Mode: elicit.Form}}, 5)
	l.ask(one, e, "form")
	for range 2 {
		if m.asked.Show(&effect.Show{Message: "Which?"}); e.key != "q" {
			t.Errorf("the same question has the key %q", e.key)
		}
	}
	if m.asked.Show(&effect.Show{Message: "Which one?"}); e.key == "q" || len(d.link.Clock.Timers()) != 1 {
		t.Errorf("another question has the key %s, and %d timers", e.key, len(d.link.Clock.Timers()))
	}
	g := gate.New(&mcpWords)
	var msg gate.Message
	if problem := g.Read(&msg, []byte(`{"jsonrpc":"2.0","id":1,"method":"tasks/update","params":{"taskId":"t",`+
		`"inputResponses":{"`+e.key+`":{"action":"accept","content":{}}}}}`)); problem != nil {
		t.Fatal(problem)
	}
	for _, want := range [][]string{nil, {"note answer_again"}} {
		l.updated(&msg)
		m.does(t, "an answer of the client", want...)
	}
	m.asked.Settle(effect.Reply{Outcome: elicit.Failed})
	if e.problem == nil || e.problem.Code != "answer_unfit" || !e.again {
		t.Errorf("an answer that does not fit leaves %v", e.problem)
	}
	if l.drop(one, e); l.kept != 0 {
		t.Errorf("%d bytes are kept of a dropped entry", l.kept)
	}
	if l.spare(e); l.kept != 0 {
		t.Errorf("%d bytes are kept of an entry that was spared twice", l.kept)
	}
}

// TestHandedRoundsEnd gives a client as many rounds as it may have, and one more. Half an hour later all are over.
func TestHandedRoundsEnd(t *testing.T) {
	const most, within = 64, 1_800_000
	_, d, add := start()
	var first *continuation
	for n := range most + 1 {
		k := add(`{"params":{}}`)
		if d.handOver(&turn{call: k}, nil); n == 0 {
			first = d.handed.list[0]
		}
		if held := slices.Contains(d.handed.list, first); held != (n < most) || len(d.handed.list) != min(n+1, most) {
			t.Fatalf("of %d rounds %d wait, the first of them: %v", n+1, len(d.handed.list), held)
		}
	}
	if d.link.Clock.Read(within-1, 0); d.link.Clock.Due() != nil {
		t.Error("a round is over before its time")
	}
	d.link.Clock.Read(within, 0)
	for end := d.link.Clock.Due(); end != nil; end = d.link.Clock.Due() {
		end()
	}
	if len(d.handed.list) != 0 || d.link.Calls.Kept != 0 {
		t.Errorf("%d rounds wait, with %d bytes", len(d.handed.list), d.link.Calls.Kept)
	}
}

// TestWhatAHeldCallShows: the message has arguments up to a number of bytes, and says when it has not all of them.
func TestWhatAHeldCallShows(t *testing.T) {
	const most = 16_384
	m, d, add := start()
	d.link.tools.listed([]byte(`{"tools":[{"name":"t","description":"` + strings.Repeat("d", 1025) + `"}]}`))
	for more := range 2 {
		arguments := `{"a":"` + strings.Repeat("x", most+more-8) + `"}`
		k := add(`{"params":{"name":"t","arguments":` + arguments + `}}`)
		k.tool = "t"
		d.hold(k)
		r := m.asked.Request
		if shown := "t: " + arguments; r.MessageCut != (more > 0) || (r.Message == shown) != (more == 0) {
			t.Errorf("of %d bytes %d are shown, cut: %v", len(arguments), len(r.Message), r.MessageCut)
		}
		if want := strings.Repeat("d", 1024) + "…"; r.Description != want {
			t.Errorf("%d bytes of the description are shown", len(r.Description))
		}
	}
}
