package trustedfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrNoOwners says that this system shows no owners and modes, so no directory is known to be private.
var ErrNoOwners = errors.New("this system does not show which directories are private")

// CheckPrivate returns nil if dir is a directory that only this user can enter, and no link. For a directory that can
// be entered it returns a *Wrong, and for a missing one an error that is fs.ErrNotExist.
func CheckPrivate(dir string) error { return checkPrivate(dir, os.Geteuid()) }

// MakePrivate makes a directory that only this user can enter, if it is missing, and checks the one that is there.
func MakePrivate(dir string) error { return makePrivate(dir, os.Geteuid()) }

func makePrivate(dir string, uid int) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return checkPrivate(dir, uid)
}

// CheckPrivateBelow is CheckPrivate for a directory of code. It refuses a directory also if another user than root can
// replace what leads there.
func CheckPrivateBelow(dir string) error {
	if err := CheckPrivate(dir); err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(dir)
	for err == nil && real != filepath.Dir(real) {
		real = filepath.Dir(real)
		err = checkDirectory(real, Policy)
	}
	return err
}
