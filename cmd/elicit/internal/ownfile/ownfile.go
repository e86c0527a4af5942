// Package ownfile opens files that decide for a person: policies, grants and journals. Whoever can write such a file
// can answer in the person's place, so a file that another user could have written is refused.
//
//	f, err := ownfile.Open("policy.json", os.O_RDONLY, ownfile.Policy)
//
// The check is made on the open file, never on its name, so that nobody can swap the file in between. On systems
// without Unix owners and modes only links and things that are no files are refused; there the directory of the person
// protects it.
package ownfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Use says what a file is for, and so who may own, read and write it.
type Use int

const (
	// Private is for grants and journals: ours, and no other user may read or write it.
	Private Use = iota
	// Policy is for policies: ours or root's, and no other user may write it.
	Policy
)

// Wrong is an error that says why a file cannot be trusted and how to mend that.
type Wrong struct {
	Path   string // of the file or of its directory
	Reason string // continues a sentence that begins with the path
	Remedy string // an instruction
}

func (w *Wrong) Error() string { return fmt.Sprintf("%s %s; %s", w.Path, w.Reason, w.Remedy) }

// Open opens a file with the flags of os.OpenFile, and creates it for its owner alone when they say so. It returns a
// *Wrong when the file or its directory cannot be trusted, and otherwise the errors of os.OpenFile. It never follows a
// link in the last part of path, and never waits for the other end of a pipe.
func Open(path string, flags int, use Use) (*os.File, error) {
	if err := checkDirectory(filepath.Dir(path)); err != nil {
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

func check(f *os.File, path string, use Use) error {
	at, err := f.Stat()
	if err != nil {
		return err
	}
	if named, err := os.Lstat(path); err == nil && named.Mode()&fs.ModeSymlink != 0 {
		return link(path)
	}
	if !at.Mode().IsRegular() {
		return &Wrong{path, "is not a regular file", "give the path of a file"}
	}
	return checkOwner(at, path, use)
}

func link(path string) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		target = "the file itself"
	}
	return &Wrong{path, "is a symbolic link, and whoever owns the link chooses the file", "give the path of " + target}
}

// IsWrong reports whether err says that a file cannot be trusted.
func IsWrong(err error) bool {
	var wrong *Wrong
	return errors.As(err, &wrong)
}
