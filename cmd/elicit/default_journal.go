package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/journalfile"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/engine/drive"
)

// keptJournal is a journal that is closed at the end of the run.
type keptJournal interface {
	drive.Journal
	Close() error
}

// defaultJournal is a journal at the default place. Clients start servers all day, and most runs ask nothing. A journal
// without a question is removed at its end.
type defaultJournal struct {
	*journalfile.File
	asked bool
}

// createDefaultJournal starts a journal in the default directory. Names sort by age. It removes journals there that are
// beyond the bounds.
func createDefaultJournal(server, keyFile string, notes io.Writer) (*defaultJournal, error) {
	dir, err := places.Journals()
	if err != nil {
		return nil, err
	}
	file, err := createJournalIn(dir, "20060102T150405Z", server, keyFile)
	pruneJournals(dir, notes)
	if err != nil {
		return nil, err
	}
	return &defaultJournal{File: file}, nil
}

// createJournalIn starts a journal in a directory, which it makes if it is missing. The journal's name has the time in
// the layout.
func createJournalIn(dir, layout, server, keyFile string) (*journalfile.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	name := time.Now().UTC().Format(layout) + "-" + fileWord(server) + ".jsonl"
	return createJournal(filepath.Join(dir, name), keyFile)
}

// fileWord makes a name of a server fit for the name of a file.
func fileWord(server string) string {
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
