//go:build unix

package turn

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// numberOf returns the device number of the file itself. For /dev/tty it is the same in every session: their processes
// then wait for each other without need, which is safe.
func numberOf(terminal *os.File) string {
	var at unix.Stat_t
	if err := unix.Fstat(int(terminal.Fd()), &at); err != nil {
		return "unknown"
	}
	return strconv.FormatUint(uint64(at.Rdev), 10)
}
