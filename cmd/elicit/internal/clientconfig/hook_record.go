package clientconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// HookRecords keeps the files of hooks as they were before the first change. The directory is the user's alone.
type HookRecords struct{ Dir string }

// hookRecord is one changed file. Unless the file was missing, its copy is beside the record.
type hookRecord struct {
	Path    string `json:"path"`
	Host    string `json:"host"`
	Title   string `json:"title"`
	Project bool   `json:"project,omitempty"`
	Missing bool   `json:"missing,omitempty"` // there was no file
	Before  string `json:"before"`            // SHA-256 of the copy
	After   string `json:"after"`             // SHA-256 of the file as it was written last
}

func (r HookRecords) files() Records { return Records(r) }

// find returns the record of a file with its copy; nil when there is none.
func (r HookRecords) find(path string) (*hookRecord, []byte, error) {
	text, err := r.files().read(r.files().name(path, ".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	var rec hookRecord
	if err := json.Unmarshal(text, &rec); err != nil || rec.Path != path {
		return nil, nil, fmt.Errorf("%s is not a record of %s; move it away", r.files().name(path, ".json"), path)
	}
	before, err := r.files().read(r.files().name(path, ".before"))
	if err == nil && digest(before) != rec.Before {
		err = fmt.Errorf("%s has changed since elicit install wrote it; move it away", r.files().name(path, ".before"))
	}
	return &rec, before, err
}

// Install writes next in the place of a document, after it has kept the document.
func (r HookRecords) Install(d, next *HookDoc) error {
	rec, before, err := r.find(d.File.Path)
	if err != nil {
		return err
	}
	missing := !d.Exists
	if rec != nil && rec.After == digest(d.text) {
		missing = rec.Missing
	} else {
		plain, err := d.Without()
		if err != nil {
			return err
		}
		before = plain.text
	}
	if err := os.MkdirAll(r.Dir, 0o700); err != nil {
		return err
	}
	if err := replace(r.files().name(d.File.Path, ".before"), before, nil); err != nil {
		return err
	}
	text, err := json.Marshal(hookRecord{d.File.Path, d.File.Host, d.File.Title, d.File.Project, missing,
		digest(before), digest(next.text)})
	if err != nil {
		return err
	}
	if err := replace(r.files().name(d.File.Path, ".json"), append(text, '\n'), nil); err != nil {
		return err
	}
	return d.write(next)
}

// Restored returns the document without our hooks. That is byte by byte the old file, or none, when nobody has changed
// the file since.
func (r HookRecords) Restored(d *HookDoc) (*HookDoc, error) {
	rec, before, err := r.find(d.File.Path)
	if err != nil {
		return nil, err
	}
	if rec == nil || rec.After != digest(d.text) {
		return d.Without()
	}
	if rec.Missing {
		return &HookDoc{File: d.File, target: d.target, info: d.info}, nil
	}
	return parseHooks(d.File, before)
}

// Uninstall writes next in the place of a document, and forgets the file.
func (r HookRecords) Uninstall(d, next *HookDoc) error {
	if err := d.write(next); err != nil {
		return err
	}
	for _, suffix := range []string{".json", ".before"} {
		if err := os.Remove(r.files().name(d.File.Path, suffix)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// write writes next in the place of a document, if the file is still as it was read. A next that does not exist removes
// the file.
func (d *HookDoc) write(next *HookDoc) error {
	now, err := os.ReadFile(d.target)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !d.Exists:
		if err := os.MkdirAll(filepath.Dir(d.target), 0o755); err != nil {
			return err
		}
		return replace(d.target, next.text, nil)
	case err != nil:
		return err
	case !d.Exists || !bytes.Equal(now, d.text):
		return fmt.Errorf("%s: %w", d.File.Path, ErrChanged)
	}
	if err := checkOwner(d.info); err != nil {
		return fmt.Errorf("%s is left alone: %w", d.File.Path, err)
	}
	if !next.Exists {
		return os.Remove(d.target)
	}
	return replace(d.target, next.text, d.info)
}

// Files lists the files that have a record, with those of projects elsewhere. A file that is gone is left out.
func (r HookRecords) Files() (files []HookFile) {
	entries, _ := os.ReadDir(r.Dir) // without the directory there are no records
	for _, entry := range entries {
		name := filepath.Join(r.Dir, entry.Name())
		text, err := r.files().read(name)
		var rec hookRecord
		if err != nil || json.Unmarshal(text, &rec) != nil || name != r.files().name(rec.Path, ".json") {
			continue
		}
		if _, err := os.Stat(rec.Path); err == nil && rec.Host != "" {
			files = append(files, HookFile{rec.Host, rec.Title, rec.Path, rec.Project})
		}
	}
	return files
}
