// Package safelog writes lines to an error stream for the person who reads it. A peer's text cannot do harm there: each
// value in a line becomes plain and short (package plain), and the rate of lines is limited, so that a peer cannot hide
// other lines behind many of its own.
//
//	n := safelog.New(os.Stderr, "elicit proxy: ", time.Now)
//	defer n.Close()
//	n.Notef("dropped a message of %s: %v", server, err)
package safelog

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
)

// Limits of a Log.
const (
	Burst    = 20          // notes without a pause
	Interval = time.Second // after the burst, the time for one note
	MaxValue = 200         // characters of one value
	MaxLine  = 1000        // characters of a line, without the prefix
)

// Log writes notes. Any goroutine may call its methods. It ignores errors of the writer, because there is no other
// place to report them.
type Log struct {
	prefix string
	now    func() time.Time

	mu      sync.Mutex
	to      io.Writer
	tokens  float64
	filled  time.Time // the time of the last change of tokens
	omitted int
}

// New returns a Log that writes to to. Each line begins with prefix, which must be safe text of the caller. The
// function now gives the time.
func New(to io.Writer, prefix string, now func() time.Time) *Log {
	return &Log{prefix: prefix, now: now, to: to, tokens: Burst, filled: now()}
}

// Notef writes one line, formatted as by fmt.Sprintf. It makes each value plain and shortens it in the middle to
// MaxValue characters, and the line to MaxLine. It leaves out notes above the rate; the next line says how many.
func (n *Log) Notef(format string, values ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.allowed() {
		n.omitted++
		return
	}
	n.tellOmitted()
	n.write(fmt.Sprintf(format, guarded(values)...))
}

// Close writes how many notes were left out since the last one. Notef may still be called afterwards.
func (n *Log) Close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.tellOmitted()
}

// allowed takes a token from the bucket, and reports whether there was one. When the clock goes back, the number of
// tokens does not change because of that.
func (n *Log) allowed() bool {
	now := n.now()
	if passed := now.Sub(n.filled); passed > 0 {
		n.tokens = min(n.tokens+float64(passed)/float64(Interval), Burst)
	}
	n.filled = now
	if n.tokens < 1 {
		return false
	}
	n.tokens--
	return true
}

func (n *Log) tellOmitted() {
	switch {
	case n.omitted == 1:
		n.write("1 more note left out")
	case n.omitted > 1:
		n.write(fmt.Sprintf("%d more notes left out", n.omitted))
	}
	n.omitted = 0
}

// write writes a line with one call of the writer, so that the lines of several programs do not mix.
func (n *Log) write(line string) {
	_, _ = io.WriteString(n.to, n.prefix+plain.Short(plain.Line(line), MaxLine)+"\n")
}

// guarded wraps the values, because their text may be a peer's. It leaves integers alone, because a width given as * in
// the format must be an int.
func guarded(values []any) []any {
	out := make([]any, len(values))
	for i, v := range values {
		if _, number := v.(int); number {
			out[i] = v
		} else {
			out[i] = value{v}
		}
	}
	return out
}

// value formats the held value with any verb, and makes the result plain and short.
type value struct{ held any }

func (v value) Format(state fmt.State, verb rune) {
	text := bounded{}
	fmt.Fprintf(&text, fmt.FormatString(state, verb), v.held)
	_, _ = io.WriteString(state, plain.Short(plain.Line(string(text)), MaxValue))
}

// bounded is a buffer for formatted text. Of one long write it keeps only the beginning and the end, because a value
// may have megabytes.
type bounded []byte

const mostBytes = 16 * MaxValue

func (b *bounded) Write(p []byte) (int, error) {
	if len(p) > mostBytes {
		*b = append(append(*b, p[:mostBytes/2]...), p[len(p)-mostBytes/2:]...)
	} else {
		*b = append(*b, p...)
	}
	return len(p), nil
}
