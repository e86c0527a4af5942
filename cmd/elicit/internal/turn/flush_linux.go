package turn

import (
	"os"

	"golang.org/x/sys/unix"
)

const getTermios = unix.TCGETS

// Flush drops the keys that were typed and not read yet: they were not meant for a question that is drawn later.
func Flush(terminal *os.File) {
	// A failure leaves the keys, and the screen ignores keys until a question was there for a moment.
	_ = unix.IoctlSetInt(int(terminal.Fd()), unix.TCFLSH, unix.TCIFLUSH)
}
