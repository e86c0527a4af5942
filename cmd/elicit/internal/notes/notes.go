// Package notes writes lines for the person who watches an error stream, without letting a peer write there: each value
// in a line is made plain and short, and a peer that causes many lines cannot bury the others.
//
//	n := notes.New(os.Stderr, "elicit proxy: ", time.Now)
//	defer n.Close()
//	n.Notef("dropped a message of %s: %v", server, err)
package notes

import (
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
)

// Limits of Notes.
const (
	Burst    = 20          // notes that may come at once
	Interval = time.Second // afterwards, one note in this time
	MaxValue = 200         // characters of one value
	MaxLine  = 1000        // characters of a line, the prefix not counted
)

// Notes writes notes. Its methods may be called from any goroutine. Errors of the writer are ignored: nobody is left to
// tell.
type Notes struct {
	prefix string
	now    func() time.Time

	mu      sync.Mutex
	to      io.Writer
	tokens  float64
	filled  time.Time // when tokens was last brought up to date
	omitted int
}

// New returns Notes that begin each line with prefix, which the caller vouches for, and read the time from now.
func New(to io.Writer, prefix string, now func() time.Time) *Notes {
	return &Notes{prefix: prefix, now: now, to: to, tokens: Burst, filled: now()}
}

// Notef writes one line, formatted as by fmt.Sprintf. Each value is made plain and cut in its middle at MaxValue
// characters, and the line at MaxLine. Beyond the rate, notes are left out; the next line says how many.
func (n *Notes) Notef(format string, values ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.allowed() {
		n.omitted++
		return
	}
	n.tellOmitted()
	n.write(fmt.Sprintf(format, guarded(values)...))
}

// Close says how many notes were left out since the last one. Notes may still be written afterwards.
func (n *Notes) Close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.tellOmitted()
}

// allowed takes a token when there is one. A clock that goes back fills nothing and takes nothing.
func (n *Notes) allowed() bool {
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

func (n *Notes) tellOmitted() {
	switch {
	case n.omitted == 1:
		n.write("1 more note left out")
	case n.omitted > 1:
		n.write(fmt.Sprintf("%d more notes left out", n.omitted))
	}
	n.omitted = 0
}

// write makes one call of the writer for a line, so that lines of several programs do not mix.
func (n *Notes) write(line string) {
	_, _ = io.WriteString(n.to, n.prefix+Short(plain.Line(line), MaxLine)+"\n")
}

// Short cuts the middle out of a text of more than most characters, so that its end stays in sight.
func Short(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	r := []rune(s)
	head := (most - 1) * 2 / 3
	return string(r[:head]) + "…" + string(r[len(r)-(most-1-head):])
}

// guarded wraps values whose text may be a peer's. Integers stay bare: a width given as * must be one.
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

// value formats what it holds under any verb, then makes the result plain and short.
type value struct{ held any }

func (v value) Format(state fmt.State, verb rune) {
	text := bounded{}
	fmt.Fprintf(&text, fmt.FormatString(state, verb), v.held)
	_, _ = io.WriteString(state, Short(plain.Line(string(text)), MaxValue))
}

// bounded keeps the beginning of what is written and, past that, its end: a value may be megabytes.
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
