// Package journalfile keeps a journal in a file: one record a line, durable before anything that follows from it.
package journalfile

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ownfile"
)

// File is a journal that is being written. A run writes one chain of records from its beginning, so a run has a file
// of its own.
type File struct {
	file   *os.File
	key    Key
	broken error // a record may have been cut: whatever came after it could not be verified
}

// Lost is a journal that cannot be written, because of why: Append never takes a record.
func Lost(why error) *File { return &File{broken: why} }

// Unwritable is what Create met at a place that is full or may not be written; nil when err is about anything else, such
// as a wrong name. A name is mended once; a disk fills up under a command line that has been right for months.
func Unwritable(err error) error {
	var at *fs.PathError
	for _, why := range []error{fs.ErrPermission, syscall.EROFS, syscall.ENOSPC, syscall.EDQUOT, syscall.EIO} {
		if errors.Is(err, why) && errors.As(err, &at) {
			return at
		}
	}
	return nil
}

// maxRuns bounds the search for a free name.
const maxRuns = 10_000

// Create opens a new journal at path, or, because a run's chain of records has a file of its own, at the first of path.2,
// path.3 and so on that nothing has been written to. Clients start the same command line again and again, some twice for
// one session; none of them may fail over the run before, or touch its records. With a key every record gets a code.
func Create(path string, key Key) (*File, error) {
	name := path
	for n := 2; n < maxRuns; n++ {
		f, err := open(name)
		if f != nil {
			f.key = key
		}
		if err != nil || f != nil {
			return f, err
		}
		name = fmt.Sprintf("%s.%d", path, n)
	}
	return nil, fmt.Errorf("there are %d journals beside %s; move them away or give --journal a new name", maxRuns, path)
}

// open takes path for a new journal, which must be a file of ours that nobody else can read or write; nil without error
// means that it is taken. Whoever takes an empty file locks it, so that two runs begun at once do not write into each other.
func open(path string) (*File, error) {
	f, err := ownfile.Open(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, ownfile.Private)
	if ownfile.IsWrong(err) {
		if at, lerr := os.Lstat(path); lerr == nil && at.Mode().IsRegular() && at.Size() > 0 {
			return nil, nil // somebody's earlier journal, which is only passed by
		}
		return nil, fmt.Errorf("the journal cannot be kept: %w, or give --journal another file", err)
	}
	if err != nil {
		return nil, fmt.Errorf("the journal cannot be written: %w; give --journal a file in a directory that may be written", err)
	}
	at, err := f.Stat()
	switch {
	case err != nil:
		f.Close()
		return nil, fmt.Errorf("the journal cannot be read: %w", err)
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
	if j.key != nil {
		if record, j.broken = j.key.sign(nil, record); j.broken != nil {
			return j.broken
		}
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
		j.cut()
	}
	return j.broken
}

// cut takes the line end of the last record away. The record may not be on the disk and nobody will act on it, so
// whoever reads the file must not take it for one that was kept.
func (j *File) cut() {
	if at, err := j.file.Stat(); err == nil {
		_ = j.file.Truncate(at.Size() - 1)
	}
}

// Close ends the journal.
func (j *File) Close() error {
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}
