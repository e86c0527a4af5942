// Command elicit decides, asks and records what happens to a question that a program wants to ask a person.
//
// A family of verbs is a package below internal/verbs with a constructor for each verb: ask.NewAsk makes `elicit ask`.
// The families share package cli: exit codes, arguments, documents and output. They do not import one another.
// The verbs read flags and files, call the engine (package engine and what is below it) and print. They hold no rule
// of their own about what is safe. docs/reference/command.md describes every verb from the outside.
//
//	elicit proxy --policy user.json -- ./my-server
//
// Text from a server, a model or a file is untrusted. A verb prints it through ui.Plain, cli.Cell or cli.OneLine, and
// JSON through cli.JSONTo, so that it cannot move the cursor or hide in the terminal.
package main

import (
	"io"
	"os"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/verbs"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run executes one command line and returns its exit code. No function that run calls may call os.Exit, because tests
// call run in their own process.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Execute(verbs.NewRoot(), args, stdin, stdout, stderr)
}
