// Command elicit decides, asks and records what happens to a question that a program wants to ask a person.
//
// Each verb is one file with one constructor, which [newRootCommand] calls: newAskCommand in ask.go makes `elicit ask`.
// A verb with many parts has several files of the same prefix: guardian_test_command.go, guardian_test_report.go.
// The verbs read flags and files, call the engine (package engine and what is below it) and print. They hold no rule
// of their own about what is safe. docs/reference/command.md describes every verb from the outside.
//
//	elicit proxy --policy user.json -- ./my-server
//
// Text from a server, a model or a file is untrusted. A verb prints it through ui.Plain, cell or oneLine, and JSON
// through jsonTo, so that it cannot move the cursor or hide in the terminal.
package main

import (
	"io"
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run executes one command line and returns its exit code. No function that run calls may call os.Exit, because tests
// call run in their own process.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return execute(newRootCommand(), args, stdin, stdout, stderr)
}
