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
	return cli.Verb("explain", nil, func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			args = english.Codes()
		}
		for _, code := range args {
			list := english.Meanings(code)
			if len(list) == 0 {
				return fmt.Errorf("there is no code %q%s; `elicit explain` prints them all", code,
					cli.DidYouMean(code, english.Codes()))
			}
			for _, m := range list {
				fmt.Fprintf(cmd.OutOrStdout(), "%s (%s): %s\n  what to do: %s\n", code, m.Kind, m.Sentence, m.Remedy)
			}
		}
		return nil
	})
}

// NewVersion makes `elicit version`.
func NewVersion() *cobra.Command {
	return cli.Verb("version", cli.Args(0, 0, "it takes no arguments"), func(cmd *cobra.Command, _ []string) error {
		fmt.Fprintf(cmd.OutOrStdout(), "elicit version %s\n%s %s/%s\n", cli.Version(), runtime.Version(), runtime.GOOS,
			runtime.GOARCH)
		return nil
	})
}
