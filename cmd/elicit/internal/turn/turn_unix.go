//go:build unix

package turn

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// directory returns the private directory of this user for the files. It does not read the environment, because two
// clients may give their programs different variables, and then two proxies would not see each other's turn.
func directory() (string, error) {
	uid := os.Geteuid()
	if run := "/run/user/" + strconv.Itoa(uid); private(run, uid) == nil {
		return made(filepath.Join(run, "elicit"), uid)
	}
	return made("/tmp/elicit-"+strconv.Itoa(uid), uid)
}

// made makes a directory if it is missing. It refuses one that another user made or may write to.
func made(dir string, uid int) (string, error) {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return dir, private(dir, uid)
}

func private(dir string, uid int) error {
	var at unix.Stat_t
	switch err := unix.Lstat(dir, &at); {
	case err != nil:
		return &fs.PathError{Op: "lstat", Path: dir, Err: err}
	case at.Mode&unix.S_IFMT != unix.S_IFDIR:
		return fmt.Errorf("%s is not a directory", dir)
	case int(at.Uid) != uid:
		return fmt.Errorf("%s belongs to user %d, and this program runs as user %d", dir, at.Uid, uid)
	case at.Mode&0o077 != 0:
		return fmt.Errorf("%s has the mode %04o, so other users can reach into it; run `chmod 700 %s`", dir,
			at.Mode&0o777, dir)
	}
	return nil
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
	case !current(f, path):
		f.Close()
		return nil, nil // a program that cleans up removed the file; the next try makes a new one
	}
	return f, nil
}

// current reports whether the path still names the open file.
func current(f *os.File, path string) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(path)
	return err == nil && os.SameFile(open, now)
}
