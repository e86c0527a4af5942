package journals

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journalfile"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/engine/drive"
)

// Writer is a journal that is closed at the end of the run.
type Writer interface {
	drive.Journal
	Close() error
}

// defaultJournal is a journal at the default place. Clients start servers all day, and most runs ask nothing. A journal
// without a question is removed at its end.
type defaultJournal struct {
	*journalfile.File
	asked bool
}

// CreateDefault starts a journal in the default directory. Names sort by age. It removes journals there that are
// beyond the bounds.
func CreateDefault(server, keyFile string, notes io.Writer) (*defaultJournal, error) {
	dir, err := places.Journals()
	if err != nil {
		return nil, err
	}
	var file *journalfile.File
	if err = os.MkdirAll(dir, 0o700); err == nil {
		name := time.Now().UTC().Format("20060102T150405Z") + "-" + FileWord(server) + ".jsonl"
		file, err = Create(filepath.Join(dir, name), keyFile)
	}
	Prune(dir, notes)
	if err != nil {
		return nil, err
	}
	return &defaultJournal{File: file}, nil
}

// FileWord makes a name of a server fit for the name of a file.
func FileWord(server string) string {
	word := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
			return c
		}
		return '-'
	}, server)
	if word = word[:min(len(word), 40)]; word == "" {
		return "server"
	}
	return word
}

func (j *defaultJournal) Append(record []byte) error {
	// A text of a peer cannot hold these bytes, because its quotes are escaped.
	j.asked = j.asked || bytes.Contains(record, []byte(`"event":"asked"`))
	return j.File.Append(record)
}

func (j *defaultJournal) Close() error {
	err := j.File.Close()
	if !j.asked {
		err = os.Remove(j.File.Name())
	}
	return err
}

// Kept lists the journals at the default place, that with the newest record first.
func Kept() (dir string, paths []string, err error) {
	if dir, err = places.Journals(); err != nil {
		return "", nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", nil, err
	}
	var found []fs.FileInfo
	for _, entry := range entries {
		if !entry.Type().IsRegular() || strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		if at, err := entry.Info(); err == nil { // else it was removed just now
			found = append(found, at)
		}
	}
	slices.SortFunc(found, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), cmp.Compare(b.Name(), a.Name()))
	})
	return dir, each.Of(found, func(at fs.FileInfo) string { return filepath.Join(dir, at.Name()) }), nil
}
