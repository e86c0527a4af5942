package ui

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"sync"
)

// beside writes the lines of others to an error stream that is a terminal too. Questions may be drawn on the same one, so
// no line appears while one is on the screen: it would stand over the words that the person agrees to.
type beside struct {
	peer bool   // the lines are a peer's: they are made plain, and a bar stands before each
	bar  string // that bar

	mu      sync.Mutex
	to      io.Writer
	drawn   bool   // a question is on the screen
	part    []byte // a line of a peer that has no end yet
	waiting []byte // lines for the time after the question
	lost    int    // lines that found no room there
}

// Bounds of beside, in bytes.
const (
	mostWaiting = 64 << 10
	mostLine    = 4 << 10
)

// Beside returns a writer for an error stream that is a terminal: what is written while a question is on the screen
// appears after it. With peer the text is somebody else's: it is made plain, and a bar stands before each line. It must be
// called before the first Show. Writes never fail.
func (t *Terminal) Beside(to io.Writer, peer bool) io.Writer {
	b := &beside{peer: peer, bar: drawnBar, to: to}
	if t.aloud != nil {
		b.bar = spokenBar
	}
	t.beside = append(t.beside, b)
	return b
}

// Write never fails: nobody is left to tell.
func (b *beside) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.peer {
		b.put(p)
		return len(p), nil
	}
	for rest := p; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n') + 1
		whole := end > 0
		if !whole {
			end = len(rest)
		}
		end = min(end, mostLine-len(b.part))
		b.part = append(b.part, rest[:end]...)
		rest = rest[end:]
		if len(b.part) >= mostLine || b.part[len(b.part)-1] == '\n' {
			b.line()
		}
	}
	return len(p), nil
}

// colours are dropped rather than spelled: most programs write them, and they say nothing without the terminal.
var colours = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// line writes the line that has come together.
func (b *beside) line() {
	text := bytes.TrimRight(b.part, "\r\n")
	b.part = b.part[:0]
	b.put([]byte(b.bar + oneLine(string(colours.ReplaceAll(text, nil))) + "\n"))
}

func (b *beside) put(text []byte) {
	switch {
	case !b.drawn:
		_, _ = b.to.Write(text)
	case len(b.waiting)+len(text) > mostWaiting:
		b.lost += bytes.Count(text, []byte{'\n'})
	default:
		b.waiting = append(b.waiting, text...)
	}
}

// hold keeps lines back from now on, or lets those go that were kept.
func (b *beside) hold(drawn bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.drawn = drawn; drawn {
		return
	}
	_, _ = b.to.Write(b.waiting)
	if b.lost > 0 {
		fmt.Fprintf(b.to, "elicit: %d more lines were left out while a question was on the screen\n", b.lost)
	}
	b.waiting, b.lost = nil, 0
}

// close writes the beginning of a line that will have no end.
func (b *beside) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.part) > 0 {
		b.line()
	}
}

// hold keeps back what others write to this terminal while a question is on the screen.
func (t *Terminal) hold(drawn bool) {
	for _, b := range t.beside {
		b.hold(drawn)
	}
}
