package clientconfig

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/elicit-engine/elicit/internal/trustedfile"
)

// ErrChanged says that a client changed a file between reading and writing.
var ErrChanged = errors.New("the file changed in the meantime; nothing was written")

// Writable says why the file of a document cannot be replaced; nil when it can.
func (d *Doc) Writable() error {
	if err := checkOwner(d.info); err != nil {
		return fmt.Errorf("%s is left alone: %w", d.File.Path, err)
	}
	return nil
}

// Replace writes text in the place of the document, if the file is still as it was read. A reader sees either the old
// file or the new one. The mode, the owner and the group stay.
func (d *Doc) Replace(text []byte) error {
	if err := d.Writable(); err != nil {
		return err
	}
	if now, err := os.ReadFile(d.target); err != nil {
		return err
	} else if !bytes.Equal(now, d.text) {
		return fmt.Errorf("%s: %w", d.File.Path, ErrChanged)
	}
	return replace(d.target, text, d.info)
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
