package engine_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// observer is what an observer of one run believes, from inputs and effects alone. What must be true in every order of
// events stands in check and in what it calls.
type observer struct {
	t         rapid.TB
	open      map[string]bool // sessions
	deadlines map[elicit.ID]int64
	wake      int64
	journal   []byte
	met       map[string]int     // how often each thing was met, over all lives
	warned    map[elicit.ID]bool // whose person was told of a secret
	peer
	told
	waits map[asking]int64   // deadlines of guardians that have not answered
	late  map[elicit.ID]bool // requests that wait for one beyond it
}

func newObserver(t rapid.TB, met map[string]int) *observer {
	return &observer{t: t, open: map[string]bool{}, deadlines: map[elicit.ID]int64{}, met: met,
		warned: map[elicit.ID]bool{}, peer: newPeer(), told: newTold(), waits: map[asking]int64{}, late: map[elicit.ID]bool{}}
}

func (l *observer) wrong(in engine.Input, format string, args ...any) {
	l.t.Helper()
	l.t.Fatalf("at %d, %s: %s", in.At, in.Event.AppendJSON(nil), fmt.Sprintf(format, args...))
}

// TestStepProperties plays lives of three sessions; a life in which something is wrong is shrunk to the shortest one.
func TestStepProperties(t *testing.T) {
	met := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		g := newGenerator("a", "b", "c")
		live(t, g, drawn(t, g), met)
	})
	t.Logf("%v", met)
	for what, floor := range map[string]int{"reply": 5000, "withdraw": 500, "late": 500, "late elsewhere": 100,
		"late of another": 50, "granted": 30, "joined": 30,
		"muted": 50, "counted": 100, "secret_confirmed": 10, "secret_noted": 4, "warned": 50, "remember": 40, "noted": 200,
		"extended": 15, "pause": 200, "open_url": 50, "resolve": 20, "wake": 1000, "closed with questions": 50} {
		if met[what] < floor && !testing.Short() { // -short plays too few lives to count
			t.Errorf("%s %d times, want %d: the lives have lost their subject", what, met[what], floor)
		}
	}
}

// FuzzStep is TestStepProperties for lives that the fuzzer writes.
func FuzzStep(f *testing.F) {
	scripts(f)
	f.Fuzz(func(t *testing.T, script []byte) {
		g := newGenerator("a", "b", "c")
		live(t, g, written(script, g, 1), map[string]int{})
	})
}

func live(t rapid.TB, g *generator, each play, met map[string]int) {
	l, e := newObserver(t, met), engine.New()
	each(func(in engine.Input) {
		effects := e.Step(in)
		l.check(in, effects)
		l.checkWake(in, e)
		g.saw(effects)
	})
	for _, session := range e.Sessions() { // what is still open can be answered by a host that leaves
		in := engine.Input{At: g.at, Event: event.Closed{Session: session, Cause: elicit.ByShutdown}}
		l.check(in, e.Step(in))
	}
	l.checkJournal(g.secrets)
}

func (l *observer) check(in engine.Input, effects []effect.Effect) {
	if opened, ok := in.Event.(event.Opened); ok {
		l.open[opened.Session] = true
	}
	l.begin(in.Event)
	l.expire(in)
	records, effects := effect.Records(effects)
	for _, record := range records {
		l.journal = append(append(l.journal, record...), '\n')
	}
	l.checkRecords(in, records, effects)
	for _, next := range effects {
		if _, ok := next.(effect.Append); ok {
			l.wrong(in, "an append comes after another effect")
		}
		if session, bound := sessionOf(next); bound && !l.open[session] {
			l.wrong(in, "%T for session %q, which is not open", next, session)
		}
		l.checkTold(in, next)
		l.one(in, next)
	}
	l.checkConsulted(in, effects)
	l.tell(in, effects)
	l.checkAnswer(in, effects)
	l.checkOwed(in, effects)
	if closed, ok := in.Event.(event.Closed); ok {
		delete(l.open, closed.Session)
	}
}

