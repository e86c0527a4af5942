package main

import (
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
	file  io.Closer
}

// openJournal opens a journal to be read, or takes standard input when name is "-".
func openJournal(cmd *cobra.Command, name string) (*journalInput, error) {
	in := &journalInput{name: "standard input"}
	from := cmd.InOrStdin()
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, cannotRead(name, err)
		}
		in.name, in.file, from = name, f, f
	}
	in.lines = journalfile.Lines(from, func(err error) { in.err = cannotRead(in.name, err) })
	return in, nil
}

// Close closes the file.
func (in *journalInput) Close() error {
	if in.file == nil {
		return nil
	}
	return in.file.Close()
}
