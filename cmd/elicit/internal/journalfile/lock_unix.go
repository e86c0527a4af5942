//go:build unix

package journalfile

import (
	"os"
	"syscall"
)

// lock reports whether f is ours alone, for as long as it is open, and still empty.
func lock(f *os.File) bool {
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return false
	}
	at, err := f.Stat()
	return err == nil && at.Size() == 0
}
