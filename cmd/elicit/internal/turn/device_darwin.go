package turn

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// device names the terminal behind an open file. Every session has its own terminal behind /dev/tty, so for that file
// the number is the one that the system keeps for this process.
func device(terminal *os.File) string {
	if terminal.Name() == "/dev/tty" {
		if us, err := unix.SysctlKinfoProc("kern.proc.pid", os.Getpid()); err == nil && us.Eproc.Tdev > 0 {
			return strconv.FormatUint(uint64(us.Eproc.Tdev), 10)
		}
	}
	return numberOf(terminal)
}
