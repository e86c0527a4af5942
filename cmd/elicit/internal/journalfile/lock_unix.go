//go:build unix

package journalfile

import (
	"os"
	"syscall"
)

// Locks says whether this system has locks, which Continue needs.
const Locks = true

// lock locks f for as long as it is open. It reports whether no other process has the lock and the file is still empty.
func lock(f *os.File) bool {
	if !isFree(f) {
		return false
	}
	at, err := f.Stat()
	return err == nil && at.Size() == 0
}

// unlinked reports whether a file has no name any more.
func unlinked(at os.FileInfo) bool {
	s, ok := at.Sys().(*syscall.Stat_t)
	return ok && s.Nlink == 0
}

// isFree reports whether no other process has the lock, which it takes.
func isFree(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