func (l *observer) one(in engine.Input, next effect.Effect) {
	switch ef := next.(type) {
	case effect.Reply:
		l.reply(in, ef)
		for _, r := range ef.Reasons {
			l.met[r.Code]++
		}
		l.checkSecrets(in, ef)
	case effect.Withdraw:
		l.withdraw(in, ef)
	case effect.Remember:
		l.met["remember"]++
	case effect.OpenURL:
		l.page(in, ef)
	case effect.Resolve:
		l.resolve(in, ef)
	case effect.Show:
		if d, seen := l.deadlines[ef.ID]; seen && d != ef.Deadline {
			l.wrong(in, "%s is shown with deadline %d, before %d", ef.ID, ef.Deadline, d)
		}
		l.deadlines[ef.ID] = ef.Deadline
		l.show(in, ef)
	case effect.Wake:
		l.wake = ef.At
		l.met["wake"]++
	case effect.Problem:
		// A refusal tells the person as well: once policy has been relaxed, the same answer passes.
		if len(ef.Problems) > 0 && (ef.Problems[0].Code == "secret_unconfirmed" || ef.Problems[0].Code == "secret_refused") {
			l.warned[ef.ID] = true
			l.met["warned"]++
		}
	}
}

// checkSecrets holds that no secret is sent from a field that is not sensitive unless the person had been told of it or
// policy lets it pass, and that no other reply says so.
func (l *observer) checkSecrets(in engine.Input, r effect.Reply) {
	sent, confirmed, noticed := false, false, false
	for _, f := range r.Findings {
		sent = sent || f.Code == "secret_in_answer" && f.Severity == elicit.High
	}
	for _, reason := range r.Reasons {
		confirmed = confirmed || reason.Code == "secret_confirmed"
		noticed = noticed || reason.Code == "secret_noted"
	}
	if redacted := slices.ContainsFunc(r.Reasons,
		func(w elicit.Reason) bool { return w.Code == "guardian_redacted" }); redacted && !sent {
		confirmed, noticed = false, false // what the person was told of did not leave
	}
	joined := len(r.Reasons) > 0 && r.Reasons[len(r.Reasons)-1].Code == "joined"
	holds := bytes.Contains(slices.Concat(r.Content, []byte(r.Note), r.Arguments), []byte("ghp_"))
	if sent != (confirmed || noticed) || confirmed && !l.warned[r.ID] && !joined || sent != holds {
		l.wrong(in, "reply %s; told before: %v", r.AppendJSON(nil), l.warned[r.ID])
	}
}

func sessionOf(next effect.Effect) (string, bool) {
	switch ef := next.(type) {
	case effect.Reply:
		return ef.Session, true
	case effect.Show:
		return ef.Session, true
	case effect.Withdraw:
		return ef.Session, true
	case effect.OpenURL:
		return ef.Session, true
	case effect.Resolve:
		return ef.Session, true
	}
	return "", false
}

// checkWake compares the last wake with the deadlines that saved sessions tell, none of which has passed.
func (l *observer) checkWake(in engine.Input, e *engine.Engine) {
	var first int64
	for _, session := range e.Sessions() {
		state, _ := e.Save(session)
		if !gjson.ValidBytes(state) {
			l.wrong(in, "state %s is no JSON", state)
		}
		for _, item := range gjson.GetBytes(state, "open").Array() {
			if deadline := item.Get("deadline").Int(); deadline != 0 && (first == 0 || deadline < first) {
				first = deadline
			}
		}
	}
	for _, deadline := range l.waits {
		if first == 0 || deadline < first {
			first = deadline
		}
	}
	if first != 0 && first <= l.now {
		l.wrong(in, "at %d the deadline %d has passed", l.now, first)
	}
	if first != l.wake {
		l.wrong(in, "wake is %d, the earliest deadline %d", l.wake, first)
	}
}

func (l *observer) checkJournal(secrets []string) {
	r := engine.Replay(l.journal, nil)
	if r.Problem != nil {
		l.t.Fatalf("%s\nwant %s\ngot  %s", r.Problem.AppendJSON(nil), r.Want, r.Got)
	}
	for line := range bytes.Lines(l.journal) {
		if !jsontext.IsCanonical(bytes.TrimSpace(line)) {
			l.t.Fatalf("a record is not canonical: %s", line)
		}
	}
	for _, secret := range secrets {
		if bytes.Contains(l.journal, []byte(secret)) {
			l.t.Fatalf("the journal holds %s", secret)
		}
	}
}

