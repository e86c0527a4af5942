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

// foreign says why a file may not be what it was given for, a journal or a key: another user could read or change it.
func foreign(what, path string, at fs.FileInfo) error {
	us, flag := os.Geteuid(), map[string]string{"journal": "--journal", "key": "--journal-key"}[what]
	stat, ok := at.Sys().(*syscall.Stat_t)
	if !ok {
		return fmt.Errorf("the %s %s has an owner that the system does not tell; give %s a file on a local disk", what, path, flag)
	}
	switch {
	case int(stat.Uid) != us:
		return fmt.Errorf("the %s %s belongs to user %d, and this program runs as user %d; give %s a file of your own", what, path, stat.Uid, us, flag)
	case at.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("the %s %s has the mode %04o, so other users may read or write it; run chmod 600 on it, or give %s another file",
			what, path, at.Mode().Perm(), flag)
	case stat.Nlink != 1:
		return fmt.Errorf("the %s %s has %d names (hard links), so it can be changed under another one; give %s another file", what, path, stat.Nlink, flag)
	}
	return nil
}
