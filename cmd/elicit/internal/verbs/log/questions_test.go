package log

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/journalfile"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/internal/must"
)

// logOf returns what `elicit log` prints of a run, from the first question on. Each event comes a number of seconds
// after the one before. id returns the id of the n-th question that was shown.
func logOf(t *testing.T, config string,
	play func(do func(after int, ev event.Event), id func(n int) elicit.ID)) string {
	t.Helper()
	e, at, random := engine.New(), time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC), byte(0)
	var records bytes.Buffer
	var shown []elicit.ID
	do := func(after int, ev event.Event) {
		at = at.Add(time.Duration(after) * time.Second)
		random++
		for _, next := range e.Step(engine.Input{At: at.UnixMilli(), Random: [32]byte{random}, Event: ev}) {
			switch ef := next.(type) {
			case effect.Append:
				records.Write(append(ef.Record, '\n'))
			case effect.Show:
				shown = append(shown, ef.ID)
			}
		}
	}
	both := elicit.Modes{Form: true, URL: true}
	do(0, event.Configured{Config: []byte(config)})
	do(0, event.Opened{Session: "s", Server: "demo", Side: elicit.Answering, Declared: both, Shown: both})
	play(do, func(n int) elicit.ID { return shown[n-1] })
	var out bytes.Buffer
	in := &journals.Input{Name: "j"}
	in.Lines = journalfile.Lines(&records, func(err error) { in.Err = err })
	must.OK(t, (&logView{zone: time.UTC}).printJournal(&out, in, nil))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	isReason := func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "why: ") }
	return strings.Join(slices.DeleteFunc(lines[2:len(lines)-3], isReason), "\n")
}

func asks(ref, message string) event.Event {
	return event.Asked{Request: elicit.Request{Session: "s", Ref: ref, Side: elicit.Answering, Mode: elicit.Form,
		Message: message, Schema: []byte(`{"type":"object","properties":{}}`)}}
}

func shownNow(id elicit.ID) event.Event {
	return event.Noted{Session: "s", ID: id, Receipt: event.ReceiptShown}
}

