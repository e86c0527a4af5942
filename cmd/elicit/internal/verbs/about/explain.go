// Package about holds the verbs that tell about Elicit itself: `elicit explain` tells what a code means, and
// `elicit version` which version this is.
package about

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/engine/english"
)

// NewExplain makes `elicit explain`.
func NewExplain() *cobra.Command {
	return &cobra.Command{
		Use:   "explain [CODE...]",
		Short: "Say what a code means, and what to do about it",
		Long: `Say what a code means, and what to do about it. Without a code it prints all of them.

Journals, replies, verdicts and --json carry codes: a problem says that an input is wrong, a reason
why a decision was made, a finding what is risky, a remark what a schema's author can do better, a
cause who settled a question, a fault why a guardian gave no verdict, a status how a call of an
interface went. A name in braces stands for the argument of that name. A part in square brackets is
left out without its argument. Codes are the contract; sentences may change with any release.`,
		Example: `  elicit explain rate_limited
  elicit explain | less`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = english.Codes()
			}
			for _, code := range args {
				list := english.Meanings(code)
				if len(list) == 0 {
					return fmt.Errorf("there is no code %q%s", code, cli.DidYouMean(code, english.Codes()))
				}
				for _, m := range list {
					fmt.Fprintf(cmd.OutOrStdout(), "%s (%s): %s\n  what to do: %s\n", code, m.Kind, m.Sentence, m.Remedy)
				}
			}
			return nil
		},
	}
}

// NewVersion makes `elicit version`.
func NewVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long:  "Print the version of this program, the Go version that built it, and the system it was built for.",
		Args:  cli.Args(0, 0, "it takes no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			fmt.Fprintf(cmd.OutOrStdout(), "elicit version %s\n%s %s/%s\n", cli.Version(), runtime.Version(), runtime.GOOS,
				runtime.GOARCH)
			return nil
		},
	}
}
