package main

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/journalfile"
)

// journalInput is a journal that is read line by line, with the name that messages about it use.
type journalInput struct {
	name  string
	lines iter.Seq[[]byte] // once; see journalfile.Lines
	err   error            // why the lines ended before the file did
	codes journalfile.Codes
	key   journalfile.Key
	file  io.Closer
}

// openJournal opens a journal to be read, or takes standard input when name is "-". With the file of a key every record must
// have its code.
func openJournal(cmd *cobra.Command, name, keyFile string) (*journalInput, error) {
	key, err := journalfile.ReadKey(keyFile)
	if err != nil {
		return nil, err
	}
	in := &journalInput{name: "standard input", key: key}
	from := cmd.InOrStdin()
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, cannotRead(name, err)
		}
		in.name, in.file, from = name, f, f
	}
	in.lines = journalfile.Lines(from, func(err error) { in.err = cannotRead(in.name, err) })
	in.lines = key.Verify(in.lines, &in.codes, func(err error) { in.err = fmt.Errorf("%s: %w", in.name, err) })
	return in, nil
}

// keyed says what is known of the codes of a journal that has been read, "" when it has none.
func (in *journalInput) keyed() string {
	switch {
	case !in.codes.Keyed:
		return ""
	case in.key == nil:
		return "keyed, not verified: give --journal-key"
	}
	return "keyed: every record was written with the key"
}

// addKeyFlag adds --journal-key for verbs that read a journal.
func addKeyFlag(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "journal-key", "", "`file` with the key of the journal; every record must have been written with it")
}

// Close closes the file.
func (in *journalInput) Close() error {
	if in.file == nil {
		return nil
	}
	return in.file.Close()
}

const keyUsage = "`file` with a key of at least 32 bytes; records are then written so that nobody without it can forge them"

var errKeyAlone = errors.New("--journal-key needs --journal; without a journal there is nothing to protect")

// createJournal begins a journal, keyed when there is the file of a key. A key that cannot be used is an error, never a
// journal without one.
func createJournal(path, keyFile string) (*journalfile.File, error) {
	key, err := journalfile.ReadKey(keyFile)
	if err != nil {
		return nil, fmt.Errorf("%s", err.Error()) // no path error: an unusable key is a wrong command line, not a full disk
	}
	return journalfile.Create(path, key)
}
