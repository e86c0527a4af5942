package ask

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/browser"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
)

// NewPage makes `elicit page`.
func NewPage() *cobra.Command {
	var asJSON bool
	cmd := cli.Verb("page", cli.Args(0, 1, "give the name of one server, or none for all"),
		func(cmd *cobra.Command, args []string) error {
			return printPages(cmd, args, asJSON)
		})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a line of JSON for each page: server, pid, waiting, open, link")
	return cmd
}

func printPages(cmd *cobra.Command, args []string, asJSON bool) error {
	pages, err := browser.Pages()
	printed := 0
	for _, p := range pages {
		if len(args) > 0 && p.Server != args[0] {
			continue
		}
		printed++
		if asJSON {
			cli.PrintJSON(cmd, p)
			continue
		}
		open := "no browser has the page open"
		if p.Open {
			open = "a browser has the page open"
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s (process %d): %s, %s\n  %s\n", ui.Plain(p.Server), p.PID,
			cli.Counted(p.Waiting, "question waits", "questions wait"), open, ui.Plain(p.Link))
	}
	switch {
	case err != nil:
		return err
	case printed == 0 && len(args) > 0:
		return fmt.Errorf("no running proxy of yours asks for a server named %q in a browser; "+
			"`elicit page` without a name prints all", args[0])
	case printed == 0:
		return errors.New("no running proxy of yours asks in a browser; start one with `elicit proxy --ui browser`")
	}
	return nil
}
