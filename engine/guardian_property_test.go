package engine_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
)

// asking names one question to one guardian.
type asking struct {
	id    elicit.ID
	round int
}

// TestGuardedProperties plays lives under configurations with guardians, to which TestStepProperties' rules apply, and
// those of checkConsulted.
func TestGuardedProperties(t *testing.T) {
	met := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		g := newGenerator("a", "b")
		g.configs, g.guarded = guarded, true
		guardedLive(t, g, drawn(t, g), met)
	})
	t.Logf("%v", met)
	for what, floor := range map[string]int{"reply": 3000, "consult": 5000, "guardian_passed": 500, "guardian_denied": 100,
		"guardian_asked": 50, "guardian_fault": 100,
		"guardian_confirmed": 5, "guardian_redacted": 30, "second_person_approved": 10, "second_person_refused": 5,
		"reviewer_allowed": 20, "reviewer_denied": 20,
		"reviewer_failed": 5, "reviewer_timed_out": 5, "reviews_stopped": 2, "over": 100, "shown a secret": 50,
		"turned down": 100} {
		if met[what] < floor && !testing.Short() { // -short plays too few lives to count
			t.Errorf("%s %d times, want %d: the lives have lost their subject", what, met[what], floor)
		}
	}
}

// FuzzGuarded is TestGuardedProperties for lives that the fuzzer writes.
func FuzzGuarded(f *testing.F) {
	scripts(f)
	f.Fuzz(func(t *testing.T, script []byte) {
		g := newGenerator("a", "b")
		g.configs, g.guarded = guarded, true
		guardedLive(t, g, written(script, g, 1), map[string]int{})
	})
}

func guardedLive(t rapid.TB, g *generator, each play, met map[string]int) {
	config := pick(g, guarded)
	first := true
	live(t, g, func(step func(engine.Input)) {
		each(func(in engine.Input) {
			if first {
				first = false
				step(engine.Input{At: in.At, Event: event.Configured{Config: []byte(config)}})
			}
			step(in)
		})
	}, met)
}

// checkConsulted checks a step. The engine asks no guardian twice in one round, and waits for none beyond its deadline.
// It sends and shows nothing while it waits for one. It tells nobody else what only one guardian may see.
func (l *observer) checkConsulted(in engine.Input, effects []effect.Effect) {
	refused := false
	for _, next := range effects {
		switch ef := next.(type) {
		case effect.Reply:
			l.forgetAskings(ef.ID)
		case effect.Withdraw:
			l.forgetAskings(ef.ID)
		case effect.Problem:
			for _, p := range ef.Problems {
				switch p.Code {
				case "consult_over":
					l.met["over"]++
					refused = true
				case "unknown_request", "same_principal", "unknown_decision", "output_or_fault":
					refused = true
				case "guardian_refused", "guardian_unconfirmed":
					l.met["turned down"]++
				}
			}
		}
	}
	if ev, ok := in.Event.(event.Consulted); ok && !refused {
		delete(l.waits, asking{ev.ID, ev.Round})
	}
	for a, deadline := range l.waits {
		if deadline <= l.now {
			delete(l.waits, a)
		}
	}
	for _, next := range effects {
		switch ef := next.(type) {
		case effect.Consult:
			l.consult(in, ef)
		case effect.Show:
			for a := range l.waits {
				if a.id == ef.ID {
					l.wrong(in, "%s is shown while guardians look at it", ef.ID)
				}
			}
			for _, r := range ef.Reasons {
				if r.Code == "reviews_stopped" {
					l.met[r.Code]++
				}
			}
		}
	}
}

func (l *observer) consult(in engine.Input, c effect.Consult) {
	l.met["consult"]++
	a := asking{c.ID, c.Round}
	if _, twice := l.waits[a]; twice {
		l.wrong(in, "round %d of %s begins twice", c.Round, c.ID)
	}
	if _, over := l.ended[c.ID]; over {
		l.wrong(in, "guardians are asked about %s, which is over", c.ID)
	}
	if len(c.Question) == 0 || len(c.Question) > guardian.MaxQuestion || c.Deadline <= l.now {
		l.wrong(in, "%s", c.AppendJSON(nil))
	}
	if c.Phase == guardian.BeforeSend && c.Guardian == "before-send" && containsSecret(c.Question) {
		l.met["shown a secret"]++
	}
	if c.Phase == effect.SecondPerson && containsSecret(c.Question) {
		l.wrong(in, "a second person is shown %s", c.Question)
	}
	l.waits[a] = c.Deadline
}

// expire notes the requests of which a guardian has let its time pass: whatever the next event is, it ends the wait
// first.
func (l *observer) expire(in engine.Input) {
	clear(l.late)
	for a, deadline := range l.waits {
		if deadline <= max(l.now, in.At) {
			l.late[a.id] = true
		}
	}
}

