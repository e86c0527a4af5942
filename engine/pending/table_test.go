package pending

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// TestRecordsAreUsedAgain keeps the slab in proportion to what is open.
func TestRecordsAreUsedAgain(t *testing.T) {
	tab := New(Limits{Queue: 10, Shown: 2, Burst: 1 << 20})
	keep := Item{ID: elicit.ID(fmt.Sprintf("%032x", 1)), Session: "s", Server: "v"}
	tab.Hold(keep, 0)
	for i := range 20_000 {
		id := elicit.ID(fmt.Sprintf("%032x", i+2))
		tab.Hold(Item{ID: id, Session: fmt.Sprint("t", i), Server: fmt.Sprint("w", i)}, 0)
		tab.Next(0)
		tab.Settle(id, elicit.Declined, elicit.ByUser)
	}
	keep.State = Shown
	if got, open := tab.Find(keep.ID); got != keep || !open {
		t.Errorf("got %+v", got)
	}
	if n, m := len(tab.slab.sessions.names), len(tab.slab.servers.names); n > 2 || m > 2 {
		t.Errorf("%d names for at most two sessions, and %d for at most two servers", n, m)
	}
	if n := tab.servers.turns.Len(); n > maxRates {
		t.Errorf("%d turns, at most %d", n, maxRates)
	}
	if n := len(tab.slab.records); n > 2 {
		t.Errorf("%d records for at most two open requests", n)
	}
}

// TestMalformedIDsAreRefused: only ids the engine mints can be held.
func TestMalformedIDsAreRefused(t *testing.T) {
	tab := New(Limits{Queue: 10})
	for _, id := range []elicit.ID{"", "1", elicit.ID(strings.Repeat("F", 32)), elicit.ID(strings.Repeat("g", 32)),
		elicit.ID(strings.Repeat("W", 32)), elicit.ID(strings.Repeat("`", 32)), elicit.ID(strings.Repeat("/", 32)),
		elicit.ID(strings.Repeat("0", 31))} {
		if tab.Restore(Item{ID: id}) {
			t.Errorf("%q was held", id)
		}
	}
	good := Item{ID: elicit.ID(strings.Repeat("0", 32))}
	if !tab.Restore(good) || tab.Restore(good) {
		t.Error("a well-formed id must be held once")
	}
}

// TestReviewEndsOnce gives a request under review its deadline when it is released, and lets neither release nor recall
// touch a request in another state.
func TestReviewEndsOnce(t *testing.T) {
	tab := New(Limits{Queue: 10, Shown: 1, Burst: 10, AnswerTTL: 1000})
	id, none := elicit.ID(fmt.Sprintf("%032x", 1)), elicit.ID(fmt.Sprintf("%032x", 2))
	tab.Review(Item{ID: id, Session: "s", Server: "v"})
	tab.Release(none, 5)
	tab.Recall(none)
	if tab.Wake() != 0 {
		t.Errorf("a request under review is due at %d", tab.Wake())
	}
	tab.Release(id, 5)
	tab.Release(id, 500) // too late: it is in the queue already
	if it, open := tab.Find(id); !open || it.State != Queued || it.Deadline != 1005 || tab.Wake() != 1005 {
		t.Errorf("after its release: %+v, %v, the next wake is at %d", it, open, tab.Wake())
	}
	tab.Next(600)
	tab.Consent(id, 600)
	tab.Recall(id)
	if it, _ := tab.Find(id); it.State != Awaiting {
		t.Errorf("a request that waits for its page was recalled: %+v", it)
	}
	tab.Release(id, 700)
	if it, _ := tab.Find(id); it.State != Awaiting {
		t.Errorf("a request that waits for its page was released: %+v", it)
	}
}

// BenchmarkMillion holds, finds due and settles with a million requests open; B/record is memory without labels.
func BenchmarkMillion(b *testing.B) {
	const open = 1_000_000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	tab := New(Limits{Queue: open, Shown: 1, Burst: 1 << 20, AnswerTTL: 300_000})
	id := func(i int) elicit.ID {
		k := key{byte(i >> 24), byte(i >> 16), byte(i >> 8), byte(i), 1}
		return elicit.ID(fmt.Sprintf("%x", k[:]))
	}
	for i := range open {
		tab.Hold(Item{ID: id(i), Session: fmt.Sprint("s", i%1000), Server: "v"}, int64(i))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	ids := make([]elicit.ID, 4096)
	for i := range ids {
		ids[i] = id(open + i)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		one := ids[i&4095]
		tab.Hold(Item{ID: one, Session: "s1", Server: "v"}, int64(open+i))
		tab.Settle(one, elicit.Cancelled, elicit.ByTimeout)
	}
	b.StopTimer()
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/open, "B/record")
	runtime.KeepAlive(tab)
}

// TestNewServersGoFirst gives turns to servers that had none before those that had one, and among both in order.
func TestNewServersGoFirst(t *testing.T) {
	tab := New(Limits{Queue: 1000, Shown: 1, Burst: 1 << 20})
	var held int
	hold := func(from, to int) {
		for server := from; server < to; server++ {
			held++
			id := elicit.ID(fmt.Sprintf("%032x", held))
			tab.Hold(Item{ID: id, Session: "s", Server: fmt.Sprint(server)}, 0)
		}
	}
	var order []string
	take := func(n int) {
		for range n {
			next := tab.Next(0)[0]
			order = append(order, next.Server)
			tab.Settle(next.ID, elicit.Declined, elicit.ByUser)
		}
	}
	hold(0, 20)
	hold(0, 20)
	take(20)
	hold(20, 40)
	take(40)
	for i, server := range order {
		if want := fmt.Sprint([3]int{0, 20, 0}[i/20] + i%20); server != want {
			t.Fatalf("turn %d: server %s, want %s; all: %v", i, server, want, order)
		}
	}
}

// TestTablesOfServersAreBounded: a server whose allowance is full, or that has nothing open, is forgotten when 4,096
// servers are known, and not before.
func TestTablesOfServersAreBounded(t *testing.T) {
	for known, want := range map[int]int{4095: 4096, 4096: 1} {
		var r rates
		l := Limits{PerMinute: 60, Burst: 2}
		for i := range known {
			r.spend(fmt.Sprint("s", i), 0, l)
		}
		if r.spend("new", 3_600_000, l); r.Len() != want {
			t.Errorf("%d allowances after %d full ones, want %d", r.Len(), known, want)
		}
		tab := New(Limits{Queue: 10, Shown: 1, Burst: 1 << 20})
		for i := range known + 1 {
			id := elicit.ID(fmt.Sprintf("%032x", i+1))
			tab.Hold(Item{ID: id, Session: "s", Server: fmt.Sprint("v", i), State: Shown}, 0)
			if item, ok := tab.Find(id); !ok || item.State != Queued {
				t.Fatalf("a held request is %v", item.State)
			}
			tab.Next(0)
			tab.Settle(id, elicit.Declined, elicit.ByUser)
		}
		if n := tab.servers.turns.Len(); n != want {
			t.Errorf("%d turns after those of %d servers, want %d", n, known, want)
		}
		if n := tab.servers.place.Len(); n != 0 {
			t.Errorf("%d places of servers that have nothing open", n)
		}
	}
}
