// Package journalfile keeps a journal in a file: one record a line, durable before anything that follows from it.
package journalfile

import (
	"bufio"
	"fmt"
	"os"
)

// File is a journal that is being written. A run writes one chain of records from its beginning, so a run has a file
// of its own.
type File struct {
	file   *os.File
	broken error // a record may have been cut: whatever came after it could not be verified
}

// maxRuns bounds the search for a free name.
const maxRuns = 10_000

// Create opens a new journal at path, or, because a run's chain of records has a file of its own, at the first of path.2,
// path.3 and so on that nothing has been written to. Clients start the same command line again and again, some twice for
// one session; none of them may fail over the run before, or touch its records.
func Create(path string) (*File, error) {
	name := path
	for n := 2; n < maxRuns; n++ {
		f, err := open(name)
		if err != nil || f != nil {
			return f, err
		}
		name = fmt.Sprintf("%s.%d", path, n)
	}
	return nil, fmt.Errorf("there are %d journals beside %s; move them away or give --journal a new name", maxRuns, path)
}

// open takes path for a new journal; nil without error means that it is taken. Whoever takes an empty file locks it, so
// that two runs begun at once do not write into each other.
func open(path string) (*File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the journal cannot be written: %w; give --journal a file in a directory that may be written", err)
	}
	at, err := f.Stat()
	switch {
	case err != nil:
		f.Close()
		return nil, fmt.Errorf("the journal cannot be read: %w", err)
	case !at.Mode().IsRegular():
		f.Close()
		return nil, fmt.Errorf("the journal %s is not a file; give --journal a file's name", path)
	case at.Size() > 0 || !lock(f):
		f.Close()
		return nil, nil
	}
	return &File{file: f}, nil
}

// Name is the file the journal is kept in.
func (j *File) Name() string { return j.file.Name() }

// Append writes one record and returns when it is on the disk. After a failure nothing is written any more.
func (j *File) Append(record []byte) error {
	if j.broken != nil {
		return j.broken
	}
	w := bufio.NewWriterSize(j.file, len(record)+1) // one write: no reader sees half a line
	_, _ = w.Write(record)
	_ = w.WriteByte('\n')
	if err := w.Flush(); err != nil {
		j.broken = err
		return err
	}
	if err := j.file.Sync(); err != nil {
		j.broken = err
	}
	return j.broken
}

// Close ends the journal.
func (j *File) Close() error { return j.file.Close() }
