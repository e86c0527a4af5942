// Package grantfile keeps the grants that hold always in a file of the person's own. Whoever can write that file can
// agree for the person, so it is theirs alone, and one that cannot be trusted or read gives no grants and is not
// written over.
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

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ownfile"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
)

// File is a file of grants, and what this program has seen of it. It is for one goroutine; several programs may use one
// file.
type File struct {
	path   string
	known  []elicit.ID // that this program counts on
	seen   time.Time   // when the file had changed last
	size   int64
	broken error // why nothing is kept
}

const (
	maxBytes  = 4 << 20 // far above what the most grants take
	maxGrants = 4000    // a little below what an engine reads
)

// Default is where a person's grants are kept unless they say otherwise: beside their other configuration.
func Default() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("there is no place for grants: %w; give one with --grants", err)
	}
	return filepath.Join(dir, "elicit", "grants.json"), nil
}

// Open reads the file; one that is not there holds nothing. With an error the file can still be used: it has no grants
// and takes none.
func Open(path string) (*File, []engine.Grant, error) {
	f := &File{path: path}
	list, err := f.read()
	if err != nil {
		f.broken = err
		return f, nil, err
	}
	f.know(list)
	return f, list, nil
}

func (f *File) know(list []engine.Grant) {
	f.known = f.known[:0]
	for _, g := range list {
		f.known = append(f.known, g.ID)
	}
}

// read reads the file as it is now.
func (f *File) read() ([]engine.Grant, error) {
	in, err := ownfile.Open(f.path, os.O_RDONLY, ownfile.Private)
	if errors.Is(err, fs.ErrNotExist) {
		f.seen, f.size = time.Time{}, 0
		return nil, nil
	}
	if ownfile.IsWrong(err) {
		return nil, fmt.Errorf("no grant holds and none is kept: %w", err)
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
		return nil, fmt.Errorf("%s is larger than any list of grants; no grant in it holds", f.path)
	}
	doc, err := io.ReadAll(io.LimitReader(in, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("the grants cannot be read: %w", err)
	}
	list, problems := engine.ReadGrants(doc)
	if problems != nil {
		return nil, fmt.Errorf("%s cannot be read (%s: %s); no grant in it holds, and none is added", f.path, problems[0].Pointer, english.Problem(problems[0]))
	}
	f.seen, f.size = at.ModTime(), at.Size()
	return list, nil
}

// Add keeps a grant, in the place of an older one of the same digest, principal and identity. It also takes the place
// of one without an identity, which answers no server that has one.
func (f *File) Add(g engine.Grant) error {
	now := time.Now().UnixMilli()
	_, err := f.change(func(list []engine.Grant) ([]engine.Grant, error) {
		list = slices.DeleteFunc(list, func(old engine.Grant) bool {
			same := old.Digest == g.Digest && old.Principal == g.Principal &&
				(old.Identity == g.Identity || old.Identity == "")
			return same || old.ExpiresAt != 0 && old.ExpiresAt <= now
		})
		if len(list) >= maxGrants {
			return nil, fmt.Errorf("%s holds %d grants already; `elicit grants revoke` makes room", f.path, len(list))
		}
		return append(list, g), nil
	})
	if err == nil {
		f.known = append(f.known, g.ID)
	}
	return err
}

// Remove strikes out the grants that gone names, and returns them.
func (f *File) Remove(gone func(engine.Grant) bool) (removed []engine.Grant, err error) {
	return f.change(func(list []engine.Grant) ([]engine.Grant, error) { return slices.DeleteFunc(list, gone), nil })
}

// change rewrites the file under a lock and returns what is no longer in it. Nobody ever sees half a file.
func (f *File) change(edit func([]engine.Grant) ([]engine.Grant, error)) (gone []engine.Grant, err error) {
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
	if err := f.write(append(engine.AppendGrants(nil, now), '\n')); err != nil {
		return nil, err
	}
	for _, g := range list {
		if !slices.ContainsFunc(now, func(kept engine.Grant) bool { return kept.ID == g.ID }) {
			gone = append(gone, g)
		}
	}
	return gone, nil
}

// write puts a new file in the old one's place.
func (f *File) write(doc []byte) error {
	out, err := os.CreateTemp(filepath.Dir(f.path), ".grants-*") // for its owner alone
	if err != nil {
		return err
	}
	_, err = out.Write(doc)
	if err == nil {
		err = out.Sync()
	}
	if closing := out.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(out.Name(), f.path)
	}
	if err != nil {
		_ = os.Remove(out.Name()) // what could not be kept is of no use
	}
	return err
}

// Revoked names the grants this program counts on that somebody has taken out of the file since. A file that can no
// longer be read revokes all.
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
		held := slices.ContainsFunc(list, func(g engine.Grant) bool { return g.ID == id })
		if !held {
			gone = append(gone, id)
		}
		return !held
	})
	return gone
}
