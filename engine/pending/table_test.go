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
	tab := New(Limits{Queue: 10, Shown: 1, Burst: 1 << 20})
	keep := Item{ID: elicit.ID(fmt.Sprintf("%032x", 1)), Session: "s", Server: "v"}
	tab.Hold(keep, 0)
	for i := range 20_000 {
		id := elicit.ID(fmt.Sprintf("%032x", i+2))
		tab.Hold(Item{ID: id, Session: "t", Server: "w"}, 0)
		tab.Settle(id, elicit.Declined, elicit.ByUser)
	}
	if got, open := tab.Find(keep.ID); got != keep || !open {
		t.Errorf("got %+v", got)
	}
	if n := len(tab.slab.sessions.names); n > 2 {
		t.Errorf("%d names for at most two sessions", n)
	}
	if n := len(tab.slab.records); n > 2 {
		t.Errorf("%d records for at most two open requests", n)
	}
}

// TestMalformedIDsAreRefused: only ids the engine mints can be held.
func TestMalformedIDsAreRefused(t *testing.T) {
	tab := New(Limits{Queue: 10})
	for _, id := range []elicit.ID{"", "1", elicit.ID(strings.Repeat("F", 32)), elicit.ID(strings.Repeat("g", 32)),
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
