package storetest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/elicit-engine/elicit/store"
)

func (r *run) journal(s store.Store, session string, after uint64) (all []store.Record) {
	for record, err := range s.Journal(r.ctx, session, after) {
		must(err, "reading the journal")
		all = append(all, record)
	}
	return all
}

func (r *run) history(s store.Store, q store.Query) (all []store.Entry) {
	for e, err := range s.History(r.ctx, q) {
		must(err, "reading the history")
		all = append(all, e)
	}
	return all
}

func keepsTheJournal(r *run) {
	s := r.store()
	var want []store.Record
	v := uint64(0)
	for commit := range 12 { // more than nine, so that 10 must come after 9
		var lines [][]byte
		next := store.Change{From: v, Now: now}
		for i := range commit {
			line := fmt.Appendf(nil, "{\"record\":\"%d.%d\"}\n\x00", commit, i)
			lines = append(lines, line)
			want = append(want, store.Record{Version: next.Version(), Index: i, Line: line})
		}
		v = r.put(s, "a", v, "x", func(c *store.Change) { c.Records = lines })
	}
	r.put(s, "b", 0, "x", func(c *store.Change) { c.Records = [][]byte{[]byte("of b")} })
	same := func(a, b store.Record) bool {
		return a.Version == b.Version && a.Index == b.Index && bytes.Equal(a.Line, b.Line)
	}
	if got := r.journal(s, "a", 0); !slices.EqualFunc(got, want, same) {
		fail("the journal is %+v, want %+v", got, want)
	}
	last := want[len(want)-11:]
	if got := r.journal(s, "a", v-1); !slices.EqualFunc(got, last, same) {
		fail("the journal of the last commit is %+v, want %+v", got, last)
	}
	for range s.Journal(r.ctx, "a", 0) {
		break // a reader may stop
	}
	r.holds(s, "a", "x", v)
	if got := r.journal(s, "nobody", 0); len(got) != 0 {
		fail("an unknown session has %d records", len(got))
	}
}

// settled is a history: 60 questions of three sessions, two of each moment.
func settled() (all []store.Entry) {
	for i := range 60 {
		all = append(all, store.Entry{Session: fmt.Sprintf("session %d", i%3), ID: fmt.Sprintf("id %02d", i),
			At: now + int64(i/2), Server: fmt.Sprintf("server %d", i%4), Tool: fmt.Sprintf("tool %d", i%5),
			Outcome: []string{"accept", "decline"}[i/7%2], Text: fmt.Sprintf("Größe %d of 100%%?", i),
			Body: fmt.Appendf(nil, "{\"n\":%d}", i)})
	}
	return all
}

// settle commits the entries to their sessions.
func (r *run) settle(s store.Store, entries []store.Entry) {
	versions := map[string]uint64{}
	for _, e := range entries {
		versions[e.Session] = r.put(s, e.Session, versions[e.Session], "x", func(c *store.Change) {
			c.Entries = []store.Entry{e}
			c.Entries[0].Session = "" // the store sets it
		})
	}
}

func selectsHistory(r *run) {
	s := r.store()
	entries := settled()
	r.settle(s, entries)
	some := entries[20]
	for _, q := range []store.Query{
		{}, {Session: some.Session}, {Server: some.Server}, {Tool: some.Tool}, {Outcome: "decline"}, {Tool: "tool"},
		{Server: some.Server, Tool: some.Tool, Outcome: some.Outcome}, {Since: now + 10}, {Until: now + 10},
		{Since: now + 10, Until: now + 20, Tool: some.Tool}, {Text: "größe 2"}, {Text: "GRÖSSE"}, {Text: "100%?"},
		{Text: "_"}, {Text: "GRÖßE 1"}, {Text: "nothing"}, {Server: "server 1", Text: "7 of"},
	} {
		got := r.history(s, q)
		if !slices.IsSortedFunc(got, func(a, b store.Entry) int { return int(b.At - a.At) }) {
			fail("%+v: not newest first", q)
		}
		var want []store.Entry
		for _, e := range entries {
			if q.Matches(&e) {
				want = append(want, e)
			}
		}
		if !sameEntries(got, want) {
			fail("%+v: %d entries, want %d", q, len(got), len(want))
		}
		q.Limit = 3
		if few := r.history(s, q); !sameEntries(few, got[:min(3, len(got))]) {
			fail("%+v: not the first three", q)
		}
	}
	for range s.History(r.ctx, store.Query{}) {
		break // a reader may stop
	}
	r.put(s, "after a reader stopped", 0, "x")
}

// sameEntries compares entries whatever the order of those of one moment.
func sameEntries(a, b []store.Entry) bool {
	order := func(all []store.Entry) []store.Entry {
		all = slices.Clone(all)
		slices.SortFunc(all, func(a, b store.Entry) int { return store.Newer(&a, &b) })
		return all
	}
	return slices.EqualFunc(order(a), order(b), func(a, b store.Entry) bool {
		same := bytes.Equal(a.Body, b.Body)
		a.Body, b.Body = nil, nil
		return same && fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b)
	})
}

