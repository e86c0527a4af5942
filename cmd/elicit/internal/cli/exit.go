// Package cli holds what all verbs of the command share: exit codes, checks of arguments and flags, documents that a
// verb reads, and the ways in which it prints text and JSON. It knows no verb.
package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
)

// Exit codes. They are part of the command's contract: shell scripts branch on them.
const (
	Fine       = 0
	Failed     = 1 // wrong usage, an unreadable file, a broken journal, anything unforeseen
	Invalid    = 2 // a schema, content, policy, request or answers file has problems
	Declined   = 3 // the answer was an explicit no
	Differs    = 3 // a policy or a guardian decides differently from a record or from its cases
	Warned     = 3 // a linter has warnings and no errors
	Cancelled  = 4 // the question was dismissed, withdrawn or ran out of time
	NoTerminal = 5 // there was no terminal to ask on
)

// Error is an error with the exit code of the process. When err is nil, run prints nothing, because the command has
// printed all messages itself.
type Error struct {
	Code int
	err  error
}

func (e Error) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e Error) Unwrap() error { return e.err }

// Exit ends a command with an exit code. With a nil err it prints nothing more.
func Exit(code int, err error) error { return Error{code, err} }

// Execute executes one command line of root and returns the exit code. It prints the error.
func Execute(root *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteC()
	if err == nil {
		return Fine
	}
	if missing, is := strings.CutPrefix(err.Error(), "required flag(s) "); is { // words of cobra
		missing, _, _ = strings.Cut(missing, " not set")
		missing = "--" + strings.NewReplacer(`"`, "", ", ", " and --").Replace(missing)
		err = fmt.Errorf("give %s; `%s --help` shows the flags", missing, cmd.CommandPath())
	}
	if msg := err.Error(); msg != "" {
		fmt.Fprintln(stderr, "elicit: "+ui.Plain(msg))
	}
	var end Error
	if errors.As(err, &end) {
		return end.Code
	}
	return Failed
}
