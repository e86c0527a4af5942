//go:build unix

package browser

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// checkPrivate refuses a directory that another user owns or can enter.
func checkPrivate(folder string) error {
	at, err := os.Lstat(folder) // and no link to a directory
	if err != nil {
		return err
	}
	stat, ok := at.Sys().(*syscall.Stat_t)
	switch {
	case !ok || !at.IsDir():
		return fmt.Errorf("%s is not a directory of this user; remove it", folder)
	case int(stat.Uid) != os.Geteuid():
		return fmt.Errorf("%s belongs to user %d, so no page is looked for there", folder, stat.Uid)
	case at.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s has the mode %04o, so other users can enter it; run `chmod 700 %s`",
			folder, at.Mode()&fs.ModePerm, folder)
	}
	return nil
}

// refusedConnection reports that nobody listens at a socket any more.
func refusedConnection(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
