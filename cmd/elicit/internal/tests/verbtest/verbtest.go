// Package verbtest runs one verb of the command in the process of a test.
package verbtest

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
)

// Run executes a command line of a command that has one verb. It returns the exit code. A nil stdin is empty.
func Run(verb *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if stdin == nil {
		stdin = strings.NewReader("")
	}
	root := &cobra.Command{Use: "elicit", SilenceUsage: true, SilenceErrors: true}
	root.AddCommand(verb)
	root.SetFlagErrorFunc(cli.FlagError)
	return cli.Execute(root, args, stdin, stdout, stderr)
}
