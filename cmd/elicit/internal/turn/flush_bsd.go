//go:build unix && !linux

package turn

import (
	"os"

	"golang.org/x/sys/unix"
)

const getTermios = unix.TIOCGETA

// fRead is FREAD of <sys/fcntl.h>: the queue of TIOCFLUSH that holds the input.
const fRead = 1

// Flush drops the keys that were typed and not read yet: they were not meant for a question that is drawn later.
func Flush(terminal *os.File) {
	// A failure leaves the keys, and the screen ignores keys until a question was there for a moment.
	_ = unix.IoctlSetPointerInt(int(terminal.Fd()), unix.TIOCFLUSH, fRead)
}
