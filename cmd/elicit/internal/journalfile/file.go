// Package journalfile keeps a journal in a file, with one record on each line. A record is on the disk before Append
// returns, so it is durable before the host performs any later effect of the same step.
//
//	file, err := journalfile.Create("run.jsonl", nil)
//	err = file.Append(record)
package journalfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/elicit-engine/elicit/internal/trustedfile"
)

// File is a journal that is being written. The records of one run are one chain, so each run has its own file.
type File struct {
	file   *os.File
	size   int64 // at least so many bytes are in the file
	key    Key
	broken error // the last record may be cut, so nobody could verify any record after it
}

// Lost returns a journal that cannot be written. Append always returns why.
func Lost(why error) *File { return &File{broken: why} }

// Unwritable returns the path error in err when the disk is full or the place is not writable, and nil for any other
// error, such as a wrong name. The caller can treat the two differently: a wrong name is a mistake in the command line,
// but a disk can fill up under a command line that has been right for months.
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

// Create opens a new journal at path. When path holds an earlier run, it takes the first of path.2, path.3 and so on
// that is empty. Clients start the same command line again and again, some even twice for one session. No start may
// fail because of an earlier run, or touch its records. With a key every record gets a code.
func Create(path string, key Key) (*File, error) {
	return firstFree(path, func(name string) (*File, error) {
		f, err := open(name, "file", "a file in a writable directory")
		if f == nil {
			return nil, err
		}
		at, err := f.Stat()
		switch {
		case err != nil:
			f.Close()
			return nil, fmt.Errorf("the journal cannot be read: %w", err)
		case at.Size() > 0 || !lock(f): // two runs that start at the same time do not write into one file
			f.Close()
			return nil, nil
		}
		return &File{file: f, key: key}, nil
	})
}

// firstFree takes the first of path, path.2, path.3 and so on for which take returns a file or an error.
func firstFree(path string, take func(name string) (*File, error)) (*File, error) {
	name := path
	for n := 2; n < maxRuns; n++ {
		if f, err := take(name); err != nil || f != nil {
			return f, err
		}
		name = fmt.Sprintf("%s.%d", path, n)
	}
	return nil, fmt.Errorf("there are %d journals beside %s; move them away, or give --journal another name",
		maxRuns, path)
}

// open opens a journal for writing. The file must belong to this user, and nobody else may read or write it. The result
// is nil without an error for an earlier journal that this process may not write. An error says what else to give to
// --journal.
func open(path, another, writable string) (*os.File, error) {
	f, err := trustedfile.Open(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, trustedfile.Private)
	if trustedfile.IsWrong(err) {
		if at, lerr := os.Lstat(path); lerr == nil && at.Mode().IsRegular() && at.Size() > 0 {
			return nil, nil // this run does not touch it, whatever its mode
		}
		return nil, fmt.Errorf("the journal cannot be written: %w, or give --journal another %s", err, another)
	}
	if err != nil {
		return nil, fmt.Errorf("the journal cannot be written: %w; give --journal %s", err, writable)
	}
	return f, nil
}

// Name returns the path of the journal's file.
func (j *File) Name() string { return j.file.Name() }

// Append writes one record and returns when it is on the disk. After a failure it writes nothing more, and returns the
// same error.
func (j *File) Append(record []byte) error { return j.AppendAll(record) }

// AppendAll is Append for several records, which costs no more than one.
func (j *File) AppendAll(records ...[]byte) error {
	if j.broken == nil {
		j.broken = j.lost()
	}
	if j.broken != nil {
		return j.broken
	}
	var lines []byte // written by one system call, so that no reader sees half a line
	for _, record := range records {
		if j.key != nil {
			if record, j.broken = j.key.sign(nil, record); j.broken != nil {
				return j.broken
			}
		}
		lines = append(append(lines, record...), '\n')
	}
	if _, err := j.file.Write(lines); err != nil {
		j.broken = err
		return err
	}
	if err := j.file.Sync(); err != nil {
		j.broken = err
		j.cut()
	}
	j.size += int64(len(lines))
	return j.broken
}

// lost returns an error if earlier records are gone: the file was removed or cut while it is written. A record after
// them would prove nothing.
func (j *File) lost() error {
	if j.file == nil {
		return nil
	}
	at, err := j.file.Stat()
	switch {
	case err != nil:
		return err
	case unlinked(at):
		return fmt.Errorf("the journal %s was removed while it is written", j.file.Name())
	case at.Size() < j.size:
		return fmt.Errorf("the journal %s was cut while it is written: it has %d bytes and should have %d",
			j.file.Name(), at.Size(), j.size)
	}
	return nil
}

// cut removes the line end of the last record after a failed sync. The record may not be on the disk, and the host will
// not perform its effects, so a reader must see that it is incomplete.
func (j *File) cut() {
	if at, err := j.file.Stat(); err == nil {
		_ = j.file.Truncate(at.Size() - 1)
	}
}

// Close closes the file.
func (j *File) Close() error {
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}

// RemoveClosed removes the journal at path, unless a run still writes it. It reports whether it has removed the file.
func RemoveClosed(path string) (bool, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		defer f.Close()
		if !isFree(f) {
			return false, nil
		}
		err = os.Remove(path)
	}
	if errors.Is(err, fs.ErrNotExist) { // another run has removed it
		return false, nil
	}
	return err == nil, err
}
