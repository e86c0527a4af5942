package pull

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/relay"
)

// machine notes its inputs and answers each with the effects that the test has for it.
type machine struct {
	inputs  []string
	answers map[string][]relay.Effect
}

func (m *machine) Step(in relay.Input) []relay.Effect {
	name := strings.TrimPrefix(fmt.Sprintf("%T", in.Event), "event.")
	switch ev := in.Event.(type) {
	case relay.Received:
		name = string(in.Message)
	case event.Consulted:
		name = fmt.Sprintf("%s %s %s %d", ev.Fault, ev.Session, ev.ID, ev.Round)
	}
	m.inputs = append(m.inputs, fmt.Sprintf("%d: %s", in.At, name))
	return m.answers[name]
}

func sure(to *[32]byte) bool { to[0] = 1; return true }

// taken takes effects until the loop waits, and fails the records that fails says.
func taken(l *Loop, at Time, fails bool) (story []string, wait int64) {
	for {
		next, message, wait := l.Next(at, sure)
		if next == nil {
			return story, wait
		}
		said := string(next.AppendJSON(nil))
		if message != nil {
			said += " " + string(message)
		}
		story = append(story, said)
		switch next.(type) {
		case effect.Append:
			if fails {
				l.Failed()
			}
		case effect.Consult:
			l.Failed()
		}
	}
}

func give(l *Loop, messages ...string) {
	for _, m := range messages {
		l.Give(relay.Received{From: relay.Client}, []byte(m))
	}
}

func want(t *testing.T, m *machine, inputs ...string) {
	t.Helper()
	if got, want := strings.Join(m.inputs, ", "), strings.Join(inputs, ", "); got != want {
		t.Errorf("inputs\n got %s\nwant %s", got, want)
	}
}

func TestOneStepAfterAnother(t *testing.T) {
	m := &machine{answers: map[string][]relay.Effect{
		"a": {relay.Forward{To: relay.Server}, relay.Send{To: relay.Client, Message: []byte("s")}},
		"b": {relay.Forward{To: relay.Client}}}}
	l := New(m, Time{At: 1}, nil)
	give(l, "a", "b")
	story, wait := taken(l, Time{At: 2}, false)
	got := strings.Join(story, "\n")
	for _, want := range []string{`{"effect":"forward","to":"server"} a`, `"message":"s"} s`,
		`{"effect":"forward","to":"client"} b`} {
		before, after, found := strings.Cut(got, want)
		if !found || strings.Contains(before, `"to":"client"} b`) {
			t.Errorf("no %s in its place in\n%s", want, story)
		}
		got = after
	}
	if wait != Never || l.message != nil {
		t.Errorf("wait %d; the loop keeps %q", wait, l.message)
	}
	want(t, m, "2: a", "2: b")
}

// TestRecordThatIsNotKept: the effects after the record are dropped, and a later step writes no record.
func TestRecordThatIsNotKept(t *testing.T) {
	record := effect.Append{Record: []byte("{}")}
	m := &machine{answers: map[string][]relay.Effect{
		"a":                  {relay.Forward{To: relay.Server}, record, effect.OpenURL{URL: "x"}},
		"relay.AppendFailed": {effect.OpenURL{URL: "refused"}, record, effect.OpenURL{URL: "never"}},
		"b":                  {record, effect.OpenURL{URL: "never"}}}}
	l := New(m, Time{}, nil)
	give(l, "a", "b")
	story, _ := taken(l, Time{At: 1}, true)
	if len(story) != 3 || !strings.Contains(story[2], "refused") {
		t.Errorf("performed %s", story)
	}
	l.Give(relay.AppendFailed{}, nil)
	want(t, m, "1: a", "1: relay.AppendFailed", "1: b")
}

// TestFailureToldTwice: a host may tell of a record that is not kept in both ways, and the machine hears of it once.
func TestFailureToldTwice(t *testing.T) {
	m := &machine{answers: map[string][]relay.Effect{"a": {effect.Append{Record: []byte("{}")}}}}
	l := New(m, Time{}, nil)
	give(l, "a")
	l.Next(Time{At: 1}, sure)
	l.Give(relay.AppendFailed{}, nil)
	l.Failed()
	taken(l, Time{At: 2}, false)
	l.Give(relay.AppendFailed{}, nil)
	taken(l, Time{At: 3}, false)
	want(t, m, "1: a", "2: relay.AppendFailed")
}

