package main

import (
	"encoding/binary"
	"fmt"
	"iter"
	"time"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// replayGrowth replays a journal of n records in which a fifth of the questions are pages that nobody finishes. The
// cost of a record must stay the same, however many pages are open.
func replayGrowth() (*contest, []row) {
	c := &contest{procs: 1, batch: batch, batches: 1}
	for _, n := range []int{10_000, million} {
		c.lines = append(c.lines, &line{name: fmt.Sprintf("replay of %d", n), unit: "ns", once: func() float64 {
			var elsewhere time.Duration
			start := time.Now()
			out := engine.ReplayLines(unfinishedPages(n, &elsewhere), nil)
			mustHold(out.Problem == nil && out.Records == n, "the journal does not replay")
			return float64(time.Since(start)-elsewhere) / float64(n)
		}})
	}
	return c, []row{{path: "growth of a replay, journal 10^4 to 10^6 records with unfinished pages", ours: c.lines[1],
		against: c.lines[0], most: 1.5}}
}

// unfinishedPages writes a journal of n records while it is read, so that a million records need no memory. It adds the
// time that it takes itself to elsewhere.
func unfinishedPages(n int, elsewhere *time.Duration) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		e, steps, written := engine.New(), 0, 0
		start := time.Now()
		step := func(said event.Event) []effect.Effect {
			steps++
			in := engine.Input{At: int64(steps) * 1000, Event: said}
			binary.BigEndian.PutUint64(in.Random[:], uint64(steps))
			records, rest := effect.Records(e.Step(in))
			for _, record := range records {
				if written == n {
					return nil
				}
				written++
				*elsewhere += time.Since(start)
				yield(append(record, '\n'))
				start = time.Now()
			}
			return rest
		}
		both := elicit.Modes{Form: true, URL: true}
		step(event.Configured{Config: []byte(`{"limits":{"burst":60000,"admitted_burst":60000,"page_ttl_ms":0}}`)})
		step(event.Opened{Session: "s", Server: "server", Side: elicit.Answering, Declared: both, Shown: both})
		schema := []byte(`{"type":"object","properties":{"name":{"type":"string"}}}`)
		for i := 0; written < n; i++ {
			ask := elicit.Request{Session: "s", Ref: fmt.Sprint(i), Mode: elicit.Form, Message: "Who?", Schema: schema}
			answer := []byte(`{"name":"Ada"}`)
			if i%5 == 0 {
				ask.Mode, ask.Schema, ask.Link, answer = elicit.URL, nil, ask.Ref, nil
				ask.URL = "https://example.com/" + ask.Ref
			}
			for _, said := range step(event.Asked{Request: ask}) {
				if show, ok := said.(effect.Show); ok {
					step(event.Answered{Session: "s", ID: show.ID, Action: elicit.Accept, Content: answer})
				}
			}
		}
		*elsewhere += time.Since(start)
	}
}
