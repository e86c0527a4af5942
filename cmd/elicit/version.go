package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

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

// version is the version that the Go module system recorded for this build, "(unknown)" without one. For a build of a
// checkout, which has no version, the commit follows.
func version() string {
	build, ok := debug.ReadBuildInfo()
	if !ok || build.Main.Version == "" {
		return "(unknown)"
	}
	if build.Main.Version != "(devel)" {
		return build.Main.Version
	}
	text := build.Main.Version
	for _, s := range build.Settings {
		switch {
		case s.Key == "vcs.revision":
			text += " " + s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			text += ", changed"
		}
	}
	return text
}