func pagesHistory(r *run) {
	s := r.store()
	r.settle(s, settled())
	for _, q := range []store.Query{{}, {Tool: "tool 1"}, {Text: "1"}} {
		whole := r.history(s, q)
		for _, size := range []int{1, 7, 60} {
			var pages []store.Entry
			for {
				q.Limit = size
				page := r.history(s, q)
				if pages = append(pages, page...); len(page) < size || len(pages) > len(whole) {
					break
				}
				q.Before = &page[len(page)-1]
			}
			q.Before, q.Limit = nil, 0
			if !slices.EqualFunc(pages, whole, func(a, b store.Entry) bool { return a.ID == b.ID }) {
				fail("pages of %d of %+v have %d entries, want %d in the same order", size, q, len(pages), len(whole))
			}
		}
	}
}

func keepsEntriesOnce(r *run) {
	s := r.store()
	same := func(text string) func(*store.Change) {
		return func(c *store.Change) { c.Entries = []store.Entry{{ID: "q", At: now, Tool: text, Text: text}} }
	}
	v := r.put(s, "a", 0, "x", same("old"))
	r.put(s, "a", v, "x", same("new"))
	r.put(s, "b", 0, "x", same("of b"))
	if got := r.history(s, store.Query{Session: "a"}); len(got) != 1 || got[0].Text != "new" {
		fail("the history is %+v", got)
	}
	if got := r.history(s, store.Query{Tool: "old"}); len(got) != 0 {
		fail("the replaced entry is still found: %+v", got)
	}
	if got := r.history(s, store.Query{}); len(got) != 2 {
		fail("the history of both is %+v", got)
	}
}

// tick commits and asks for what is due at later times, so that a store forgets what may be forgotten, until something
// is so.
func (r *run) tick(s store.Store, until func() bool, why string) {
	v := uint64(0)
	for at := int64(now + 60_000); !until(); at += 1000 {
		if r.ctx.Err() != nil {
			fail("%s", why)
		}
		v = r.put(s, "clock", v, "x", func(c *store.Change) {
			c.Now, c.Expires = at, at+1000_000
		})
		_, err := s.Due(r.ctx, at, 0, 1)
		must(err, "asking what is due")
		time.Sleep(time.Millisecond) // between two looks: some stores forget by their own clock
	}
}

func forgets(r *run) {
	s := r.store()
	r.put(s, "short", 0, "x", func(c *store.Change) { c.Expires, c.Next = now+1, now+1 })
	long := r.put(s, "long", 0, "x", func(c *store.Change) { c.Expires = now + 86400_000*365 })
	forever := r.put(s, "forever", 0, "x")
	longer := r.put(s, "longer", 0, "x", func(c *store.Change) { c.Expires = now + 86400_000 })
	longer = r.put(s, "longer", longer, "y", func(c *store.Change) { c.Expires = 0 })
	r.tick(s, func() bool {
		_, err := s.Load(r.ctx, "short")
		return err != nil
	}, "a session that expired is still there")
	r.unknown(s, "short")
	r.holds(s, "long", "x", long)
	r.holds(s, "forever", "x", forever)
	r.holds(s, "longer", "y", longer)
	_, err := s.Commit(r.ctx, store.Change{Session: "short", From: long, Now: now, State: []byte("y")})
	wants(err, store.ErrConflict, "committing to a session that expired since it was loaded")
	r.tick(s, func() bool {
		due, err := s.Due(r.ctx, now+10, 0, 10)
		must(err, "asking what is due")
		return len(due) == 0
	}, "a session that expired is still due")
	v := r.put(s, "short", 0, "again", func(c *store.Change) { c.Now = now + 1 })
	r.holds(s, "short", "again", v)
}

func forgetsHistory(r *run) {
	s := r.store()
	const long = now + 86400_000*365
	versions, kept := map[string]uint64{}, map[string][2]int64{"short": {now + 1, now + 1}, "long": {long, long},
		"forever": {}, "records": {now + 1, long}, "entries": {long, now + 1}}
	for name, until := range kept {
		versions[name] = r.put(s, name, 0, "x", func(c *store.Change) {
			c.Keep, c.KeepRecords, c.Records = until[0], until[1], [][]byte{[]byte("line")}
			c.Entries = []store.Entry{{ID: "q", At: now, Text: strings.Repeat("x", 10)}}
		})
	}
	entries := func(name string) int { return len(r.history(s, store.Query{Session: name})) }
	records := func(name string) int { return len(r.journal(s, name, 0)) }
	r.tick(s, func() bool {
		return records("short")+entries("short")+entries("records")+records("entries") == 0
	}, "records or entries of a session are still there")
	for name, until := range kept {
		r.holds(s, name, "x", versions[name])
		if entries(name) == 0 && until[0] != now+1 || records(name) == 0 && until[1] != now+1 {
			fail("records or entries of session %s are gone", name)
		}
	}
}
