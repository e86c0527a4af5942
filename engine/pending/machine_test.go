package pending

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// TestMain fixes what rapid draws, so that every run is the same one; -rapid.seed 0 draws anew.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{"seed": "1", "checks": "600", "steps": "80", "nofailfile": "true"} {
		if err := flag.Set("rapid."+name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// TestTableIsTheModel plays lives through the slab and through the model and compares every answer and all that can be
// seen after it. A life that differs is shrunk to the shortest one that does.
func TestTableIsTheModel(t *testing.T) {
	met := map[string]int{} // actions that did something
	rapid.Check(t, func(t *rapid.T) {
		limits := drawLimits(t)
		p := &pair{T: t, tab: New(limits), mod: newModel(limits), met: met}
		t.Repeat(map[string]func(*rapid.T){
			"admit": p.admit, "hold": p.hold, "restore": p.restore, "next": p.next, "prefer": p.prefer, "apart": p.apart,
			"settle": p.settle, "consent": p.consent,
			"complete": p.complete, "expire": p.expire, "extend": p.extend, "limits": p.setLimits,
			"remember": p.remember, "allow": p.allow, "allow session": p.allowSession, "forget": p.forget,
			"review": p.review, "recall": p.recall, "release": p.release, "requeue": p.requeue, "deadline": p.setDeadline,
			"": p.compare,
		})
	})
	t.Logf("%v", met)
	for _, what := range []string{"admitted", string(RateLimited), string(SessionLimited),
		string(QueueFull),
		string(Flooded), "charged", "held",
		"restored", "shown", "preferred", "shown apart", "settled", "consented", "completed", "expired", "extended",
		"reviewed", "recalled", "released", "requeued", "deadline set"} {
		if met[what] < 50 && !testing.Short() { // -short plays too few lives to count
			t.Errorf("%s %d times: the lives have lost their subject", what, met[what])
		}
	}
}

// pair is a table and its model.
type pair struct {
	*rapid.T
	tab  *Table
	mod  *model
	at   int64
	made int
	met  map[string]int
}

func drawLimits(t *rapid.T) Limits {
	count := func(most int) int { return rapid.IntRange(0, most).Draw(t, "limit") }
	return Limits{Queue: 1 + count(5), Shown: count(3), PerMinute: count(9000), Burst: 1 + count(7),
		PerMinuteSession: count(9000),
		BurstSession:     count(7), AdmittedPerMinute: count(9000), AdmittedBurst: 2 + count(7), AnswerTTL: int64(count(500)),
		ShownTTL: int64(count(500)),
		PageTTL:  int64(count(500)), Ended: count(12)}
}

func (p *pair) same(what string, got, want any) {
	p.Helper()
	if !reflect.DeepEqual(got, want) {
		p.Fatalf("%s at %d:\n got %+v\nwant %+v", what, p.at, got, want)
	}
}

func (p *pair) count(what string, happened bool) {
	if happened {
		p.met[what]++
	}
}

func one(t *rapid.T, of ...string) string { return rapid.SampledFrom(of).Draw(t, "of") }

func session(t *rapid.T) string { return one(t, "s0", "s1", "s2") }
func server(t *rapid.T) string  { return one(t, "v0", "v1", "v2") }

// when is a moment near now, and more often a moment later.
func (p *pair) when(t *rapid.T) int64 { return max(0, p.at+rapid.Int64Range(-90, 900).Draw(t, "when")) }

// item is one that was not held before.
func (p *pair) item(t *rapid.T) Item {
	p.made++
	return Item{ID: madeID(p.made), Session: session(t), Server: server(t)}
}

func madeID(n int) elicit.ID { return elicit.ID(fmt.Sprintf("%032x", n)) }

// id is one of those made so far, open or not, or one that never was.
func (p *pair) id(t *rapid.T) elicit.ID {
	if len(p.mod.items) > 0 && rapid.IntRange(0, 4).Draw(t, "open") > 0 {
		return rapid.SampledFrom(p.mod.items).Draw(t, "item").ID
	}
	return madeID(rapid.IntRange(0, p.made).Draw(t, "id"))
}

func (p *pair) admit(t *rapid.T) {
	p.at += rapid.Int64Range(0, 60).Draw(t, "later")
	session, server, besides := session(t), server(t), rapid.IntRange(0, 1).Draw(t, "besides")
	apart := rapid.IntRange(0, 3).Draw(t, "apart") == 3
	got := p.tab.Admit(session, server, besides, apart, p.at)
	p.same("admit", got, p.mod.admit(session, server, besides, apart, p.at))
	p.count("admitted", got == Admitted)
	p.count(string(got), got != Admitted)
	if got != Admitted || rapid.IntRange(0, 3).Draw(t, "settled at once") == 0 {
		return
	}
	got = p.tab.Charge(session, server, p.at)
	p.same("charge", got, p.mod.charge(session, server, p.at))
	p.count("charged", got == Admitted)
	p.count(string(got), got != Admitted)
}

// hold queues an item that may have a deadline already.
func (p *pair) hold(t *rapid.T) {
	it := p.item(t)
	it.Deadline = p.when(t)
	got := p.tab.Hold(it, p.at)
	p.same("hold", got, p.mod.hold(it, p.at))
	p.count("held", got)
}

// restore puts back any item in any state, also one whose id is open.
func (p *pair) restore(t *rapid.T) {
	it := p.item(t)
	it.State, it.Deadline = rapid.SampledFrom([]State{Queued, Shown, Awaiting, Reviewing}).Draw(t, "state"), p.when(t)
	it.Finished, it.Apart = rapid.Bool().Draw(t, "finished"), rapid.Bool().Draw(t, "apart")
	if rapid.IntRange(0, 9).Draw(t, "again") == 9 {
		it.ID = p.id(t)
	}
	got := p.tab.Restore(it)
	p.same("restore", got, p.mod.restore(it))
	p.count("restored", got)
}

func (p *pair) next(*rapid.T) {
	got := p.tab.Next(p.at)
	p.same("next", got, p.mod.next(p.at))
	p.count("shown", len(got) > 0)
}

func (p *pair) prefer(t *rapid.T) { p.shows(t, "preferred", p.tab.Prefer, p.mod.prefer) }

func (p *pair) apart(t *rapid.T) { p.shows(t, "shown apart", p.tab.ShowApart, p.mod.showApart) }

func (p *pair) shows(t *rapid.T, what string, table, model func(elicit.ID, int64) (Item, bool)) {
	id := p.id(t)
	got, ok := table(id, p.at)
	want, wanted := model(id, p.at)
	p.same(what+" at all", ok, wanted)
	p.same(what, got, want)
	p.count(what, ok)
}

func (p *pair) settle(t *rapid.T) {
	id := p.id(t)
	got := p.tab.Settle(id, elicit.Declined, elicit.ByUser)
	p.same("settle", got, p.mod.settle(id, elicit.Declined, elicit.ByUser))
	p.count("settled", got)
}

func (p *pair) consent(t *rapid.T) {
	id := p.id(t)
	if it := p.mod.find(id); it == nil || it.State != Shown {
		p.same("consent to what is not open", p.mod.find(id) == nil && p.tab.Consent(id, p.at) != Item{}, false)
		return
	}
	p.same("consent", p.tab.Consent(id, p.at), p.mod.consent(id, p.at))
	p.count("consented", true)
}

func (p *pair) complete(t *rapid.T) {
	id := p.id(t)
	got := p.tab.Complete(id)
	p.same("complete", got, p.mod.complete(id))
	p.count("completed", got)
}

func (p *pair) expire(t *rapid.T) {
	p.at += rapid.Int64Range(0, 200).Draw(t, "later")
	for _, it := range p.tab.Due(p.at) {
		p.same("expire", p.tab.Settle(it.ID, elicit.Cancelled, elicit.ByTimeout), p.mod.settle(it.ID, elicit.Cancelled,
			elicit.ByTimeout))
		p.count("expired", true)
	}
}

func (p *pair) extend(t *rapid.T) {
	id, until := p.id(t), p.when(t)
	got, ok := p.tab.Extend(id, until)
	want, wanted := p.mod.extend(id, until)
	p.same("extend", []any{got, ok}, []any{want, wanted})
	p.count("extended", ok && got == until)
}

func (p *pair) setLimits(t *rapid.T) {
	if rapid.IntRange(0, 3).Draw(t, "change") < 3 {
		return
	}
	p.mod.remembered()
	p.mod.limits = drawLimits(t)
	p.tab.SetLimits(p.mod.limits)
}

func (p *pair) remember(t *rapid.T) {
	e := Ended{p.id(t), session(t), elicit.Failed, elicit.ByInvalidRequest}
	p.tab.Remember(e)
	p.mod.remember(e)
}

func (p *pair) allow(t *rapid.T) {
	server, level, at := server(t), rapid.Int64Range(-1, 9*60_000).Draw(t, "level"), p.when(t)
	p.tab.SetAllowance(server, level, at, p.at)
	p.mod.allow(server, level, at, p.at)
}

func (p *pair) allowSession(t *rapid.T) {
	session, level, at := session(t), rapid.Int64Range(-1, 9*60_000).Draw(t, "level"), p.when(t)
	p.tab.SetSessionAllowance(session, level, at, p.at)
	p.mod.allowSession(session, level, at, p.at)
}

// review gives guardians an item that may have a deadline already.
func (p *pair) review(t *rapid.T) {
	it := p.item(t)
	it.Deadline = p.when(t)
	got := p.tab.Review(it)
	p.same("review", got, p.mod.review(it))
	p.count("reviewed", got)
}

// moved counts what a call does to an item. It plays the call on the table and on the model.
func (p *pair) moved(t *rapid.T, what string, table, model func(elicit.ID)) {
	id := p.id(t)
	var before, after Item
	if it := p.mod.find(id); it != nil {
		before = *it
	}
	table(id)
	model(id)
	if it := p.mod.find(id); it != nil {
		after = *it
	}
	p.count(what, before != after)
}

func (p *pair) recall(t *rapid.T) { p.moved(t, "recalled", p.tab.Recall, p.mod.recall) }

func (p *pair) release(t *rapid.T) {
	p.moved(t, "released", func(id elicit.ID) { p.tab.Release(id, p.at) }, func(id elicit.ID) { p.mod.release(id, p.at) })
}

func (p *pair) requeue(t *rapid.T) {
	p.moved(t, "requeued", func(id elicit.ID) { p.tab.Requeue(id, p.at) }, func(id elicit.ID) { p.mod.requeue(id, p.at) })
}

func (p *pair) setDeadline(t *rapid.T) {
	at := p.when(t) * rapid.Int64Range(0, 1).Draw(t, "any")
	p.moved(t, "deadline set", func(id elicit.ID) { p.tab.SetDeadline(id, at) },
		func(id elicit.ID) { p.mod.setDeadline(id, at) })
}

func (p *pair) forget(t *rapid.T) {
	session := session(t)
	p.tab.ForgetSession(session)
	delete(p.mod.sessions, session)
}

// compare looks at everything a table tells.
func (p *pair) compare(*rapid.T) {
	p.same("due", p.tab.Due(p.at), p.mod.due(p.at))
	p.same("wake", p.tab.Wake(), p.mod.wake())
	p.same("waiting", p.tab.Waiting(), p.mod.waiting())
	for _, session := range []string{"s0", "s1", "s2", "none"} {
		p.same("open "+session, p.tab.Open(session), p.mod.open(session))
		all := p.mod.endedOf(session)
		for _, most := range []int{2, len(all) + 1} {
			p.same("ended "+session, append([]Ended{}, p.tab.EndedOf(session, most)...),
				append([]Ended{}, all[max(0, len(all)-most):]...))
		}
		level, at, spent := p.tab.SessionAllowance(session)
		want := p.mod.sessions[session]
		p.same("allowance "+session, spent, want != nil)
		if spent {
			p.same("allowance "+session, bucket{level, at}, *want)
		}
	}
	for _, server := range []string{"v0", "v1", "v2", "none"} {
		want := p.mod.servers[server]
		if want == nil { // nothing is known of it, so it may ask as often as one may at once
			want = &bucket{int64(p.mod.limits.Burst) * 60_000, 0}
		}
		level, at := p.tab.Allowance(server)
		p.same("allowance "+server, bucket{level, at}, *want)
	}
	for n := range p.made + 1 {
		it, open := p.tab.Find(madeID(n))
		want := p.mod.find(madeID(n))
		p.same("find", open, want != nil)
		if open {
			p.same("find", it, *want)
		}
		got, known := p.tab.Ended(madeID(n))
		end, remembered := p.mod.howEnded(madeID(n))
		p.same("how it ended", []any{got, known}, []any{end, remembered})
	}
}
