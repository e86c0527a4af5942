package clientconfig

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/elicit-engine/elicit/internal/trustedfile"
)

// ErrChanged says that a client changed a file between reading and writing.
var ErrChanged = errors.New("the file changed in the meantime; nothing was written")

// onDisk is a file as it was read. A document that a change made has only the text.
type onDisk struct {
	text   []byte
	path   string
	target string      // the file itself, where path is a symbolic link
	info   fs.FileInfo // nil for a missing file
}

// readRegular reads a regular file of at most that many bytes. It follows a symbolic link.
func readRegular(path string, most int64) (f onDisk, err error) {
	f.path = path
	if f.target, err = filepath.EvalSymlinks(path); err != nil {
		return f, err
	}
	file, err := trustedfile.OpenRegular(f.target)
	if trustedfile.IsWrong(err) {
		return f, &Problem{Path: path, Text: "this is not a regular file"}
	}
	if err != nil {
		return f, err
	}
	defer file.Close()
	if f.info, err = file.Stat(); err != nil {
		return f, err
	}
	if f.text, err = io.ReadAll(io.LimitReader(file, most+1)); err == nil && int64(len(f.text)) > most {
		err = &Problem{Path: path, Text: fmt.Sprintf("the file is larger than %d MiB", most>>20)}
	}
	return f, err
}

// Writable says why the file cannot be replaced; nil when it can.
func (f *onDisk) Writable() error {
	if err := checkOwner(f.info); err != nil {
		return fmt.Errorf("%s is left alone: %w", f.path, err)
	}
	return nil
}

// write writes next in the place of the file, or removes it, if the file is still as it was read. A reader sees either
// the old file or the new one. The mode, the owner and the group stay.
func (f *onDisk) write(next []byte, remove bool) error {
	now, err := os.ReadFile(f.target)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.info == nil:
		if err := os.MkdirAll(filepath.Dir(f.target), 0o755); err != nil {
			return err
		}
		return replace(f.target, next, nil)
	case err != nil:
		return err
	case f.info == nil || !bytes.Equal(now, f.text):
		return fmt.Errorf("%s: %w", f.path, ErrChanged)
	}
	if err := f.Writable(); err != nil {
		return err
	}
	if remove {
		return os.Remove(f.target)
	}
	return replace(f.target, next, f.info)
}

// replace writes a file beside another and renames it. like is the old file, nil for a private one.
func replace(path string, text []byte, like fs.FileInfo) error {
	return trustedfile.Replace(path, func(out *os.File) error {
		_, err := out.Write(text)
		if err != nil || like == nil {
			return err
		}
		return errors.Join(keepGroup(out, like), out.Chmod(like.Mode().Perm()))
	})
}
