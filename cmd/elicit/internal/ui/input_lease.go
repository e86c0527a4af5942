package ui

import (
	"io"
	"os"
	"sync/atomic"
)

// inputLease gives the terminal's input to one screen for a limited time. The program of an ended screen can leave a
// goroutine behind that waits until the terminal is readable. Without the lease that goroutine would take the first
// keys of the next question.
type inputLease struct {
	*os.File
	over atomic.Bool
}

// Read returns the end of the input after the lease is over, and then takes nothing from the terminal.
func (l *inputLease) Read(p []byte) (int, error) {
	if l.over.Load() {
		return 0, io.EOF
	}
	return l.File.Read(p)
}

func (l *inputLease) end() { l.over.Store(true) }
