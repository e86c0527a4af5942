package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// writeNew writes a new file. It never overwrites an existing one.
func writeNew(path string, text []byte, mode os.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if os.IsExist(err) {
		return fmt.Errorf("%s exists already; give another name, or remove it", path)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}

// rewrite replaces a file's text and keeps its permissions. It writes a new file and renames it, so that a crash leaves
// either the old text or the new one.
func rewrite(name string, text []byte) error {
	name, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	was, err := os.Stat(name)
	if err != nil {
		return err
	}
	beside, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("cannot rewrite %s: %w", name, err)
	}
	defer os.Remove(beside.Name())
	_, err = beside.Write(text)
	if err = errors.Join(err, beside.Chmod(was.Mode().Perm()), beside.Close()); err == nil {
		err = os.Rename(beside.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("cannot rewrite %s: %w", name, err)
	}
	return nil
}
