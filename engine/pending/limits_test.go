package pending_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	. "github.com/elicit-engine/elicit/engine/pending"
)

// id is the n-th well-formed id.
func id(n int) elicit.ID { return elicit.ID(fmt.Sprintf("%032x", n)) }

// whole is a request in the units of allowances.
const whole = 60_000

func roomy() Limits {
	return Limits{Queue: 1000, Shown: 1, PerMinute: 60_000, Burst: 60_000, Ended: 8}
}

// TestNextTakesTurns lets one server ask ten times as much as two others: none waits longer than one round.
func TestNextTakesTurns(t *testing.T) {
	table := New(roomy())
	names := map[elicit.ID]string{}
	hold := func(n int, server string, i int) {
		names[id(n)] = fmt.Sprint(server, i)
		table.Hold(Item{ID: id(n), Server: server}, 0)
	}
	for i := range 10 {
		hold(i, "a", i)
	}
	for n, server := range []string{"b", "c"} {
		for i := range 2 {
			hold(100*(n+1)+i, server, i)
		}
	}
	var order []string
	for next := table.Next(0); len(next) > 0; next = table.Next(0) {
		if len(next) != 1 {
			t.Fatalf("%d shown at once, limit 1", len(next))
		}
		order = append(order, names[next[0].ID])
		table.Settle(next[0].ID, elicit.Accepted, elicit.ByUser)
	}
	want := "a0 b0 c0 a1 b1 c1 a2 a3 a4 a5 a6 a7 a8 a9"
	if got := strings.Join(order, " "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAllowance(t *testing.T) {
	type ask struct {
		at   int64
		want Refusal
	}
	tests := map[string]struct {
		perMinute, burst int
		asks             []ask
	}{
		"burst, then the rate": {10, 2, []ask{{0, ""}, {0, ""}, {0, RateLimited}, {5999, RateLimited}, {6000, ""},
			{6000, RateLimited}}},
		"refused asks cost nothing": {10, 1, []ask{{0, ""}, {5998, RateLimited}, {5999, RateLimited}, {6000, ""}}},
		"fractions add up": {7, 2, []ask{{0, ""}, {0, ""}, {8571, RateLimited}, {8572, ""}, {17142, RateLimited},
			{17143, ""}}},
		"never above the burst":   {10, 2, []ask{{0, ""}, {1 << 50, ""}, {1 << 50, ""}, {1 << 50, RateLimited}}},
		"backwards counts as now": {10, 1, []ask{{9000, ""}, {0, RateLimited}, {14999, RateLimited}, {15000, ""}}},
		"no rate, burst alone":    {0, 2, []ask{{0, ""}, {0, ""}, {1 << 50, RateLimited}}},
		"no burst":                {10, 0, []ask{{0, RateLimited}, {1 << 50, RateLimited}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			l := roomy()
			l.PerMinute, l.Burst = test.perMinute, test.burst
			table := New(l)
			for i, a := range test.asks {
				if got := table.Charge("s", "server", a.at); got != a.want {
					t.Errorf("ask %d at %d: got %q, want %q", i+1, a.at, got, a.want)
				}
			}
		})
	}
}

// TestRefill counts what comes back by whole steps, also from below nothing, and never counts beyond full.
func TestRefill(t *testing.T) {
	tests := map[string]struct{ level, passed, perMinute, want int64 }{
		"from below nothing":          {-whole, whole + 2, 1, 2},
		"from far below nothing":      {-whole, 2*whole - 1, 1, whole - 1},
		"to full":                     {-whole, 2 * whole, 1, whole},
		"almost to full":              {0, 8571, 7, 8571 * 7},
		"after longer than it can be": {0, 1 << 62, 7, whole},
		"more than full before":       {2 * whole, 1, 1, whole},
		"no time":                     {5, 0, 1, 5},
	}
	for name, test := range tests {
		if got := Refill(test.level, test.passed, test.perMinute, whole); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}

// TestAdmissions holds that what is admitted has a bound of its own, and that only what is charged spends the other.
func TestAdmissions(t *testing.T) {
	l := roomy()
	l.PerMinute, l.Burst, l.AdmittedPerMinute, l.AdmittedBurst = 1, 1, 60, 3
	table := New(l)
	admit := func(at int64, want Refusal) {
		t.Helper()
		if got := table.Admit("s", "server", 0, false, at); got != want {
			t.Errorf("at %d: got %q, want %q", at, got, want)
		}
	}
	for range 3 {
		admit(0, Admitted)
	}
	admit(0, Flooded)
	if got := table.Charge("s", "server", 0); got != Admitted {
		t.Errorf("the first charge: %q", got)
	}
	if got := table.Charge("s", "server", 0); got != RateLimited {
		t.Errorf("the second charge: %q", got)
	}
	admit(999, Flooded)
	admit(1000, Admitted)
	l.PerMinute, l.Burst = 600, 10
	table.SetLimits(l)
	admit(1100, Admitted) // a higher rate of questions raises the bound on all of them
}

// TestAllowanceSurvivesAFlood asks from ever new servers: those with a full allowance may be dropped, the others not.
func TestAllowanceSurvivesAFlood(t *testing.T) {
	l := roomy()
	l.Burst, l.PerMinute = 1, 60
	table := New(l)
	table.Charge("s", "spent", 5000)
	for i := range 10_000 {
		table.Charge("s", fmt.Sprint(i), int64(i/5000)*5000)
	}
	if got := table.Charge("s", "spent", 5999); got != RateLimited {
		t.Errorf("a spent allowance was forgotten: %q", got)
	}
	if got := table.Charge("s", "spent", 6000); got != Admitted {
		t.Errorf("after a second: %q", got)
	}
}

func TestSetAllowance(t *testing.T) {
	l := roomy()
	l.Burst, l.PerMinute = 2, 60 // one a second
	tests := map[string]struct {
		here      bool // the server has spent everything at 1000
		level, at int64
		want      []int64 // at 1000, 1999 and 2000: requests let in
	}{
		"fresh engine":                    {false, whole, 1000, []int64{1, 0, 1}},
		"refilled since it was saved":     {false, 0, 500, []int64{0, 1, 0}},
		"never more than is left here":    {true, 2 * whole, 0, []int64{0, 0, 1}},
		"a time to come counts as now":    {false, 0, 1 << 60, []int64{0, 0, 1}},
		"a level out of range is clipped": {false, 1 << 62, -5, []int64{2, 0, 1}},
		"a level below nothing is none":   {false, -1 << 62, 1000, []int64{0, 0, 1}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			table := New(l)
			if test.here {
				table.Charge("s", "server", 1000)
				table.Charge("s", "server", 1000)
			}
			table.SetAllowance("server", test.level, test.at, 1000)
			for i, at := range []int64{1000, 1999, 2000} {
				var in int64
				for table.Charge("s", "server", at) == Admitted {
					in++
				}
				if in != test.want[i] {
					t.Errorf("at %d: %d let in, want %d", at, in, test.want[i])
				}
			}
		})
	}
}

func TestEndedRing(t *testing.T) {
	table := New(roomy())
	remember := func(from, to int) {
		for i := from; i < to; i++ {
			table.Remember(Ended{ID: id(i), Session: "s"})
		}
	}
	check := func(what, want string) {
		t.Helper()
		var got []string
		for _, e := range table.EndedOf("s", 1<<16) {
			got = append(got, strings.TrimLeft(string(e.ID[:31]), "0")+string(e.ID[31:]))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %v, want %s", what, got, want)
		}
	}
	remember(0, 5)
	check("not full", "0 1 2 3 4")
	remember(5, 11)
	check("wrapped", "3 4 5 6 7 8 9 a")
	if _, known := table.Ended(id(2)); known {
		t.Error("2 is remembered, but 8 came after it")
	}
	l := roomy()
	l.Ended = 3
	table.SetLimits(l)
	check("lowered", "8 9 a")
	remember(11, 12)
	check("lowered and wrapped", "9 a b")
	l.Ended = 5
	table.SetLimits(l)
	remember(12, 15)
	check("raised", "a b c d e")
	l.Ended = 0
	table.SetLimits(l)
	remember(15, 16)
	check("none", "")
}

func TestSettleOnce(t *testing.T) {
	table := New(roomy())
	table.Hold(Item{ID: id(1), Session: "s"}, 0)
	if !table.Settle(id(1), elicit.Declined, elicit.ByUser) || table.Settle(id(1), elicit.Accepted, elicit.ByUser) {
		t.Error("a request must settle once")
	}
	if e, _ := table.Ended(id(1)); e.Outcome != elicit.Declined {
		t.Errorf("ended %v, want the first outcome", e)
	}
}

func TestDeadlines(t *testing.T) {
	l := roomy()
	l.AnswerTTL, l.PageTTL = 100, 1000
	table := New(l)
	table.Hold(Item{ID: id(1), Session: "s"}, 0)
	table.Hold(Item{ID: id(2), Session: "s"}, 50)
	if got := table.Wake(); got != 100 {
		t.Errorf("wake %d, want 100", got)
	}
	if due := table.Due(99); len(due) != 0 {
		t.Errorf("due at 99: %v", due)
	}
	if due := table.Due(150); len(due) != 2 || due[0].ID != id(1) {
		t.Errorf("due at 150: %v, want both, oldest first", due)
	}
	table.Next(0)
	if it := table.Consent(id(1), 60); it.State != Awaiting || it.Deadline != 1060 {
		t.Errorf("after consent: %+v", it)
	}
	if table.Complete(id(3)) || table.Complete(id(2)) || !table.Complete(id(1)) {
		t.Error("only the page that was consented to is waited for")
	}
	if got := table.Wake(); got != 150 {
		t.Errorf("wake %d, want 150", got)
	}
}

func TestStateSpelling(t *testing.T) {
	for _, state := range []State{Queued, Shown, Awaiting, Reviewing} {
		if got, ok := ParseState(state.String()); !ok || got != state {
			t.Errorf("%v is read back as %v, %v", state, got, ok)
		}
	}
	for _, s := range []string{"", "unknown", "Shown", State(9).String()} {
		if state, ok := ParseState(s); ok || state != Queued {
			t.Errorf("%q is read as a state: %v, %t", s, state, ok)
		}
	}
}

// TestRequeue shows a request apart, where it takes no turn, and then gives it one behind those that wait.
func TestRequeue(t *testing.T) {
	l := roomy()
	l.AnswerTTL = 1000
	table := New(l)
	for n := range 3 {
		table.Hold(Item{ID: id(n), Session: "s", Server: "b"}, int64(n))
	}
	if it, ok := table.ShowApart(id(0), 5); !ok || !it.Apart || it.State != Shown {
		t.Fatalf("shown apart: %+v, %v", it, ok)
	}
	if next := table.Next(5); len(next) != 1 || next[0].ID != id(1) {
		t.Fatalf("a request that is shown apart takes a turn: %+v", next)
	}
	table.Requeue(id(1), 6) // it has a turn already
	table.Requeue(id(0), 50)
	if it, _ := table.Find(id(0)); it.State != Queued || it.Apart || it.Deadline != 1050 {
		t.Errorf("requeued: %+v", it)
	}
	for n, want := range []int{2, 0} {
		table.Settle(id(n+1), elicit.Declined, elicit.ByUser)
		if next := table.Next(60); len(next) != 1 || next[0].ID != id(want) {
			t.Errorf("next: %+v, want %d", next, want)
		}
	}
}

// TestSessionAllowance: a table restores the same allowance that SessionAllowance returned, also an empty one. A table
// without a bound restores none.
func TestSessionAllowance(t *testing.T) {
	l := roomy()
	l.PerMinuteSession, l.BurstSession = 1, 2
	for _, level := range []int64{0, 1, whole} {
		table := New(l)
		table.SetSessionAllowance("s", level, 0, 0)
		if got, at, spent := table.SessionAllowance("s"); got != level || at != 0 || !spent {
			t.Errorf("of %d: %d at %d, spent: %t", level, got, at, spent)
		}
	}
	l.PerMinuteSession = 0
	table := New(l)
	table.SetSessionAllowance("s", 1, 0, 0)
	if _, _, spent := table.SessionAllowance("s"); spent {
		t.Error("a table without a bound for a session says that the session has spent something")
	}
}
