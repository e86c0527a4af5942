//go:build unix

package journalfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// noFollow makes opening a symbolic link fail: whoever made the link could choose the file that records end up in.
const noFollow = syscall.O_NOFOLLOW

// isLink reports that opening met a symbolic link.
func isLink(err error) bool { return errors.Is(err, syscall.ELOOP) }

// foreign says why an empty file may not become a journal: another user could read the answers in it or change them.
func foreign(path string, at fs.FileInfo) error {
	stat, ok := at.Sys().(*syscall.Stat_t)
	if !ok {
		return fmt.Errorf("the journal %s has an owner that the system does not tell; give --journal a file on a local disk", path)
	}
	us := os.Geteuid()
	switch {
	case int(stat.Uid) != us:
		return fmt.Errorf("the journal %s belongs to user %d, and this program runs as user %d; give --journal a file of your own", path, stat.Uid, us)
	case at.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("the journal %s has the mode %04o, so other users may read or write it; run chmod 600 on it, or give --journal a new name",
			path, at.Mode().Perm())
	case stat.Nlink != 1:
		return fmt.Errorf("the journal %s has %d names (hard links), so it can be changed under another one; give --journal a new name", path, stat.Nlink)
	}
	return nil
}
