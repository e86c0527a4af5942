// Package journals opens, creates and keeps the journals that verbs read and write. Package journalfile below it knows
// files and keys; this package knows flags, default places and messages.
package journals

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journalfile"
)

// Input is a journal that a command reads line by line, with its name for messages.
type Input struct {
	Name  string
	Lines iter.Seq[[]byte] // can be read once; see journalfile.Lines
	Err   error            // set when the lines end before the file does
	Codes journalfile.Codes
	Key   journalfile.Key
	File  io.Closer
}

// Open opens a journal for reading, or takes standard input when name is "-". When keyFile names a key, every
// record must have a code that was made with it.
func Open(cmd *cobra.Command, name, keyFile string) (*Input, error) {
	if name == "-" {
		return Read(cmd.InOrStdin(), "standard input", keyFile)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, cli.CannotRead(name, err)
	}
	in, err := Read(f, name, keyFile)
	if err != nil {
		f.Close()
		return nil, err
	}
	in.File = f
	return in, nil
}

// Read takes a journal from a reader. The name is for messages.
func Read(from io.Reader, name, keyFile string) (*Input, error) {
	key, err := journalfile.ReadKey(keyFile)
	if err != nil {
		return nil, err
	}
	in := &Input{Name: name, Key: key}
	in.Lines = journalfile.Lines(from, func(err error) { in.Err = cli.CannotRead(in.Name, err) })
	in.Lines = in.onlyJournal(in.Lines)
	in.Lines = key.Verify(in.Lines, &in.Codes, func(err error) { in.Err = fmt.Errorf("%s: %w", in.Name, err) })
	return in, nil
}

// RecordBegin is how every record of a journal begins.
const RecordBegin = `{"v":`

// compressions are the programs that people compress old journals with, and how their files begin.
var compressions = []struct{ program, begin string }{
	{"gzip", "\x1f\x8b"}, {"zstd", "\x28\xb5\x2f\xfd"}, {"xz", "\xfd7zXZ\x00"}, {"bzip2", "BZh"},
}

// Compressed is an error if a text is compressed, which says what to do.
func Compressed(name string, text []byte) error {
	for _, c := range compressions {
		if bytes.HasPrefix(text, []byte(c.begin)) {
			return fmt.Errorf("%s is compressed; make its text with `%s -d` first", name, c.program)
		}
	}
	return nil
}

// onlyJournal stops before a first line that is compressed, or has no end and does not begin as a record does: the file
// is no journal. A reader of journals would say that it was changed, or that its writer was stopped.
func (in *Input) onlyJournal(lines iter.Seq[[]byte]) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		first := true
		for line := range lines {
			if err := Compressed(in.Name, line); first && err != nil {
				in.Err = err
				return
			}
			same := line[:min(len(line), len(RecordBegin))]
			if first && !bytes.HasSuffix(line, []byte("\n")) && !strings.HasPrefix(RecordBegin, string(same)) {
				in.Err = fmt.Errorf("%s is not a journal: it does not begin with a record; "+
					"give the file of `elicit proxy --journal`", in.Name)
				return
			}
			first = false
			if !yield(line) {
				return
			}
		}
	}
}

// Verification says whether the codes of a journal were verified. It is "" for a journal without codes. The caller has
// read all lines.
func (in *Input) Verification() string {
	switch {
	case !in.Codes.Keyed:
		return ""
	case in.Key == nil:
		return "keyed, not verified: give --journal-key"
	}
	return "keyed: every record was written with the key"
}

// AddKeyFlag adds --journal-key to a verb that reads a journal.
func AddKeyFlag(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "journal-key", "",
		"`file` with the key of the journal; every record must have been written with it")
}

// Close closes the file.
func (in *Input) Close() error {
	if in.File == nil {
		return nil
	}
	return in.File.Close()
}

// KeyUsage is the usage text of --journal-key for verbs that write a journal.
const KeyUsage = "`file` with a key of at least 32 bytes; nobody can forge records without the key"

// ErrKeyAlone is the error for a key without a journal.
var ErrKeyAlone = errors.New("--journal-key protects a journal; give --journal FILE with it")

// Create starts a journal. When keyFile names a key, each record gets a code made with it. A key that cannot be
// used is an error; Create never falls back to a journal without codes.
func Create(path, keyFile string) (*journalfile.File, error) {
	key, err := journalfile.ReadKey(keyFile)
	if err != nil {
		// The text alone, so that journalfile.Unwritable does not take a wrong command line for a full disk.
		return nil, fmt.Errorf("%s", err.Error())
	}
	return journalfile.Create(path, key)
}
