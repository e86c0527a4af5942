package main

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/journalfile"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// endless makes a journal while a test reads it: one session with questions that policy accepts, until it has size
// bytes. It records the most memory in use during that time, beside what other tests had left before.
type endless struct {
	engine *engine.Engine
	text   string
	size   int
	asked  int
	rest   []byte
	before uint64
	most   uint64
}

func newEndless(size int) *endless {
	j := &endless{engine: engine.New(), text: strings.Repeat("x", 20_000), size: size}
	j.step(event.Configured{Config: []byte(`{"limits":{"per_minute":60000,"burst":60000},` +
		`"policy":{"user":{"version":1,"rules":[{"name":"yes","when":{},"then":"accept"}]}}}`)})
	j.step(event.Opened{Session: "s", Server: "x", Side: elicit.Answering,
		Declared: elicit.Modes{Form: true}, Shown: elicit.Modes{Form: true}})
	j.before = heapInUse()
	return j
}

func heapInUse() uint64 {
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return now.HeapAlloc
}

func (j *endless) step(ev event.Event) {
	records, _ := effect.Records(j.engine.Step(engine.Input{At: int64(1000 + j.asked), Event: ev}))
	for _, record := range records {
		j.rest = append(append(j.rest, record...), '\n')
	}
	j.size -= len(j.rest)
}

func (j *endless) Read(p []byte) (int, error) {
	if len(j.rest) == 0 {
		if j.size <= 0 {
			return 0, io.EOF
		}
		j.rest = j.rest[:0:0]
		j.asked++
		j.step(event.Asked{Request: elicit.Request{Session: "s", Ref: fmt.Sprint(j.asked), Mode: elicit.Form,
			Message: j.text + fmt.Sprint(j.asked), Schema: []byte(`{"type":"object","properties":{}}`)}})
		if j.asked%512 == 0 {
			if now := heapInUse(); now > j.before {
				j.most = max(j.most, now-j.before)
			}
		}
	}
	n := copy(p, j.rest)
	j.rest = j.rest[n:]
	return n, nil
}

// TestJournalOfAnyLengthTakesTheSameMemory reads 100 MB with log and with replay, in less than two
// megabytes of heap.
func TestJournalOfAnyLengthTakesTheSameMemory(t *testing.T) {
	const size, ceiling = 100 << 20, 2 << 20
	for name, read := range map[string]func(*journalInput, io.Writer) error{
		"log":               reads(logView{}),
		"log JSON":          reads(logView{json: true}),
		"log of a question": reads(logView{filter: questionFilter{reasons: []string{"no-rule"}}}),
		"log summary":       reads(logView{tally: &logSummary{}}),
		"replay":            func(in *journalInput, out io.Writer) error { return replay(out, in, false) },
	} {
		t.Run(name, func(t *testing.T) {
			j := newEndless(size)
			in := &journalInput{name: "endless"}
			in.lines = journalfile.Lines(j, func(err error) { in.err = err })
			var last tail
			if err := read(in, &last); err != nil {
				t.Fatal(err)
			}
			if name != "log summary" && !bytes.Contains(last.text, []byte(fmt.Sprint(j.asked+2))) || j.asked < 4000 {
				t.Errorf("%d questions; the end of the output is %s", j.asked, last.text)
			}
			if j.most == 0 || j.most > ceiling {
				t.Errorf("%d KB in use at most, want at most %d", j.most>>10, ceiling>>10)
			}
			t.Logf("%d KB in use at most, %d records", j.most>>10, j.asked+2)
		})
	}
}

// reads reads a journal as `elicit log` does.
func reads(view logView) func(*journalInput, io.Writer) error {
	view.zone = time.UTC
	return func(in *journalInput, out io.Writer) error { return view.printJournal(out, in, nil) }
}

// tail is a writer that keeps the last bytes.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if most := 1000; len(t.text) > most {
		t.text = append(t.text[:0], t.text[len(t.text)-most:]...)
	}
	return len(p), nil
}
