package turn

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// device names the terminal behind an open file. Every session has its own terminal behind /dev/tty, so the device
// number of that file says nothing, and the kernel has to be asked.
func device(terminal *os.File) string {
	if number, err := unix.IoctlGetUint32(int(terminal.Fd()), unix.TIOCGDEV); err == nil {
		return strconv.FormatUint(uint64(number), 10)
	}
	return numberOf(terminal)
}
