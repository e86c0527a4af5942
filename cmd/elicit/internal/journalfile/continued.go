package journalfile

import (
	"errors"
	"io"
	"os"
	"time"

	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/internal/trustedfile"
)

// mostContinued is the size from which a journal is left as it is and the next one is begun.
const mostContinued = 64 << 20

// Continue opens the journal at path to add records to its chain, and returns the end of the chain: the zero Head for a
// new file. Only one process at a time has the file. Continue waits a moment for another one, and then takes the first
// of path.2, path.3 and so on that is free, as Create does. It also leaves a file as it is, and takes the next one, if
// the last record cannot be continued: it is cut, or has another key, or is no record.
func Continue(path string, key Key) (file *File, head journal.Head, err error) {
	if !Locks {
		return nil, head, errors.New("this system has no locks, so no journal can be continued")
	}
	file, err = firstFree(path, func(name string) (*File, error) {
		f, err := open(name, "directory", "a writable directory")
		if f == nil {
			return nil, err
		}
		if !becomesFree(f) {
			f.Close()
			return nil, nil
		}
		end, err := endOf(f, key)
		if err == nil && !trustedfile.IsStill(f, name) {
			err = errNoEnd // it was removed before we had it
		}
		if err != nil {
			f.Close()
			if errors.Is(err, errNoEnd) {
				err = nil
			}
			return nil, err
		}
		head = end
		return &File{file: f, key: key}, nil
	})
	return file, head, err
}

// Most calls of a tool are decided within some milliseconds, and a person may take minutes.
const (
	freeTries = 40
	freePause = 5 * time.Millisecond
)

// becomesFree takes the lock of a file, as soon as no other process has it.
func becomesFree(f *os.File) bool {
	for try := 0; !isFree(f); try++ {
		if try == freeTries {
			return false
		}
		time.Sleep(freePause)
	}
	return true
}

var errNoEnd = errors.New("no record that can be continued")

// endOf reads the last record of a journal. Of a file that was written to its end, this record alone is the proof.
func endOf(f *os.File, key Key) (head journal.Head, err error) {
	at, err := f.Stat()
	if err != nil || at.Size() == 0 {
		return head, err
	}
	if at.Size() > mostContinued {
		return head, errNoEnd
	}
	line, err := lastLine(f, at.Size())
	if err != nil {
		return head, err
	}
	rec, head, ok := journal.Last(line)
	if !ok || rec.MAC != "" != (key != nil) || key != nil && !key.made(rec, head) {
		return journal.Head{}, errNoEnd
	}
	return head, nil
}

// lastLine returns the last line of a file with its newline.
func lastLine(f *os.File, size int64) ([]byte, error) {
	for part := int64(8 << 10); ; part *= 8 {
		part = min(part, size)
		tail := make([]byte, part)
		if _, err := f.ReadAt(tail, size-part); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		for i := len(tail) - 2; i >= 0; i-- {
			if tail[i] == '\n' {
				return tail[i+1:], nil
			}
		}
		if part == size || part > journal.MaxRecord {
			return tail, nil
		}
	}
}
