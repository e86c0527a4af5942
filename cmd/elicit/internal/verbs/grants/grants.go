// Package grants holds `elicit grants`, which lists and removes answers that hold always.
package grants

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/grantfile"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// grantsCommand holds the flags of `elicit grants` and its verbs.
type grantsCommand struct {
	path      string
	json, all bool
}

// NewCommand makes `elicit grants`.
func NewCommand() *cobra.Command {
	var g grantsCommand
	cmd := cli.Family("grants")
	cmd.PersistentFlags().StringVar(&g.path, "grants", "",
		"`file` of grants; by default elicit/grants.json in your configuration directory")
	list := cli.Verb("list", cobra.NoArgs, g.list)
	list.Flags().BoolVar(&g.json, "json", false, "print the file's JSON")
	revoke := cli.Verb("revoke", nil, g.revoke)
	revoke.Flags().BoolVar(&g.all, "all", false, "revoke every grant")
	cmd.AddCommand(list, revoke)
	return cmd
}

func (g *grantsCommand) open() (*grantfile.File, []elicit.Grant, error) {
	path, err := places.Grants(g.path)
	if err != nil {
		return nil, nil, err
	}
	file, list, err := grantfile.Open(path)
	if err != nil {
		return nil, nil, cli.Exit(cli.Invalid, err)
	}
	return file, list, nil
}

func (g *grantsCommand) list(cmd *cobra.Command, _ []string) error {
	_, list, err := g.open()
	if err != nil {
		return err
	}
	if g.json {
		fmt.Fprintf(cli.JSONTo(cmd), "%s\n", engine.AppendGrants(nil, list))
		return nil
	}
	if len(list) == 0 {
		fmt.Fprintln(cmd.OutOrStdout(), "There are no grants: you have answered no question with \"Accept always\".")
	}
	for _, grant := range list {
		until := "always"
		if grant.ExpiresAt != 0 {
			until = "until " + time.UnixMilli(grant.ExpiresAt).Format("2006-01-02 15:04")
		}
		who := cli.Cell(grant.Server)
		if grant.Tool != "" {
			who += "/" + cli.Cell(grant.Tool)
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s  %s  %s  %s\n    %s\n",
			grant.ID, who, until, cli.Cell(grant.Message), boundTo(grant))
	}
	return nil
}

// boundTo describes the server that a grant answers.
func boundTo(grant elicit.Grant) string {
	if grant.Identity == "" {
		return "answers no server of elicit proxy, because it is older than grants that name the program; " +
			"choose \"Accept always\" again"
	}
	return "answers only " + cli.Cell(grant.Identity)
}

func (g *grantsCommand) revoke(cmd *cobra.Command, names []string) error {
	if len(names) == 0 && !g.all {
		return errors.New("give the ids of the grants to revoke, or --all; `elicit grants list` shows the ids")
	}
	file, list, err := g.open()
	if err != nil {
		return err
	}
	var gone []elicit.ID
	for _, name := range names {
		id, err := grantByPrefix(list, name)
		if err != nil {
			return err
		}
		gone = append(gone, id)
	}
	removed, err := file.Remove(func(grant elicit.Grant) bool { return g.all || slices.Contains(gone, grant.ID) })
	if err != nil {
		return err
	}
	for _, grant := range removed {
		fmt.Fprintf(cmd.OutOrStdout(), "revoked %s  %s\n", grant.ID, cli.Cell(grant.Message))
	}
	return nil
}

// grantByPrefix finds the one grant whose id begins with name.
func grantByPrefix(list []elicit.Grant, name string) (elicit.ID, error) {
	var found []elicit.ID
	for _, grant := range list {
		if len(name) > 0 && len(name) <= len(grant.ID) && string(grant.ID[:len(name)]) == name {
			found = append(found, grant.ID)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", fmt.Errorf("no grant has an id that begins with %q; `elicit grants list` shows the ids", name)
	}
	return "", fmt.Errorf("%d grants have ids that begin with %q; give more characters of the id", len(found), name)
}
