package clientconfig

import (
	"bytes"
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
	changed
	Host    string `json:"host"`
	Title   string `json:"title"`
	Missing bool   `json:"missing,omitempty"` // there was no file
}

func (r HookRecords) files() Records { return Records(r) }

// Install writes next in the place of a document, after it has kept the document.
func (r HookRecords) Install(d, next *HookDoc) error {
	rec, before, err := recordFor[hookRecord](r.files(), d.File.Path)
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
		before, missing = plain.text, missing || !plain.Exists
	}
	err = r.files().save(d.File.Path, before, hookRecord{changed{d.File.Path, d.File.Project, digest(before),
		digest(next.text)}, d.File.Host, d.File.Title, missing})
	if err != nil {
		return err
	}
	return d.write(next)
}

// Restored returns the document without our hooks. That is byte by byte the old file, or none, when nobody has changed
// the file since.
func (r HookRecords) Restored(d *HookDoc) (*HookDoc, error) {
	rec, before, err := recordFor[hookRecord](r.files(), d.File.Path)
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
	return r.files().forget(d.File.Path)
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
	for _, rec := range recordsOf[hookRecord](r.files()) {
		if _, err := os.Stat(rec.Path); err == nil && rec.Host != "" {
			files = append(files, HookFile{rec.Host, rec.Title, rec.Path, rec.Project})
		}
	}
	return files
}
