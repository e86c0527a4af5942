//go:build unix

package turn

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/elicit-engine/elicit/internal/trustedfile"
)

// directory returns the private directory of this user for the files. It does not read the environment, because two
// clients may give their programs different variables, and then two proxies would not see each other's turn.
func directory() (string, error) {
	uid := strconv.Itoa(os.Geteuid())
	dir := "/tmp/elicit-" + uid
	if run := "/run/user/" + uid; trustedfile.CheckPrivate(run) == nil {
		dir = filepath.Join(run, "elicit")
	}
	return dir, trustedfile.MakePrivate(dir)
}

// openLocked opens a file and locks it. It returns nil without an error when another process has the lock. A child of
// this process does not inherit the lock, because Go opens files with close-on-exec.
func openLocked(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	switch {
	case errors.Is(err, unix.EWOULDBLOCK):
		f.Close()
		return nil, nil
	case err != nil:
		f.Close()
		return nil, &fs.PathError{Op: "flock", Path: path, Err: err}
	case !trustedfile.IsStill(f, path):
		f.Close()
		return nil, nil // a program that cleans up removed the file; the next try makes a new one
	}
	return f, nil
}
