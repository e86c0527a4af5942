// Package trustedfile opens files that decide for a person: policies, grants and journals. Anyone who can write such a
// file can answer in the person's place, so Open refuses a file that another user could have written.
//
//	f, err := trustedfile.Open("policy.json", os.O_RDONLY, trustedfile.Policy)
//
// Open checks the open file and not its name, so that nobody can replace the file between the check and the use. On
// systems without Unix owners and modes, Open refuses only links and things that are no regular files. There the rights
// of the person's directory protect the file. On Windows, Open reads owners and access lists for the use System alone.
package trustedfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Use is the purpose of a file. It decides who may own, read and write the file.
type Use int

const (
	// Private is for grants and journals. The file must belong to this user, and no other user may read or write it.
	Private Use = iota
	// Policy is for policies. The file must belong to this user or to root, and no other user may write it.
	Policy
	// System is for the policy of the administrator. The file and every directory above it must belong to root or, on
	// Windows, to the administrators, and no other user may write them.
	System
)

// Wrong is an error that says why a file cannot be trusted, and how to correct that.
type Wrong struct {
	Path   string // of the file or of its directory
	Reason string // continues a sentence that begins with the path
	Remedy string // an instruction
}

func (w *Wrong) Error() string { return fmt.Sprintf("%s %s; %s", w.Path, w.Reason, w.Remedy) }

// Open opens a file with the flags of os.OpenFile. With os.O_CREATE it creates the file with mode 0600. It returns a
// *Wrong when the file or its directory cannot be trusted, and else the errors of os.OpenFile. It never follows a link
// in the last part of path, and never waits for the other end of a pipe.
func Open(path string, flags int, use Use) (*os.File, error) {
	err := checkDirectories(path, use)
	// The directories above the one that a link on the way leads to count too. Windows changes also the spelling.
	if real, none := filepath.EvalSymlinks(filepath.Dir(path)); err == nil && none == nil && os.PathSeparator == '/' {
		err = checkDirectories(filepath.Join(real, "file"), use)
	}
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, flags|extraFlags, 0o600)
	if err != nil {
		if at, lerr := os.Lstat(path); lerr == nil && at.Mode()&fs.ModeSymlink != 0 {
			return nil, link(path)
		}
		return nil, err
	}
	if err := check(f, path, use); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Replace writes a file of mode 0600 beside path and then gives it that name, so that a reader sees either the old text
// or the new one. write may also give the file another mode.
func Replace(path string, write func(*os.File) error) error {
	out, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name()) // no use without the rename
	if err := errors.Join(write(out), out.Sync(), out.Close()); err != nil {
		return err
	}
	if err := os.Rename(out.Name(), path); err != nil {
		return err
	}
	// A grant that was taken back must not return after a power cut. Windows has no such flush, nor have some disks.
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		_ = errors.Join(dir.Sync(), dir.Close())
	}
	return nil
}

// OpenRegular opens a file for reading, whoever may write it, and follows links. It returns a *Wrong for anything but a
// regular file: a read from a pipe, a socket or a device may never end.
func OpenRegular(path string) (*os.File, error) {
	at, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !at.Mode().IsRegular() { // opening some devices has an effect
		return nil, irregular(path)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0) // another process may have put a pipe there since
	if err != nil {
		return nil, err
	}
	if at, err = f.Stat(); err == nil && !at.Mode().IsRegular() {
		err = irregular(path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// IsStill reports whether a path still names the open file, which another program may have removed or replaced.
func IsStill(f *os.File, path string) bool {
	open, err := f.Stat()
	named, missing := os.Lstat(path)
	return err == nil && missing == nil && os.SameFile(open, named)
}

func irregular(path string) error {
	return &Wrong{path, "is not a regular file", "give the path of a file"}
}

// checkDirectories checks the directory of a file. For a file of the system it checks also those above.
func checkDirectories(path string, use Use) error {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if err := checkDirectory(dir, use); err != nil || use != System || dir == filepath.Dir(dir) {
			return err
		}
	}
}

func check(f *os.File, path string, use Use) error {
	at, err := f.Stat()
	if err != nil {
		return err
	}
	if named, err := os.Lstat(path); err == nil && named.Mode()&fs.ModeSymlink != 0 {
		return link(path)
	}
	if !at.Mode().IsRegular() {
		return irregular(path)
	}
	return checkOwner(f, at, path, use)
}

func link(path string) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		target = "the file itself"
	}
	return &Wrong{path, "is a symbolic link, and the owner of the link could choose another file",
		"give the path of " + target}
}

// IsWrong reports whether err says that a file cannot be trusted.
func IsWrong(err error) bool {
	var wrong *Wrong
	return errors.As(err, &wrong)
}
