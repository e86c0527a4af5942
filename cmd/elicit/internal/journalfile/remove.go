package journalfile

import (
	"errors"
	"io/fs"
	"os"
)

// RemoveClosed removes the journal at path, unless a run still writes it. It reports whether it has removed the file.
func RemoveClosed(path string) (bool, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false, gone(err)
	}
	defer f.Close()
	if !isFree(f) {
		return false, nil
	}
	if err := os.Remove(path); err != nil {
		return false, gone(err)
	}
	return true, nil
}

// gone takes it as no error that another run has removed the file.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
