package main

import (
	"fmt"
	"runtime"
	"strconv"
	"time"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/pending"
)

// million is the number of open requests for measuring the memory and garbage collection of one.
const million = 1_000_000

// waiting is the data that a simple program would keep for an open question: the strings, two times and a timer.
// Neither this type nor our table has the question itself, or the peer's handle of it.
type waiting struct {
	id, session, server string
	asked, deadline     time.Time
	timer               *time.Timer
	done                chan struct{}
}

func pendings() ([]*contest, []row) {
	ours, theirs := held{fill: fillTable}, held{fill: fillMap}
	size := func(h *held) func() float64 { return func() float64 { h.measure(); return h.bytes } }
	collect := func(h *held) func() float64 { return func() float64 { return h.collect } }
	ourSize := &line{name: "elicit, pending.Table", unit: "B", once: size(&ours)}
	ourGC := &line{name: "elicit, pending.Table", unit: "ns", once: collect(&ours)}
	theirSize := &line{name: "map of structs with time.AfterFunc", unit: "B", once: size(&theirs)}
	theirGC := &line{name: "map of structs with time.AfterFunc", unit: "ns", once: collect(&theirs)}
	full := held{fill: fillEngine}
	open := &line{name: "elicit", unit: "ns", once: func() float64 { full.measure(); return full.collect }}
	c := &contest{procs: 2, batches: 1, lines: []*line{ourSize, ourGC, theirSize, theirGC, open}}
	return []*contest{c}, []row{
		{path: "pending request + its timer, without payload", ours: ourSize, kind: absolute, most: 240,
			what: "10^6 open requests, heap in use"},
		{path: "pending request + its timer, without payload", ours: ourSize, against: theirSize, most: 0.4},
		{path: "full garbage collection at 10^6 pending", ours: ourGC, against: theirGC, most: 0.05},
		{path: "full garbage collection at 10^5 open questions", ours: open, kind: absolute, most: 100e6,
			what: "of 1,000 sessions"},
	}
}

// held measures the cost of a million open requests, once a round.
type held struct {
	fill           func() any
	bytes, collect float64
}

func (h *held) measure() {
	before := heap()
	keep := h.fill()
	h.bytes = float64(heap()-before) / million
	var times []float64
	for range 3 {
		start := time.Now()
		runtime.GC()
		times = append(times, float64(time.Since(start)))
	}
	h.collect = median(times)
	if m, ok := keep.(map[string]*waiting); ok {
		for _, w := range m {
			w.timer.Stop()
		}
	}
	runtime.KeepAlive(keep)
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// sessions returns session names that spread the requests as on a server farm.
var sessions = func() (names [1024]string) {
	for i := range names {
		names[i] = "session-" + strconv.Itoa(i)
	}
	return names
}()

func fillTable() any { return table(million) }

// table returns a table of n requests, each with its own deadline.
func table(n int) *pending.Table {
	t := pending.New(pending.Limits{Queue: 1 << 20, Shown: 1, PerMinute: 60_000, Burst: 60_000, AnswerTTL: 300_000,
		Ended: 1024})
	for i := range n {
		t.Hold(pending.Item{ID: elicit.ID(idOf(i)), Session: sessions[i%len(sessions)], Server: "build"},
			int64(i))
	}
	return t
}

func fillMap() any {
	m := map[string]*waiting{}
	now := time.Now()
	for i := range million {
		id := idOf(i)
		w := &waiting{id: id, session: sessions[i%len(sessions)], server: "build", asked: now,
			deadline: now.Add(5 * time.Minute), done: make(chan struct{})}
		w.timer = time.AfterFunc(time.Hour, func() { close(w.done) })
		m[id] = w
	}
	return m
}

// fillEngine returns an engine with 100,000 open questions.
func fillEngine() any {
	h := &host{engine: engine.New()}
	h.step(event.Configured{Config: []byte(`{"limits":{"queue":100}}`)})
	schema, _ := formOf(4)
	form := elicit.Modes{Form: true}
	for i := range 100_000 {
		h.at += 10_000 // within the limits of a minute
		session := sessions[i/100]
		if i%100 == 0 {
			h.step(event.Opened{Session: session, Server: "bench", Side: elicit.Answering, Declared: form, Shown: form})
		}
		for _, next := range h.step(event.Asked{Request: elicit.Request{Session: session, Ref: strconv.Itoa(i),
			Mode: elicit.Form, Message: question, Schema: schema}}) {
			_, over := next.(effect.Reply)
			mustHold(!over, "a question is not open")
		}
	}
	return h
}

// idOf returns an id like those of the engine: 32 hexadecimal digits.
func idOf(i int) string { return fmt.Sprintf("%016x%016x", uint64(i)*0x9e3779b97f4a7c15, i) }
