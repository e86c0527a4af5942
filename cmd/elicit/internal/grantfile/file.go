// Package grantfile keeps the grants that hold always in a file. Anyone who can write that file can agree in the
// person's place. So the file must belong to the person alone (package trustedfile). A file that cannot be trusted or
// read gives no grants, and this package never overwrites it.
//
//	file, grants, err := grantfile.Open(path)
//	removed, err := file.Remove(func(g elicit.Grant) bool { return g.Server == "demo" })
package grantfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/internal/trustedfile"
)

// File is a file of grants, with the state that this program has read. Only one goroutine may use a File; several
// programs may use the same file on the disk.
type File struct {
	path   string
	known  []elicit.ID // the grants that this program uses
	seen   time.Time   // time of the file's last change when it was read
	size   int64       // of the file when it was read
	broken error       // why the file is not used
}

const (
	maxBytes  = 4 << 20 // far more than maxGrants grants need
	maxGrants = 4000    // a little less than an engine reads
)

// Open reads the file. A missing file holds no grants. Open returns a File also with an error; that File has no grants,
// and its methods change nothing.
func Open(path string) (*File, []elicit.Grant, error) {
	f := &File{path: path}
	list, err := f.read()
	if err != nil {
		f.broken = err
		return f, nil, err
	}
	f.known = each.Of(list, func(g elicit.Grant) elicit.ID { return g.ID })
	return f, list, nil
}

// read reads the file again.
func (f *File) read() ([]elicit.Grant, error) {
	in, err := trustedfile.Open(f.path, os.O_RDONLY, trustedfile.Private)
	if errors.Is(err, fs.ErrNotExist) {
		f.seen, f.size = time.Time{}, 0
		return nil, nil
	}
	if trustedfile.IsWrong(err) {
		return nil, fmt.Errorf("no grants are used, and none are added: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("the grants cannot be read: %w", err)
	}
	defer in.Close()
	at, err := in.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("the grants cannot be read: %w", err)
	case at.Size() > maxBytes:
		return nil, fmt.Errorf("%s is larger than any list of grants, so none of its grants is used; "+
			"check that it is the right file", f.path)
	}
	doc, err := io.ReadAll(io.LimitReader(in, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("the grants cannot be read: %w", err)
	}
	list, problems := engine.ReadGrants(doc)
	if problems != nil {
		return nil, fmt.Errorf("%s cannot be read (%s: %s), so none of its grants is used, and none are added; "+
			"correct it, or move it away", f.path, problems[0].Pointer, english.Problem(problems[0]))
	}
	f.seen, f.size = at.ModTime(), at.Size()
	return list, nil
}

// Add keeps a grant. It replaces an older grant of the same digest, principal and identity. It also replaces one of the
// same digest and principal without an identity, because that one answers no server that has an identity. Add removes
// expired grants too.
func (f *File) Add(g elicit.Grant) error {
	now := time.Now().UnixMilli()
	_, err := f.change(func(list []elicit.Grant) ([]elicit.Grant, error) {
		list = slices.DeleteFunc(list, func(old elicit.Grant) bool {
			same := old.Digest == g.Digest && old.Principal == g.Principal &&
				(old.Identity == g.Identity || old.Identity == "")
			return same || old.ExpiresAt != 0 && old.ExpiresAt <= now
		})
		if len(list) >= maxGrants {
			return nil, fmt.Errorf("%s holds %d grants, which is the limit; remove some with `elicit grants revoke`",
				f.path, len(list))
		}
		return append(list, g), nil
	})
	if err == nil {
		f.known = append(f.known, g.ID)
	}
	return err
}

// Remove removes the grants for which gone returns true, and returns them.
func (f *File) Remove(gone func(elicit.Grant) bool) (removed []elicit.Grant, err error) {
	return f.change(func(list []elicit.Grant) ([]elicit.Grant, error) { return slices.DeleteFunc(list, gone), nil })
}

// change rewrites the file under a lock, and returns the grants that are no longer in it. A reader sees either the old
// file or the new one.
func (f *File) change(edit func([]elicit.Grant) ([]elicit.Grant, error)) (gone []elicit.Grant, err error) {
	if f.broken != nil {
		return nil, f.broken
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return nil, err
	}
	unlock, err := lock(f.path + ".lock")
	if err != nil {
		return nil, err
	}
	defer unlock()
	list, err := f.read()
	if err != nil {
		return nil, err
	}
	now, err := edit(slices.Clone(list))
	if err != nil {
		return nil, err
	}
	err = trustedfile.Replace(f.path, func(out *os.File) error {
		_, err := out.Write(append(engine.AppendGrants(nil, now), '\n'))
		return err
	})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(g elicit.Grant) bool {
		return slices.ContainsFunc(now, func(kept elicit.Grant) bool { return kept.ID == g.ID })
	}), nil
}

// Revoked returns the grants that this program uses and that somebody has removed from the file since the last call. A
// file that can no longer be read revokes all grants.
func (f *File) Revoked() (gone []elicit.ID) {
	if len(f.known) == 0 {
		return nil
	}
	at, err := os.Stat(f.path)
	if err == nil && at.ModTime().Equal(f.seen) && at.Size() == f.size {
		return nil
	}
	list, err := f.read()
	if err != nil {
		f.broken, list = err, nil
	}
	f.known = slices.DeleteFunc(f.known, func(id elicit.ID) bool {
		held := slices.ContainsFunc(list, func(g elicit.Grant) bool { return g.ID == id })
		if !held {
			gone = append(gone, id)
		}
		return !held
	})
	return gone
}
