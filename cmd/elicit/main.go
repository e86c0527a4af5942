// Command elicit stands between a program that asks and a person who answers.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
)

// Exit codes. They are part of the command's contract: shell scripts branch on them.
const (
	exitFine       = 0
	exitFailed     = 1 // wrong usage, an unreadable file, a broken journal, anything unforeseen
	exitInvalid    = 2 // a schema, content, policy, request or answers file has problems
	exitDeclined   = 3 // the answer was an explicit no
	exitDiffers    = 3 // a policy decides otherwise than was recorded, or than its cases want
	exitWarned     = 3 // a linter has warnings and no errors
	exitCancelled  = 4 // the question was dismissed, withdrawn or ran out of time
	exitNoTerminal = 5 // there was no terminal to ask on
)

// ending is an error that knows the exit code it deserves. A nil err ends quietly: everything has been said.
type ending struct {
	code int
	err  error
}

func (e ending) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e ending) Unwrap() error { return e.err }

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run executes one command line and returns its exit code. Nothing below it calls os.Exit.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRootCommand()
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
	var end ending
	if errors.As(err, &end) {
		return end.code
	}
	return exitFailed
}
