package engine

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// TestUnfinishedPagesCostNothing: a server may leave thousands of pages unfinished, and a question after them costs no
// more than one after a few. Memory stands for work, because it does not depend on the machine.
func TestUnfinishedPagesCostNothing(t *testing.T) {
	few, many := costAfterPages(t, 10), costAfterPages(t, 4000)
	if many > few+10 {
		t.Errorf("a question costs %v allocations after 10 unfinished pages, and %v after 4000", few, many)
	}
}

// costAfterPages counts the allocations of one question and its answer after n pages that nobody has finished.
func costAfterPages(t *testing.T, n int) float64 {
	t.Helper()
	e, steps := New(), 0
	step := func(ev event.Event) []effect.Effect {
		steps++
		in := Input{At: int64(steps) * 1000, Event: ev}
		binary.BigEndian.PutUint64(in.Random[:], uint64(steps))
		return e.Step(in)
	}
	both := elicit.Modes{Form: true, URL: true}
	step(event.Configured{Config: []byte(`{"limits":{"burst":60000,"admitted_burst":60000,"page_ttl_ms":0}}`)})
	step(event.Opened{Session: "s", Server: "server", Side: elicit.Answering, Declared: both, Shown: both})
	ask := func(r elicit.Request) {
		r.Session, r.Message = "s", "Which one?"
		for _, next := range step(event.Asked{Request: r}) {
			if show, ok := next.(effect.Show); ok {
				step(event.Answered{Session: "s", ID: show.ID, Action: elicit.Accept, Content: []byte(`{}`)})
			}
		}
	}
	for i := range n {
		link := fmt.Sprint("page ", i)
		ask(elicit.Request{Ref: link, Mode: elicit.URL, URL: "https://example.com/", Link: link})
	}
	if open := len(e.open.Open("s")); open != n {
		t.Fatalf("%d pages are open, want %d", open, n)
	}
	schema := []byte(`{"type":"object","properties":{"a":{"type":"string"}}}`)
	cost := testing.AllocsPerRun(20, func() { ask(elicit.Request{Ref: "form", Mode: elicit.Form, Schema: schema}) })
	for i := range n {
		step(event.Completed{Session: "s", Link: fmt.Sprint("page ", i)})
	}
	if of := e.open.pages.At("s"); len(e.open.Open("s")) > 0 || of != nil {
		t.Errorf("finished pages leave %+v", of)
	}
	return cost
}
