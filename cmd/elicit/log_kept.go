package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
)

// printKept prints the journals at the default place. It goes on after a broken one, and fails at the end.
func (l *logCommand) printKept(cmd *cobra.Command) error {
	dir, paths, err := keptJournals()
	if err != nil {
		return err
	}
	words := !l.view.json && l.view.tally == nil && l.view.page == nil
	if len(paths) == 0 && !l.view.json {
		fmt.Fprintf(cmd.OutOrStdout(), "There is no journal in %s yet.\n", cell(shortPath(dir)))
	}
	broken := 0
	for _, path := range paths {
		if words {
			fmt.Fprintf(cmd.OutOrStdout(), "── %s\n", cell(shortPath(path)))
		}
		if err := l.printOne(cmd, path, nil); err != nil {
			broken++
			fmt.Fprintln(cmd.ErrOrStderr(), ui.Plain(err.Error()))
		}
		if words {
			fmt.Fprintln(cmd.OutOrStdout())
		}
	}
	if broken > 0 {
		return fmt.Errorf("%s; the lines above say why", counted(broken, "journal is not whole", "journals are not whole"))
	}
	return nil
}