// TestLogTellsWhatAPersonCouldSee: "nobody saw it" and "nobody answered" are told apart, and every line names its
// question.
func TestLogTellsWhatAPersonCouldSee(t *testing.T) {
	for name, c := range map[string]struct {
		config string
		play   func(do func(int, event.Event), id func(int) elicit.ID)
		want   string
	}{
		"the time of questions in the queue runs out": {`{"limits":{"answer_ttl_ms":10000}}`,
			func(do func(int, event.Event), id func(int) elicit.ID) {
				do(1, asks("1", "Deploy?"))
				do(0, asks("2", "Delete?"))
				do(1, shownNow(id(1)))
				do(2, event.Noted{Session: "s", ID: id(1), Receipt: event.ReceiptFirstInput})
				do(7, event.Ticked{})
			}, `   3  2026-07-28 12:00:01  demo asks: “Deploy?”
      given to the interface
   4  2026-07-28 12:00:01  demo asks: “Delete?”
   5  2026-07-28 12:00:02  the question is on the screen: “Deploy?”
   6  2026-07-28 12:00:04  the person began to answer: “Deploy?”
   7  2026-07-28 12:00:11  time passed
      replied cancel to “Deploy?”: nobody answered in time; it was shown for 9.0 s
      replied cancel to “Delete?”: nobody answered in time; it was never shown`},
		"a question is taken back": {`{}`,
			func(do func(int, event.Event), id func(int) elicit.ID) {
				do(1, asks("1", "Deploy?"))
				do(1, shownNow(id(1)))
				do(6, event.Cancelled{Session: "s", Ref: "1"})
				do(1, asks("2", "Delete?"))
				do(1, event.Cancelled{Session: "s", Ref: "2"})
			}, `   3  2026-07-28 12:00:01  demo asks: “Deploy?”
      given to the interface
   4  2026-07-28 12:00:02  the question is on the screen: “Deploy?”
   5  2026-07-28 12:00:08  demo withdraws “Deploy?”
      over without a reply: the server withdrew the request; it was shown for 6.0 s
   6  2026-07-28 12:00:09  demo asks: “Delete?”
      given to the interface
   7  2026-07-28 12:00:10  demo withdraws “Delete?”
      over without a reply: the server withdrew the request; it was never shown`},
		"an interface that reports nothing": {`{}`,
			func(do func(int, event.Event), id func(int) elicit.ID) {
				do(1, asks("1", "Deploy?"))
				do(90, event.Cancelled{Session: "s", Ref: "1"})
			}, `   3  2026-07-28 12:00:01  demo asks: “Deploy?”
      given to the interface
   4  2026-07-28 12:01:31  demo withdraws “Deploy?”
      over without a reply: the server withdrew the request; the interface had it for 1m30s`},
		"an answers file": {`{}`,
			func(do func(int, event.Event), id func(int) elicit.ID) {
				do(1, asks("1", "Deploy?"))
				do(0, event.Answered{Session: "s", ID: id(1), Action: elicit.Decline, Via: event.ViaScript})
			}, `   3  2026-07-28 12:00:01  demo asks: “Deploy?”
      given to the interface
   4  2026-07-28 12:00:01  the answers file answers decline to “Deploy?”
      replied decline: a file of prepared answers decided`},
		"a page that nobody finishes": {`{"limits":{"page_ttl_ms":60000}}`,
			func(do func(int, event.Event), id func(int) elicit.ID) {
				do(1, event.Asked{Request: elicit.Request{Session: "s", Ref: "1", Side: elicit.Answering, Mode: elicit.URL,
					Message: "Sign in", URL: "https://example.org/", Link: "L"}})
				do(1, event.Answered{Session: "s", ID: id(1), Action: elicit.Accept})
				do(60, event.Ticked{})
			}, `   3  2026-07-28 12:00:01  demo asks to open https://example.org/: “Sign in”
      given to the interface
   4  2026-07-28 12:00:02  the person answers accept to “Sign in”
      replied accept: the person decided
      opens https://example.org/
   5  2026-07-28 12:01:02  time passed
      nobody said in time that the page of “Sign in” is finished`},
		"a waiting question that is chosen": {`{"limits":{"shown_ttl_ms":5000}}`,
			func(do func(int, event.Event), id func(int) elicit.ID) {
				do(1, asks("1", "Deploy?"))
				do(0, asks("2", "Delete?"))
				do(1, event.Preferred{Session: "s", Ref: "2"})
				do(0, event.Drafted{Session: "s", ID: id(2), Draft: []byte(`{}`)})
				do(1, event.Extended{Session: "s", ID: id(1), Until: 1 << 50})
			}, `   3  2026-07-28 12:00:01  demo asks: “Deploy?”
      given to the interface
   4  2026-07-28 12:00:01  demo asks: “Delete?”
   5  2026-07-28 12:00:02  the person wants to see a waiting question now: “Delete?”
      given to the interface
   6  2026-07-28 12:00:02  what the person has typed is kept for “Delete?”
   7  2026-07-28 12:00:03  the person asks for more time for “Deploy?”`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := logOf(t, c.config, c.play); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestLogTellsAnEarlierAnswer: an answer that a person gave before is theirs, also where a rule asked.
func TestLogTellsAnEarlierAnswer(t *testing.T) {
	q := &loggedQuestion{}
	q.learn(gjson.Parse(`{"effect":"reply","outcome":"accept","cause":"policy","reasons":[
		{"code":"rule_matched","layer":"user","rule":"careful","args":{"then":"ask"}},{"code":"granted"}]}`), 1)
	var out bytes.Buffer
	q.server, q.tool, q.message = "s", "erase", "erase: {}"
	b := briefLog{to: &out, zone: time.UTC}
	b.add(q)
	b.flush()
	for _, want := range []string{"s erase  “{}”", "an answer that the person gave before decided"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q does not say %q", out.String(), want)
		}
	}
}
