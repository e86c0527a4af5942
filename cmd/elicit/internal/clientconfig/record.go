package clientconfig

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/elicit-engine/elicit/internal/trustedfile"
)

// Records keeps the files of clients as they were before the first change, so that they can be restored byte by byte.
// Such a file can hold keys of servers, so the directory and the files in it are the user's alone.
type Records struct{ Dir string }

// record is one changed file of a client, or of hooks. Unless the file was missing, its copy is beside the record.
type record struct {
	Path    string `json:"path"`
	Project bool   `json:"project,omitempty"`
	Before  string `json:"before"` // SHA-256 of the copy
	After   string `json:"after"`  // SHA-256 of the file as it was written last

	Client string `json:"client,omitempty"` // of a file of servers, as the shape
	Shape  string `json:"shape,omitempty"`

	Host    string `json:"host,omitempty"` // of a file of hooks, as the rest
	Title   string `json:"title,omitempty"`
	Missing bool   `json:"missing,omitempty"` // there was no file
}

func digest(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }

func (r Records) name(path, suffix string) string {
	return filepath.Join(r.Dir, digest([]byte(path))[:16]+suffix)
}

func (r Records) read(name string) (text []byte, err error) {
	in, err := trustedfile.Open(name, os.O_RDONLY, trustedfile.Private)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	at, err := in.Stat()
	if err != nil {
		return nil, err
	}
	if at.Size() > maxJSON {
		return nil, fmt.Errorf("%s is too large for a copy", name)
	}
	text = make([]byte, at.Size())
	_, err = in.ReadAt(text, 0)
	return text, err
}

// recordFor returns the record of a file with its copy; nil when there is none.
func (r Records) recordFor(path string) (*record, []byte, error) {
	text, err := r.read(r.name(path, ".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	rec := &record{}
	if err := json.Unmarshal(text, rec); err != nil || rec.Path != path {
		return nil, nil, fmt.Errorf("%s is not a record of %s; move it away", r.name(path, ".json"), path)
	}
	before, err := r.read(r.name(path, ".before"))
	if err == nil && digest(before) != rec.Before {
		err = fmt.Errorf("%s has changed since elicit install wrote it; move it away", r.name(path, ".before"))
	}
	return rec, before, err
}

// save writes a record of a file and the copy.
func (r Records) save(rec record, before, after []byte) error {
	rec.Before, rec.After = digest(before), digest(after)
	text, err := json.Marshal(rec)
	if err == nil {
		err = os.MkdirAll(r.Dir, 0o700)
	}
	if err == nil {
		err = replace(r.name(rec.Path, ".before"), before, nil)
	}
	if err != nil {
		return err
	}
	return replace(r.name(rec.Path, ".json"), append(text, '\n'), nil)
}

// forget removes the record of a file and the copy.
func (r Records) forget(path string) error {
	for _, suffix := range []string{".json", ".before"} {
		if err := os.Remove(r.name(path, suffix)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// all lists the records. A file that is no record is left out, and so is the record of a file that is gone.
func (r Records) all() (list []record) {
	entries, _ := os.ReadDir(r.Dir) // without the directory there are no records
	for _, entry := range entries {
		name, rec := filepath.Join(r.Dir, entry.Name()), record{}
		text, err := r.read(name)
		if err != nil || json.Unmarshal(text, &rec) != nil || name != r.name(rec.Path, ".json") {
			continue
		}
		if _, err := os.Stat(rec.Path); err == nil {
			list = append(list, rec)
		}
	}
	return list
}

// keep records that a document was changed to text. The copy is the file as it would be without any proxy of ours.
func (r Records) keep(d *Doc, text []byte) error {
	rec, before, err := r.recordFor(d.File.Path)
	if err != nil {
		return err
	}
	if rec == nil || rec.After != digest(d.text) {
		plain, err := d.without(before)
		if err != nil {
			return err
		}
		before = plain.text
	}
	return r.save(record{Path: d.File.Path, Project: d.File.Project, Client: d.File.Client.ID, Shape: d.File.shape.name},
		before, text)
}

// without returns the document without any proxy of ours.
func (d *Doc) without(before []byte) (*Doc, error) {
	ours := slices.DeleteFunc(slices.Clone(d.Servers), func(s *Server) bool { return !s.Ours })
	if len(ours) == 0 {
		return d, nil
	}
	var old *Doc
	if before != nil {
		old, _ = parse(d.File, before) // only helps to spell
	}
	return d.Unwrap(ours, old)
}

// Install writes next in the place of a document, after it has kept the document.
func (r Records) Install(d, next *Doc) error {
	if err := d.Writable(); err != nil {
		return err
	}
	if err := r.keep(d, next.text); err != nil {
		return err
	}
	return d.write(next.text, false)
}

// Restored returns the document without the proxies around the servers. Without servers it is the document without any,
// and that is byte by byte the old file, when nobody has changed the file since.
func (r Records) Restored(d *Doc, servers []*Server) (*Doc, error) {
	rec, before, err := r.recordFor(d.File.Path)
	if err != nil {
		return nil, err
	}
	if servers != nil {
		var old *Doc
		if before != nil {
			old, _ = parse(d.File, before)
		}
		return d.Unwrap(servers, old)
	}
	next, err := d.without(before)
	if rec != nil && rec.After == digest(d.text) && (err != nil || !bytes.Equal(next.text, before)) {
		return parse(d.File, before)
	}
	return next, err
}

// Untouched reports whether a document is as install wrote it last, and not as it was before.
func (r Records) Untouched(d *Doc) bool {
	rec, before, err := r.recordFor(d.File.Path)
	return err == nil && rec != nil && rec.After == digest(d.text) && !bytes.Equal(before, d.text)
}

// Uninstall writes next in the place of a document, and forgets the file when no proxy of ours is left in it.
func (r Records) Uninstall(d, next *Doc) error {
	if err := d.write(next.text, false); err != nil {
		return err
	}
	if slices.ContainsFunc(next.Servers, func(s *Server) bool { return s.Ours }) {
		return r.keep(d, next.text)
	}
	return r.forget(d.File.Path)
}

// Files lists the files that have a record, with those of projects elsewhere. A file that is gone is left out.
func (r Records) Files() (files []File) {
	for _, rec := range r.all() {
		f := File{Path: rec.Path, Project: rec.Project}
		for _, c := range clients {
			if c.ID == rec.Client {
				f.Client = c
			}
		}
		for _, s := range shapes {
			if s.name == rec.Shape {
				f.shape = s
			}
		}
		if f.Client != nil && f.shape != nil {
			files = append(files, f)
		}
	}
	return files
}
