package clientconfig

// HookRecords keeps the files of hooks as they were before the first change. The directory is the user's alone.
type HookRecords struct{ Records }

// Install writes next in the place of a document, after it has kept the document.
func (r HookRecords) Install(d, next *HookDoc) error {
	rec, before, err := r.recordFor(d.File.Path)
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
	if err := r.save(record{Path: d.File.Path, Project: d.File.Project, Host: d.File.Host, Title: d.File.Title,
		Missing: missing}, before, next.text); err != nil {
		return err
	}
	return d.write(next.text, !next.Exists)
}

// Restored returns the document without our hooks. That is byte by byte the old file, or none, when nobody has changed
// the file since.
func (r HookRecords) Restored(d *HookDoc) (*HookDoc, error) {
	rec, before, err := r.recordFor(d.File.Path)
	if err != nil {
		return nil, err
	}
	if rec == nil || rec.After != digest(d.text) {
		return d.Without()
	}
	if rec.Missing {
		return &HookDoc{File: d.File}, nil
	}
	return parseHooks(d.File, before)
}

// Uninstall writes next in the place of a document, and forgets the file.
func (r HookRecords) Uninstall(d, next *HookDoc) error {
	if err := d.write(next.text, !next.Exists); err != nil {
		return err
	}
	return r.forget(d.File.Path)
}

// Files lists the files that have a record, with those of projects elsewhere. A file that is gone is left out.
func (r HookRecords) Files() (files []HookFile) {
	for _, rec := range r.all() {
		if rec.Host != "" {
			files = append(files, HookFile{rec.Host, rec.Title, rec.Path, rec.Project})
		}
	}
	return files
}
