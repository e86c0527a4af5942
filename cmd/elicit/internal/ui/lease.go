package ui

import (
	"io"
	"os"
	"sync/atomic"
)

// lease lends the terminal's input to one program. A program that has ended can leave a reader behind that waits for
// the terminal to become readable; without a lease it would swallow the first keys of the next question, and whatever
// was typed there.
type lease struct {
	*os.File
	over atomic.Bool
}

// Read is the end of the input once the lease is over, so that nothing is taken from the terminal.
func (l *lease) Read(p []byte) (int, error) {
	if l.over.Load() {
		return 0, io.EOF
	}
	return l.File.Read(p)
}

func (l *lease) end() { l.over.Store(true) }
