package pending

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// TestTableIsTheModel plays random lives through the slab and through the model and compares every answer.
func TestTableIsTheModel(t *testing.T) {
	for seed := range uint64(100) {
		play(t, seed)
		if t.Failed() {
			return
		}
	}
}

// pair is a table and its model.
type pair struct {
	t    *testing.T
	seed uint64
	dice *rand.Rand
	at   int64
	made int
	ids  []elicit.ID
	tab  *Table
	mod  *model
}

func play(t *testing.T, seed uint64) {
	dice := rand.New(rand.NewPCG(seed, 7))
	limits := Limits{Queue: 1 + dice.IntN(6), Shown: dice.IntN(4), PerMinute: dice.IntN(5000), Burst: 1 + dice.IntN(8), Ended: dice.IntN(12)}
	if dice.IntN(2) == 0 {
		limits.AnswerTTL = 1 + dice.Int64N(500)
	}
	if dice.IntN(2) == 0 {
		limits.PageTTL = 1 + dice.Int64N(500)
	}
	p := &pair{t: t, seed: seed, dice: dice, tab: New(limits), mod: newModel(limits)}
	for step := range 200 {
		p.at += dice.Int64N(60)
		p.act()
		p.compare(step)
	}
}

func (p *pair) act() {
	session, server := fmt.Sprint("s", p.dice.IntN(3)), fmt.Sprint("v", p.dice.IntN(3))
	ref, link := fmt.Sprint("r", p.dice.IntN(8)), []string{"", "a", "b"}[p.dice.IntN(3)]
	id := p.id()
	switch p.dice.IntN(9) {
	case 0, 1, 2:
		p.same("admit", p.tab.Admit(session, server, ref, 0, p.at), p.mod.admit(session, server, ref, p.at))
		p.made++
		it := Item{ID: elicit.ID(fmt.Sprintf("%032x", p.made)), Session: session, Server: server, Ref: ref, Parent: "p" + ref, Link: link}
		p.ids = append(p.ids, it.ID)
		p.same("hold", p.tab.Hold(it, p.at), p.mod.hold(it, p.at))
	case 3:
		p.same("next", p.tab.Next(), p.mod.next())
	case 4:
		p.same("settle", p.tab.Settle(id, elicit.Declined, elicit.ByUser), p.mod.settle(id, elicit.Declined, elicit.ByUser))
	case 5:
		if it := p.mod.find(id); it != nil && it.State == Shown {
			p.same("consent", p.tab.Consent(id, p.at), p.mod.consent(id, p.at))
		}
	case 6:
		got, ok := p.tab.Complete(session, link)
		want, wanted := p.mod.complete(session, link)
		p.same("complete", []any{got, ok}, []any{want, wanted})
	case 7:
		for _, it := range p.tab.Due(p.at) {
			p.same("expire", p.tab.Settle(it.ID, elicit.Cancelled, elicit.ByTimeout), p.mod.settle(it.ID, elicit.Cancelled, elicit.ByTimeout))
		}
	case 8:
		until := p.at + p.dice.Int64N(900)
		got, ok := p.tab.Extend(id, until)
		want, wanted := p.mod.extend(id, until)
		p.same("extend", []any{got, ok}, []any{want, wanted})
	}
}

func (p *pair) id() elicit.ID {
	if len(p.ids) == 0 || p.dice.IntN(20) == 0 {
		return elicit.ID(strings.Repeat("f", 32))
	}
	return p.ids[max(0, len(p.ids)-1-p.dice.IntN(12))]
}

func (p *pair) compare(step int) {
	what := func(name string) string { return fmt.Sprintf("step %d: %s", step, name) }
	p.same(what("due"), p.tab.Due(p.at), p.mod.due(p.at))
	p.same(what("wake"), p.tab.Wake(), p.mod.wake())
	p.same(what("waiting"), p.tab.Waiting(), p.mod.waiting())
	for _, session := range []string{"s0", "s1", "s2", "none"} {
		p.same(what("open "+session), p.tab.Open(session), p.mod.where(func(it *Item) bool { return it.Session == session }))
		got := p.tab.EndedOf(session)
		p.same(what("ended "+session), append([]Ended{}, got...), append([]Ended{}, p.mod.endedOf(session)...))
	}
}

func (p *pair) same(what string, got, want any) {
	if !reflect.DeepEqual(got, want) {
		p.t.Errorf("seed %d, %s:\n got %+v\nwant %+v", p.seed, what, got, want)
	}
}

// TestTextsAreCompacted keeps the arena in proportion to what is open.
func TestTextsAreCompacted(t *testing.T) {
	tab := New(Limits{Queue: 10, Shown: 1, Burst: 1 << 20})
	keep := Item{ID: elicit.ID(fmt.Sprintf("%032x", 1)), Session: "s", Server: "v", Ref: "kept", Link: "link"}
	tab.Hold(keep, 0)
	for i := range 20_000 {
		id := elicit.ID(fmt.Sprintf("%032x", i+2))
		tab.Hold(Item{ID: id, Session: "t", Server: "w", Ref: strings.Repeat("x", 100)}, 0)
		tab.Settle(id, elicit.Declined, elicit.ByUser)
	}
	if n := len(tab.slab.text); n > 1<<18 {
		t.Errorf("the arena holds %d bytes for one open request", n)
	}
	if got, _ := tab.Find(keep.ID); got.Ref != "kept" || got.Link != "link" {
		t.Errorf("got %+v", got)
	}
	if n := len(tab.slab.records); n > 2 {
		t.Errorf("%d records for at most two open requests", n)
	}
}

// TestMalformedIDsAreRefused: only ids the engine mints can be held.
func TestMalformedIDsAreRefused(t *testing.T) {
	tab := New(Limits{Queue: 10})
	for _, id := range []elicit.ID{"", "1", elicit.ID(strings.Repeat("F", 32)), elicit.ID(strings.Repeat("g", 32)), elicit.ID(strings.Repeat("0", 31))} {
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
