package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/journalfile"
)

// journalInput is a journal that a command reads line by line, with its name for messages.
type journalInput struct {
	name  string
	lines iter.Seq[[]byte] // can be read once; see journalfile.Lines
	err   error            // set when the lines end before the file does
	codes journalfile.Codes
	key   journalfile.Key
	file  io.Closer
}

// openJournal opens a journal for reading, or takes standard input when name is "-". When keyFile names a key, every
// record must have a code that was made with it.
func openJournal(cmd *cobra.Command, name, keyFile string) (*journalInput, error) {
	if name == "-" {
		return readJournal(cmd.InOrStdin(), "standard input", keyFile)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, cannotRead(name, err)
	}
	in, err := readJournal(f, name, keyFile)
	if err != nil {
		f.Close()
		return nil, err
	}
	in.file = f
	return in, nil
}

// readJournal takes a journal from a reader. The name is for messages.
func readJournal(from io.Reader, name, keyFile string) (*journalInput, error) {
	key, err := journalfile.ReadKey(keyFile)
	if err != nil {
		return nil, err
	}
	in := &journalInput{name: name, key: key}
	in.lines = journalfile.Lines(from, func(err error) { in.err = cannotRead(in.name, err) })
	in.lines = in.onlyJournal(in.lines)
	in.lines = key.Verify(in.lines, &in.codes, func(err error) { in.err = fmt.Errorf("%s: %w", in.name, err) })
	return in, nil
}

// recordBegin is how every record of a journal begins.
const recordBegin = `{"v":`

// compressions are the programs that people compress old journals with, and how their files begin.
var compressions = []struct{ program, begin string }{
	{"gzip", "\x1f\x8b"}, {"zstd", "\x28\xb5\x2f\xfd"}, {"xz", "\xfd7zXZ\x00"}, {"bzip2", "BZh"},
}

// compressed is an error if a text is compressed, which says what to do.
func compressed(name string, text []byte) error {
	for _, c := range compressions {
		if bytes.HasPrefix(text, []byte(c.begin)) {
			return fmt.Errorf("%s is compressed; make its text with `%s -d` first", name, c.program)
		}
	}
	return nil
}

// onlyJournal stops before a first line that is compressed, or has no end and does not begin as a record does: the file
// is no journal. A reader of journals would say that it was changed, or that its writer was stopped.
func (in *journalInput) onlyJournal(lines iter.Seq[[]byte]) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		first := true
		for line := range lines {
			if err := compressed(in.name, line); first && err != nil {
				in.err = err
				return
			}
			same := line[:min(len(line), len(recordBegin))]
			if first && !bytes.HasSuffix(line, []byte("\n")) && !strings.HasPrefix(recordBegin, string(same)) {
				in.err = fmt.Errorf("%s is not a journal: it does not begin with a record; "+
					"give the file of `elicit proxy --journal`", in.name)
				return
			}
			first = false
			if !yield(line) {
				return
			}
		}
	}
}

// verification says whether the codes of a journal were verified. It is "" for a journal without codes. The caller has
// read all lines.
func (in *journalInput) verification() string {
	switch {
	case !in.codes.Keyed:
		return ""
	case in.key == nil:
		return "keyed, not verified: give --journal-key"
	}
	return "keyed: every record was written with the key"
}

// addKeyFlag adds --journal-key to a verb that reads a journal.
func addKeyFlag(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "journal-key", "",
		"`file` with the key of the journal; every record must have been written with it")
}

// Close closes the file.
func (in *journalInput) Close() error {
	if in.file == nil {
		return nil
	}
	return in.file.Close()
}

// keyUsage is the usage text of --journal-key for verbs that write a journal.
const keyUsage = "`file` with a key of at least 32 bytes; nobody can forge records without the key"

var errKeyAlone = errors.New("--journal-key protects a journal; give --journal FILE with it")

// createJournal starts a journal. When keyFile names a key, each record gets a code made with it. A key that cannot be
// used is an error; createJournal never falls back to a journal without codes.
func createJournal(path, keyFile string) (*journalfile.File, error) {
	key, err := journalfile.ReadKey(keyFile)
	if err != nil {
		// The text alone, so that journalfile.Unwritable does not take a wrong command line for a full disk.
		return nil, fmt.Errorf("%s", err.Error())
	}
	return journalfile.Create(path, key)
}