func TestNoRandomBytes(t *testing.T) {
	m := &machine{}
	l := New(m, Time{}, nil)
	give(l, "a")
	if next, _, wait := l.Next(Time{At: 1}, func(*[32]byte) bool { return false }); next != nil || wait != Never {
		t.Errorf("%v, wait %d", next, wait)
	}
	want(t, m, "0: <nil>", "1: relay.AppendFailed", "1: a")
}

// TestGuardianThatNobodyAsks: its fault comes after the effects of the step and before the next message.
func TestGuardianThatNobodyAsks(t *testing.T) {
	ask := func(round int, digest string, host bool) effect.Consult {
		return effect.Consult{Session: "s", ID: "i", Round: round, Digest: digest, Host: host}
	}
	m := &machine{answers: map[string][]relay.Effect{"a": {ask(1, "", false), ask(2, "d", false), ask(3, "d", true)}}}
	l := New(m, Time{}, nil)
	give(l, "a", "b")
	taken(l, Time{At: 1}, false)
	want(t, m, "1: a", fmt.Sprintf("1: %s s i 1", guardian.FaultUnavailable), fmt.Sprintf("1: %s s i 2",
		guardian.FaultNotLoaded), fmt.Sprintf("1: %s s i 3", guardian.FaultUnavailable), "1: b")
}

// TestTicks checks the wait after a wake, and when the tick comes.
func TestTicks(t *testing.T) {
	ms := func(at, elapsed int64) Time { return Time{at, elicit.ElapsedMS(elapsed)} }
	steady := effect.Wake{At: 5_500, In: elicit.ElapsedMS(500)}
	for _, c := range []struct {
		name   string
		wake   effect.Wake
		at     Time // of the step with the wake
		then   Time
		wait   int64
		ticked bool
	}{
		{"early", steady, ms(5_000, 100), ms(5_100, 200), 400, false},
		{"due", steady, ms(5_000, 100), ms(5_500, 600), Never, true},
		{"late", steady, ms(5_000, 100), ms(5_500, 9_600), Never, true},
		{"the wall clock goes ahead", steady, ms(5_000, 100), ms(9_000_000, 200), 400, false},
		{"the wall clock goes back", steady, ms(5_000, 100), ms(0, 600), Never, true},
		{"the other clock begins anew", steady, ms(5_000, 100), ms(5_100, 3), Never, true},
		{"a wall clock alone", effect.Wake{At: 5_500}, Time{At: 5_000}, Time{At: 5_499}, 1, false},
		{"a wall clock alone, due", effect.Wake{At: 5_500}, Time{At: 5_000}, Time{At: 5_500}, Never, true},
		{"far away", effect.Wake{At: 5_000_000}, Time{At: 5_000}, Time{At: 5_001}, Recheck, false},
		{"due in the step itself", effect.Wake{At: 5_000}, Time{At: 5_000}, Time{At: 5_000}, 1, false},
		{"never", effect.Wake{}, Time{At: 5_000}, Time{At: 1 << 50}, Never, false},
	} {
		m := &machine{answers: map[string][]relay.Effect{"a": {c.wake}}}
		l := New(m, Time{}, nil)
		give(l, "a")
		taken(l, c.at, false)
		_, wait := taken(l, c.then, false)
		if wait != c.wait || (len(m.inputs) == 2) != c.ticked {
			t.Errorf("%s: wait %d, want %d; inputs %v", c.name, wait, c.wait, m.inputs)
		}
	}
}

// TestBusyMachine: a machine that asks for a tick in every step does not keep the loop busy.
func TestBusyMachine(t *testing.T) {
	m := &machine{answers: map[string][]relay.Effect{"Ticked": {effect.Wake{At: 1}}}}
	l := New(m, Time{}, []relay.Effect{effect.Wake{At: 1}})
	for at := int64(1); at < 4; at++ {
		if _, wait := taken(l, Time{At: at}, false); wait != 1 {
			t.Errorf("wait %d", wait)
		}
	}
	want(t, m, "1: Ticked", "2: Ticked", "3: Ticked")
}
