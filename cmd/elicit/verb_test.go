package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// runVerb executes a command line of a command that has one verb. It returns the exit code.
func runVerb(verb *cobra.Command, args []string, stdout, stderr io.Writer) int {
	root := &cobra.Command{Use: "elicit", SilenceUsage: true, SilenceErrors: true}
	root.AddCommand(verb)
	root.SetFlagErrorFunc(flagError)
	return execute(root, args, strings.NewReader(""), stdout, stderr)
}