// overdue reports whether r may be the end of such a wait: of its request, or of the one it was joined to.
func (l *observer) overdue(r effect.Reply) bool {
	joined := len(r.Reasons) > 0 && r.Reasons[len(r.Reasons)-1].Code == "joined"
	return l.late[r.ID] || joined && len(l.late) > 0
}

func (l *observer) forgetAskings(id elicit.ID) {
	for a := range l.waits {
		if a.id == id {
			delete(l.waits, a)
		}
	}
}

func containsSecret(question []byte) bool { return bytes.Contains(question, []byte("s3cret")) }

const reaskPermit = `{"name":"g","digest":"0000000000000000000000000000000000000000000000000000000000000000",` +
	`"declared":{"phases":["before_show","before_send"],"reads":["/request","/answer"]},"reads":["/request","/answer"]}`

// recorded plays one form with a password and a note to its accepted answer, and returns the journal and the questions
// that the guardian of the configuration was asked.
func recorded(t *testing.T, config string) (records []byte, asked []string) {
	e := engine.New()
	id := elicit.ID("")
	var step func(at int64, ev event.Event)
	step = func(at int64, ev event.Event) {
		for _, next := range e.Step(engine.Input{At: at, Random: [32]byte{byte(at)}, Event: ev}) {
			switch ef := next.(type) {
			case effect.Append:
				records = append(append(records, ef.Record...), '\n')
			case effect.Consult:
				asked = append(asked, string(ef.Question))
				step(at+1, ef.Answer(event.Consulted{Output: `{"v":1,"decision":"pass"}`}))
			case effect.Show:
				id = ef.ID
			}
		}
	}
	both := elicit.Modes{Form: true, URL: true}
	step(10, event.Configured{Config: []byte(config)})
	step(20, event.Opened{Session: "s", Server: "demo", Side: elicit.Answering, Declared: both, Shown: both})
	step(30, event.Asked{Request: elicit.Request{Session: "s", Ref: "1", Mode: elicit.Form, Message: "Who?",
		Schema: []byte(`{"type":"object","properties":{"password":{"type":"string"},"note":{"type":"string"}}}`)}})
	step(50, event.Answered{Session: "s", ID: id, Action: elicit.Accept,
		Content: []byte(`{"password":"hunter2","note":"hello"}`)})
	step(60, event.Asked{Request: elicit.Request{Session: "s", Ref: "2", Mode: elicit.URL, URL: "https://example.org/",
		Message: "Go"}})
	return records, asked
}

func reask(t *testing.T, records []byte) (questions []string, out engine.Reasked) {
	permits, problems := guardian.ReadPermits(gjson.Parse("[" + reaskPermit + "]"))
	if problems != nil {
		t.Fatal(problems)
	}
	out = engine.Reask(bytes.Lines(records), permits[0], func(a engine.Asking) {
		if a.Request.Server != "demo" || a.Record == 0 {
			t.Errorf("record %d of %q", a.Record, a.Request.Server)
		}
		questions = append(questions, string(a.Question))
	})
	if out.Problem != nil {
		t.Fatal(out.Problem)
	}
	return questions, out
}

// plain is a question without its time and its seed, which depend on who was asked when.
func plain(q string) string {
	return gjson.Get(q, "phase").Raw + gjson.Get(q, "request").Raw + gjson.Get(q, "answer").Raw
}

// TestReask holds that a guardian is asked over a journal what it would have been asked in the run.
func TestReask(t *testing.T) {
	_, want := recorded(t, `{"guardians":[`+reaskPermit+`]}`)
	for name, config := range map[string]string{
		"the same":         `{"guardians":[` + reaskPermit + `]}`,
		"nobody was heard": `{}`,
		"another": `{"guardians":[{"name":"other","host":true,"reads":["/request/message"],` +
			`"phases":["before_show"]}]}`,
	} {
		records, _ := recorded(t, config)
		got, out := reask(t, records)
		if out.Asked != 2 || len(got) != 3 {
			t.Errorf("%s: %d asked, %d questions", name, out.Asked, len(got))
		}
		if !slices.EqualFunc(got, want, func(a, b string) bool { return plain(a) == plain(b) }) {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, want)
		}
		for _, q := range got {
			if bytes.Contains([]byte(q), []byte("hunter2")) {
				t.Errorf("%s: a secret in %s", name, q)
			}
		}
	}
	if answer := gjson.Get(want[1], "answer").Raw; answer != `{"note":"hello","password":{"$redacted":"string"}}` {
		t.Errorf("the answer was %s", answer)
	}
	records, _ := recorded(t, `{}`)
	permits, _ := guardian.ReadPermits(gjson.Parse("[" + reaskPermit + "]"))
	broken := bytes.Replace(records, []byte("Who?"), []byte("Why?"), 1)
	if out := engine.Reask(bytes.Lines(broken), permits[0], func(engine.Asking) {}); out.Problem == nil {
		t.Error("a journal that was changed was read to its end")
	}
}