// checkRecords holds that a step has one record, and before it another only to tell of a flood. A step without a record
// does nothing but refuse.
func (l *observer) checkRecords(in engine.Input, records [][]byte, rest []effect.Effect) {
	if len(records) > 2 || len(records) == 2 && !bytes.Contains(records[0], []byte(`"event":{"event":"flooded"`)) {
		l.wrong(in, "%d records", len(records))
	}
	if len(records) > 0 {
		return
	}
	l.met["counted"]++
	for _, next := range rest {
		r, replied := next.(effect.Reply)
		if _, problem := next.(effect.Problem); !problem && !(replied && r.Outcome != elicit.Accepted) {
			l.wrong(in, "no record, but %s", next.AppendJSON(nil))
		}
	}
}

// holding are configurations for held calls. Under the first no command may begin with rm, however it was typed.
var holding = []string{
	`{"limits":{"shown":2,"burst":50,"per_minute":6000},"policy":{"user":{"version":1,"grants":"always",
	  "rules":[{"name":"no-rm","when":{"command":"rm *"},"then":"decline"}]}}}`,
	`{"join_duplicates":true,"limits":{"shown":2,"burst":50,"per_minute":6000,"note":9},
	  "policy":{"user":{"version":1,"secrets":"note"}}}`,
	`{"limits":{"shown":2,"burst":50,"per_minute":6000,"arguments":60},
	  "policy":{"project":{"version":1,"secrets":"refuse"}}}`,
	`{"limits":{"shown":2,"burst":50,"per_minute":6000},"guardians":[` + sentinel("before_send", "/request") + `]}`,
}

// TestEditProperties plays lives in which calls are held, notes are written and arguments are edited. The rules of
// TestStepProperties apply, and those of checkBeside.
func TestEditProperties(t *testing.T) {
	met := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		g := newGenerator("a", "b")
		g.configs, g.holding = holding, true
		taken := map[elicit.ID]effect.Show{}
		l := drawn(t, g)
		config := pick(g, holding)
		first, e := true, engine.New() // a second engine, to see the effects
		live(t, g, func(step func(engine.Input)) {
			l(func(in engine.Input) {
				if first {
					first = false
					in.Event = event.Configured{Config: []byte(config)}
				}
				if _, again := in.Event.(event.Configured); again {
					in.Event = event.Configured{Config: []byte(config)}
				}
				checkBeside(t, in, e.Step(in), taken, config == holding[0], met)
				step(in)
			})
		}, met)
	})
	t.Logf("%v", met)
	for what, floor := range map[string]int{"edited": 200, "noted": 100, "arguments_edited": 200, "note_not_sent": 50,
		"arguments_refused": 4, "edit_not_taken": 50, "secret_confirmed": 2, "remember": 30} {
		if met[what] < floor && !testing.Short() { // -short plays too few lives to count
			t.Errorf("%s %d times, want %d: the lives have lost their subject", what, met[what], floor)
		}
	}
}

// checkBeside: only a question that takes a note or an edit is answered with one, only a refusal or a yes has a note,
// and no edit gets past a rule.
func checkBeside(t *rapid.T, in engine.Input, effects []effect.Effect, shown map[elicit.ID]effect.Show, noRM bool,
	met map[string]int) {
	answer, _ := in.Event.(event.Answered)
	for _, next := range effects {
		switch ef := next.(type) {
		case effect.Show:
			shown[ef.ID] = ef
		case effect.Problem:
			for _, p := range ef.Problems {
				met[p.Code]++
			}
		case effect.Reply:
			s := shown[ef.ID]
			if ef.Arguments != nil {
				met["edited"]++
				if ef.Outcome != elicit.Accepted || s.ID != "" && s.Takes&elicit.TakesEdit == 0 ||
					bytes.Equal(ef.Arguments, s.Arguments) {
					t.Fatalf("%s is answered with arguments: %s", s.AppendJSON(nil), ef.AppendJSON(nil))
				}
				command := gjson.GetBytes(ef.Arguments, "command").String()
				if noRM && strings.HasPrefix(command, "rm ") && s.Message == "Run ls -l?" { // the engine knows its command
					t.Fatalf("a rule declines %s", ef.Arguments)
				}
			}
			if ef.Note != "" {
				met["noted"]++
				if s.ID != "" && !s.Takes.Note(elicit.Action(ef.Outcome)) || ef.ID == answer.ID && ef.Note != answer.Note {
					t.Fatalf("%s is answered with a note: %s", s.AppendJSON(nil), ef.AppendJSON(nil))
				}
			}
		}
	}
}

