package engine_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
)

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
