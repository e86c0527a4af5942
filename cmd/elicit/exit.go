package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
)

// Exit codes. They are part of the command's contract: shell scripts branch on them.
const (
	exitFine       = 0
	exitFailed     = 1 // wrong usage, an unreadable file, a broken journal, anything unforeseen
	exitInvalid    = 2 // a schema, content, policy, request or answers file has problems
	exitDeclined   = 3 // the answer was an explicit no
	exitDiffers    = 3 // a policy or a guardian decides differently from a record or from its cases
	exitWarned     = 3 // a linter has warnings and no errors
	exitCancelled  = 4 // the question was dismissed, withdrawn or ran out of time
	exitNoTerminal = 5 // there was no terminal to ask on
)

// exitError is an error with the exit code of the process. When err is nil, run prints nothing, because the command has
// printed all messages itself.
type exitError struct {
	code int
	err  error
}

func (e exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e exitError) Unwrap() error { return e.err }

// exitWith ends a command with an exit code. With a nil err it prints nothing more.
func exitWith(code int, err error) error { return exitError{code, err} }

// execute executes one command line of root and returns the exit code. It prints the error.
func execute(root *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	if err == nil {
		return exitFine
	}
	if msg := err.Error(); msg != "" {
		fmt.Fprintln(stderr, "elicit: "+ui.Plain(msg))
	}
	var end exitError
	if errors.As(err, &end) {
		return end.code
	}
	return exitFailed
}
