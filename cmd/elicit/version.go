package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long:  "Print the version of this program, the Go version that built it, and the system it was built for.",
		Args:  argCount(0, 0, "it takes no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			fmt.Fprintf(cmd.OutOrStdout(), "elicit version %s\n%s %s/%s\n", version(), runtime.Version(), runtime.GOOS,
				runtime.GOARCH)
			return nil
		},
	}
}
