package main

import (
	"fmt"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/engine/schema"
)

// growth measures whether the cost of one piece stays the same with more pieces. "Linear" means that with a hundred
// times the work, each piece costs at most 1.5 times as much. "Flat" means that one piece costs at most 1.5 times as
// much.
func growth() (contests []*contest, rows []row) {
	for _, open := range []func() (*contest, []row){fieldGrowth, journalGrowth, readingGrowth, replayGrowth,
		pendingGrowth} {
		c, r := open()
		contests, rows = append(contests, c), append(rows, r...)
	}
	return contests, rows
}

func fieldGrowth() (*contest, []row) {
	c := &contest{procs: 1, batch: batch, batches: batches}
	type pair struct{ compile, check, whole *line }
	var at []pair
	for _, n := range []int{1, 10, 100} {
		doc, answer := formOf(n)
		form, problems := schema.Compile(doc, schema.Options{})
		mustHold(problems == nil && form.Check(answer) == nil, "a form that grows")
		h, message := newHost(), createMessage(doc)
		p := pair{
			&line{name: fmt.Sprintf("%d fields", n), unit: "ns", run: func(n int) {
				for range n {
					schema.Compile(doc, schema.Options{})
				}
			}},
			&line{name: fmt.Sprintf("%d fields", n), unit: "ns", run: func(n int) {
				for range n {
					form.Check(answer)
				}
			}},
			&line{name: fmt.Sprintf("%d fields", n), unit: "ns", run: func(n int) {
				for range n {
					h.elicit(message, answer)
				}
			}},
		}
		at = append(at, p)
		c.lines = append(c.lines, p.compile, p.check, p.whole)
	}
	return c, []row{
		{path: "growth of a check, fields 10 to 100", ours: at[2].check, against: at[1].check, scale: 10, most: 1.5},
		{path: "growth of a check, fields 1 to 100", ours: at[2].check, against: at[0].check, scale: 100, most: 1.5},
		{path: "growth of a compile, fields 10 to 100", ours: at[2].compile, against: at[1].compile, scale: 10, most: 1.5},
		{path: "growth of a compile, fields 1 to 100", ours: at[2].compile, against: at[0].compile, scale: 100, most: 1.5},
		{path: "growth of a whole elicitation, fields 10 to 100", ours: at[2].whole, against: at[1].whole, scale: 10,
			most: 1.5},
	}
}

// pendingGrowth settles one of n open requests and adds another one.
func pendingGrowth() (*contest, []row) {
	c := &contest{procs: 1, batch: batch, batches: batches}
	for _, n := range []int{1, 1_000, million} {
		t, next := table(n), n
		c.lines = append(c.lines, &line{name: fmt.Sprintf("%d open", n), unit: "ns", run: func(times int) {
			for range times {
				at := int64(next)
				t.Admit("another", "build", 0, true, at)
				t.Hold(pending.Item{ID: elicit.ID(idOf(next)), Session: sessions[next%len(sessions)], Server: "build"}, at)
				mustHold(t.Settle(elicit.ID(idOf(next-n/2)), elicit.Accepted, elicit.ByUser), "settles nothing")
				t.Wake()
				next++
			}
		}})
	}
	return c, []row{
		{path: "growth of admit + hold + settle + wake, pending 1 to 10^3", ours: c.lines[1], against: c.lines[0], most: 1.5},
		{path: "growth of admit + hold + settle + wake, pending 1 to 10^6", ours: c.lines[2], against: c.lines[0], most: 3,
			what: "1 open (a map that no longer fits the cache doubles it)"},
	}
}

// journalGrowth steps an engine that has already written n records.
func journalGrowth() (*contest, []row) {
	c := &contest{procs: 1, batch: batch, batches: batches}
	for _, n := range []int{1_000, million} {
		h := newHost()
		for range n {
			h.step(event.Ticked{})
		}
		c.lines = append(c.lines, &line{name: fmt.Sprintf("after %d records", n), unit: "ns", run: func(n int) {
			for range n {
				h.step(event.Ticked{})
			}
		}})
	}
	return c, []row{{path: "growth of a step, journal 10^3 to 10^6 records", ours: c.lines[1], against: c.lines[0],
		most: 1.5}}
}

// readingGrowth reads and verifies a journal of n records. The cost per record must stay the same.
func readingGrowth() (*contest, []row) {
	c := &contest{procs: 1, batch: batch, batches: 1}
	for _, n := range []int{1_000, million} {
		records := ticks(n)
		c.lines = append(c.lines, &line{name: fmt.Sprintf("a record of %d", n), unit: "ns", once: func() float64 {
			start := time.Now()
			times := max(1, 50_000/n)
			for range times {
				r, count := journal.NewReader(records), 0
				for _, ok := r.Next(); ok; _, ok = r.Next() {
					count++
				}
				mustHold(count == n, "the journal is not read to its end")
			}
			return float64(time.Since(start)) / float64(times*n)
		}})
	}
	return c, []row{{path: "growth of reading and verifying, journal 10^3 to 10^6 records", ours: c.lines[1],
		against: c.lines[0], most: 1.5}}
}

// ticks returns a journal of n small records.
func ticks(n int) []byte {
	records := make([]byte, 0, n*450)
	var head journal.Head
	for i := range n {
		records, head = journal.Append(records, head, journal.Record{At: int64(i), Event: []byte(`{"event":"ticked"}`),
			Effects: []byte("[]")})
		records = append(records, '\n')
	}
	return records
}
