//go:build unix

package clientconfig

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// checkOwner refuses a file that is not this user's. A new file takes its place, and that would be this user's.
func checkOwner(info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fmt.Errorf("its owner cannot be read")
	}
	if int(stat.Uid) != os.Geteuid() {
		return fmt.Errorf("it belongs to user %d, and this command runs as user %d", stat.Uid, os.Geteuid())
	}
	if stat.Nlink > 1 {
		return fmt.Errorf("it has %d names (hard links), and only one of them would change", stat.Nlink)
	}
	return nil
}

// keepGroup gives a new file the group of the one it replaces, where this user may.
func keepGroup(file *os.File, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(stat.Gid) == os.Getegid() {
		return nil
	}
	return file.Chown(-1, int(stat.Gid))
}
