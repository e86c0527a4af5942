package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/internal/must"
)

// longJournal writes a journal to a file: one session with questions that policy accepts, until it has size bytes. It
// returns the number of its questions.
func longJournal(t *testing.T, path string, size int) (asked int) {
	t.Helper()
	file, err := os.Create(path)
	must.OK(t, err)
	text, e := strings.Repeat("x", 20_000), engine.New()
	step := func(ev event.Event) {
		records, _ := effect.Records(e.Step(engine.Input{At: int64(1000 + asked), Event: ev}))
		for _, record := range records {
			line := append(record, '\n')
			if _, err := file.Write(line); err != nil {
				t.Fatal(err)
			}
			size -= len(line)
		}
	}
	step(event.Configured{Config: []byte(`{"limits":{"per_minute":60000,"burst":60000},` +
		`"policy":{"user":{"version":1,"rules":[{"name":"yes","when":{},"then":"accept"}]}}}`)})
	step(event.Opened{Session: "s", Server: "x", Side: elicit.Answering,
		Declared: elicit.Modes{Form: true}, Shown: elicit.Modes{Form: true}})
	for size > 0 {
		asked++
		step(event.Asked{Request: elicit.Request{Session: "s", Ref: fmt.Sprint(asked), Mode: elicit.Form,
			Message: text + fmt.Sprint(asked), Schema: []byte(`{"type":"object","properties":{}}`)}})
	}
	must.OK(t, file.Close())
	return asked
}

// watched reads a file. After every ten megabytes it records the most memory in use, beside what other tests had left
// before.
type watched struct {
	file   *os.File
	since  int
	before uint64
	most   uint64
}

func (w *watched) Read(p []byte) (int, error) {
	if w.since > 10<<20 {
		w.since = 0
		if now := heapInUse(); now > w.before {
			w.most = max(w.most, now-w.before)
		}
	}
	n, err := w.file.Read(p)
	w.since += n
	return n, err
}

func heapInUse() uint64 {
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return now.HeapAlloc
}

// TestJournalOfAnyLengthTakesTheSameMemory reads 40 MB with log and with replay, in less than two
// megabytes of heap.
func TestJournalOfAnyLengthTakesTheSameMemory(t *testing.T) {
	const size, ceiling = 40 << 20, 2 << 20
	path := filepath.Join(t.TempDir(), "journal")
	asked := longJournal(t, path, size)
	for name, args := range map[string][]string{
		"log":               {"log", "-"},
		"log JSON":          {"log", "--json", "-"},
		"log of a question": {"log", "--reason", "no-rule", "-"},
		"log summary":       {"log", "--summary", "-"},
		"replay":            {"replay", "-"},
	} {
		t.Run(name, func(t *testing.T) {
			file, err := os.Open(path)
			must.OK(t, err)
			defer file.Close()
			j := &watched{file: file, before: heapInUse()}
			var last tail
			if code := run(args, j, &last, &last); code != cli.Fine {
				t.Fatalf("exit code %d: %s", code, last.text)
			}
			if name != "log summary" && !bytes.Contains(last.text, []byte(fmt.Sprint(asked+2))) || asked < 1600 {
				t.Errorf("%d questions; the end of the output is %s", asked, last.text)
			}
			if j.most == 0 || j.most > ceiling {
				t.Errorf("%d KB in use at most, want at most %d", j.most>>10, ceiling>>10)
			}
			t.Logf("%d KB in use at most, %d records", j.most>>10, asked+2)
		})
	}
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
