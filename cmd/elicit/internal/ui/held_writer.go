package ui

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"sync"
)

// heldWriter writes lines to an error stream that is the terminal on which questions are drawn. It holds the lines back
// while a question is on the screen, because a line could cover the words that the person agrees to.
type heldWriter struct {
	peer bool   // the lines are a peer's, so they become plain and get a bar
	bar  string // the bar for a peer's lines

	mu      sync.Mutex
	to      io.Writer
	held    bool   // a question is on the screen
	partial []byte // a line of a peer without its end
	pending []byte // lines to write after the question
	lost    int    // number of lines for which pending had no room
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
	if t.lineMode != nil {
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

func (b *heldWriter) write(text []byte) {
	switch {
	case !b.held:
		_, _ = b.to.Write(text)
	case len(b.pending)+len(text) > mostWaiting:
		b.lost += bytes.Count(text, []byte{'\n'})
	default:
		b.pending = append(b.pending, text...)
	}
}

// hold starts to hold lines back, or writes the held lines and stops.
func (b *heldWriter) hold(drawn bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held = drawn; drawn {
		return
	}
	_, _ = b.to.Write(b.pending)
	if b.lost > 0 {
		fmt.Fprintf(b.to, "elicit: %d more lines were left out while a question was on the screen\n", b.lost)
	}
	b.pending, b.lost = nil, 0
}

// close writes a line without its end.
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
