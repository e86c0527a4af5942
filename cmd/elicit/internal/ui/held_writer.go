package ui

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"sync"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/turn"
)

// heldWriter writes lines to an error stream that is the terminal on which questions are drawn. It holds the lines back
// while a question is on the screen, because a line could cover the words that the person agrees to.
type heldWriter struct {
	peer  bool        // the lines are a peer's, so they become plain and get a bar
	bar   string      // the bar for a peer's lines
	turns *turn.Turns // of the processes on the terminal; nil if it has none

	mu      sync.Mutex
	to      io.Writer
	held    bool   // a question is on the screen
	partial []byte // a line of a peer without its end
	pending []byte // lines to write after the question
	lost    int    // number of lines for which pending had no room
	queued  bool   // a goroutine waits until no process has a question on the screen
}

// Bounds of a heldWriter, in bytes.
const (
	mostWaiting = 64 << 10
	mostLine    = 4 << 10
)

// Beside returns a writer for an error stream that is this terminal. Text that is written while a question is on the
// screen appears after the question. With peer the text is a peer's: it becomes plain, and each line gets a bar. Call
// it before the first Show. Its Write never fails.
func (t *Terminal) Beside(to io.Writer, peer bool) io.Writer {
	b := &heldWriter{peer: peer, bar: drawnBar, to: to}
	if t.place != nil {
		b.turns = t.place.turns()
	}
	if lineByLine() {
		b.bar = spokenBar
	}
	t.beside = append(t.beside, b)
	return b
}

// Write never returns an error, because there is no other place to report it.
func (b *heldWriter) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.peer {
		b.write(p)
		return len(p), nil
	}
	for rest := p; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n') + 1
		whole := end > 0
		if !whole {
			end = len(rest)
		}
		end = min(end, mostLine-len(b.partial))
		b.partial = append(b.partial, rest[:end]...)
		rest = rest[end:]
		if len(b.partial) >= mostLine || b.partial[len(b.partial)-1] == '\n' {
			b.line()
		}
	}
	return len(p), nil
}

// colours matches the escape sequences for colours. They are removed and not spelled, because most programs write them
// and they carry no text.
var colours = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// line writes the complete line in partial.
func (b *heldWriter) line() {
	text := bytes.TrimRight(b.partial, "\r\n")
	b.partial = b.partial[:0]
	b.write([]byte(b.bar + oneLine(string(colours.ReplaceAll(text, nil))) + "\n"))
}

// write writes a text, or holds it back while a question of any process is on the screen.
func (b *heldWriter) write(text []byte) {
	switch {
	case !b.held && !b.queued && b.free(text):
		return
	case len(b.pending)+len(text) > mostWaiting:
		b.lost += bytes.Count(text, []byte{'\n'})
	default:
		b.pending = append(b.pending, text...)
	}
	if !b.held && !b.queued {
		b.queued = true
		go b.retry()
	}
}

// retry writes the held lines when no process has a question on the screen.
func (b *heldWriter) retry() {
	for again := true; again; {
		time.Sleep(retryLines)
		b.mu.Lock()
		again = !b.held && !b.free(nil) // at the end of a question of this process hold writes them
		b.queued = again
		b.mu.Unlock()
	}
}

// retryLines is how often a heldWriter looks whether the terminal is free.
const retryLines = 50 * time.Millisecond

// free writes the held lines and a text if no process has a question on the screen.
func (b *heldWriter) free(text []byte) bool {
	if b.turns != nil {
		got, err := b.turns.Try()
		if err == nil && !got {
			return false
		}
		defer b.turns.Give()
	}
	b.flush()
	_, _ = b.to.Write(text)
	return true
}

func (b *heldWriter) flush() {
	if len(b.pending) > 0 {
		_, _ = b.to.Write(b.pending)
	}
	if b.lost > 0 {
		fmt.Fprintf(b.to, "elicit: %d more lines were left out while a question was on the screen\n", b.lost)
	}
	b.pending, b.lost = nil, 0
}

// hold starts to hold lines back, or writes the held lines and stops. The caller has the turn.
func (b *heldWriter) hold(drawn bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held = drawn; !drawn {
		b.flush()
	}
}

// close writes a line without its end. Lines that wait for the question of another process are lost, because this
// process ends and the question must stay readable.
func (b *heldWriter) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.partial) > 0 {
		b.line()
	}
}

// hold makes all writers of Beside hold their lines back, or release them.
func (t *Terminal) hold(drawn bool) {
	for _, b := range t.beside {
		b.hold(drawn)
	}
}
