package main

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/grantfile"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// grants is `elicit grants`.
type grants struct {
	path      string
	json, all bool
}

func newGrantsCommand() *cobra.Command {
	var g grants
	cmd := &cobra.Command{
		Use:   "grants",
		Short: "List and revoke what you agreed to always",
		Long: `Work on the grants that hold always: questions you agreed to in the proxy with
"Accept always", where policy allows that. Each is bound to exactly what was asked
and to the program that asked it.
A proxy that is running hears of a revocation before its next question.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("there is no command %q; `elicit help grants` lists them", "grants "+args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&g.path, "grants", "", "`file` of grants; elicit/grants.json in your configuration directory")
	list := &cobra.Command{Use: "list", Short: "List the grants", Args: cobra.NoArgs, RunE: g.list,
		Long: "List the grants, oldest first: id, server, tool, until when, and what was asked. The\nline below says which program with which arguments the grant answers."}
	list.Flags().BoolVar(&g.json, "json", false, "print the file's JSON")
	revoke := &cobra.Command{Use: "revoke ID…", Short: "Revoke grants", RunE: g.revoke,
		Long:    "Revoke grants by their ids, of which the beginning is enough where it names one.",
		Example: "  elicit grants revoke 3f2a\n  elicit grants revoke --all"}
	revoke.Flags().BoolVar(&g.all, "all", false, "revoke every grant")
	cmd.AddCommand(list, revoke)
	return cmd
}

func (g *grants) open() (*grantfile.File, []engine.Grant, error) {
	path := g.path
	if path == "" {
		var err error
		if path, err = grantfile.Default(); err != nil {
			return nil, nil, err
		}
	}
	file, list, err := grantfile.Open(path)
	if err != nil {
		return nil, nil, ending{exitInvalid, err}
	}
	return file, list, nil
}

func (g *grants) list(cmd *cobra.Command, _ []string) error {
	_, list, err := g.open()
	if err != nil {
		return err
	}
	if g.json {
		fmt.Fprintf(jsonTo(cmd), "%s\n", engine.AppendGrants(nil, list))
		return nil
	}
	for _, grant := range list {
		until := "always"
		if grant.ExpiresAt != 0 {
			until = "until " + time.UnixMilli(grant.ExpiresAt).Format("2006-01-02 15:04")
		}
		who := cell(grant.Server)
		if grant.Tool != "" {
			who += "/" + cell(grant.Tool)
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s  %s  %s  %s\n    %s\n", grant.ID, who, until, cell(grant.Message), bound(grant))
	}
	return nil
}

// bound says which server a grant answers.
func bound(grant engine.Grant) string {
	if grant.Identity == "" {
		return "answers no server of elicit proxy: it was given before grants named the program; " +
			"accept the question always again"
	}
	return "answers only " + cell(grant.Identity)
}

func (g *grants) revoke(cmd *cobra.Command, names []string) error {
	if len(names) == 0 && !g.all {
		return errors.New("name the grants to revoke; `elicit grants list` shows their ids, --all takes every one")
	}
	file, list, err := g.open()
	if err != nil {
		return err
	}
	var gone []elicit.ID
	for _, name := range names {
		id, err := named(list, name)
		if err != nil {
			return err
		}
		gone = append(gone, id)
	}
	removed, err := file.Remove(func(grant engine.Grant) bool { return g.all || slices.Contains(gone, grant.ID) })
	if err != nil {
		return err
	}
	for _, grant := range removed {
		fmt.Fprintf(cmd.OutOrStdout(), "revoked %s  %s\n", grant.ID, cell(grant.Message))
	}
	return nil
}

// named finds the one grant whose id begins with name.
func named(list []engine.Grant, name string) (elicit.ID, error) {
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
		return "", fmt.Errorf("there is no grant %q; `elicit grants list` shows them", name)
	}
	return "", fmt.Errorf("%d grants begin with %q; give more of the id", len(found), name)
}