// told is what an observer knows of receipts, extensions and pauses.
type told struct {
	now      int64 // the engine's time, which never runs backwards
	receipts map[elicit.ID][]event.Receipt
	paused   map[string]effect.Pause
}

func newTold() told {
	return told{receipts: map[elicit.ID][]event.Receipt{}, paused: map[string]effect.Pause{}}
}

// checkTold holds, before an effect is taken note of, that a deadline moves by an extension alone and only later, that
// nothing times out before it, that a reply has the receipts its request had, and that pauses begin and end in turn.
func (l *observer) checkTold(in engine.Input, next effect.Effect) {
	l.now = max(l.now, in.At)
	switch ef := next.(type) {
	case effect.Extend:
		asked, ok := in.Event.(event.Extended)
		if before, shown := l.deadlines[ef.ID]; !ok || asked.ID != ef.ID || !shown || ef.Deadline < before {
			l.wrong(in, "the deadline %d of %s becomes %d", before, ef.ID, ef.Deadline)
		} else if ef.Deadline > before {
			l.met["extended"]++
		}
		l.deadlines[ef.ID] = ef.Deadline
	case effect.Reply:
		l.checkReceipts(in, ef)
		if deadline, shown := l.deadlines[ef.ID]; shown && ef.Cause == elicit.ByTimeout && l.now < deadline {
			l.wrong(in, "%s times out at %d, its deadline is %d", ef.ID, l.now, deadline)
		}
	case effect.Pause:
		before := l.paused[ef.Session]
		if ef.On == before.On || ef.TotalMS < before.TotalMS || ef.On && ef.TotalMS != before.TotalMS || ef.TotalMS > l.now {
			l.wrong(in, "pause %v after %v", ef, before)
		}
		l.met["pause"]++
		l.paused[ef.Session] = ef
	}
}

// tell remembers a receipt that was taken, which is one nothing was said of.
func (l *observer) tell(in engine.Input, effects []effect.Effect) {
	if closed, ok := in.Event.(event.Closed); ok {
		delete(l.paused, closed.Session) // a session of that name that is opened again counts from nothing
	}
	ev, ok := in.Event.(event.Noted)
	if !ok || slices.ContainsFunc(effects, func(e effect.Effect) bool {
		p, bad := e.(effect.Problem)
		return bad && p.ID == ev.ID && !strings.HasPrefix(p.Problems[0].Code, "guardian_")
	}) {
		return
	}
	if _, shown := l.deadlines[ev.ID]; !shown {
		l.wrong(in, "a receipt is taken of a request that was not shown")
	}
	if _, over := l.ended[ev.ID]; !over && !slices.Contains(l.receipts[ev.ID], ev.Receipt) {
		l.receipts[ev.ID] = append(l.receipts[ev.ID], ev.Receipt)
		l.met["noted"]++
	}
}

func (l *observer) checkReceipts(in engine.Input, r effect.Reply) {
	if slices.ContainsFunc(r.Reasons, func(why elicit.Reason) bool { return why.Code == "joined" }) {
		return // it has those of the request it waited for
	}
	if !slices.Equal(r.Receipts, l.receipts[r.ID]) {
		l.wrong(in, "the reply has receipts %v, the host gave %v", r.Receipts, l.receipts[r.ID])
	}
}

// sameTold is the event with its id put through another engine's names.
func sameTold(given event.Event, rename func(elicit.ID) elicit.ID) event.Event {
	switch ev := given.(type) {
	case event.Noted:
		ev.ID = rename(ev.ID)
		return ev
	case event.Drafted:
		ev.ID = rename(ev.ID)
		return ev
	case event.Extended:
		ev.ID = rename(ev.ID)
		return ev
	}
	return given
}
