package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
)

func newGuardianCheckCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check GRANTS…",
		Short: "Check grants, modules and settings without asking anybody",
		Long: `Check what proxy and ask would be given with --guardian: files of grants, modules, or
directories of both. Every module is loaded and asked whether its settings fit; a
guardian that is a program is not started. Then it says of each what it is shown,
when it is heard, and what of its grant has no effect.
Exit codes: 0 proxy and ask would take it, 2 they would not, for the reasons named.`,
		Example: "  elicit guardian check grants.json\n  elicit guardian check /etc/elicit/guardians --json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("give files of grants, modules, or directories of both")
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"json", "wasm"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			g := guardians{paths: args}
			defer func() {
				if g.shelf != nil {
					g.shelf.Close()
				}
			}()
			if err := g.require(cmd); err != nil {
				return err
			}
			grants, _ := guardian.ReadGrants(gjson.ParseBytes(g.AppendJSON(nil))) // require has read them
			if asJSON {
				fmt.Fprintf(jsonTo(cmd), "%s\n", g.checkJSON(grants))
				return nil
			}
			for i, grant := range grants {
				g.tell(cmd.OutOrStdout(), g.list[i], grant)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: the grants as an engine reads them, and what has no effect")
	return cmd
}

func (g *guardians) checkJSON(grants []guardian.Grant) []byte {
	var notes []string
	for _, grant := range grants {
		for _, note := range g.notes(grant) {
			notes = append(notes, quoted(note))
		}
	}
	return appendObject(nil, []elicit.Arg{elicit.Raw("guardians", string(g.AppendJSON(nil))), elicit.Raw("notes", "["+strings.Join(notes, ",")+"]")})
}

// tell says what a grant comes to.
func (g *guardians) tell(w io.Writer, from grantSource, grant guardian.Grant) {
	line := func(what, format string, args ...any) {
		fmt.Fprintf(w, "%-9s %s\n", what, cell(fmt.Sprintf(format, args...)))
	}
	m, _, held := g.shelf.Manifest(grant.Digest)
	kind := "a program"
	switch {
	case held:
		kind = "version " + m.Version
	case grant.Reviewer:
		kind = "a reviewer that is a program"
	}
	line("guardian", "%s, %s (%s%s)", grant.Name, kind, from.doc.name, from.at)
	if held {
		line("digest", "%s", grant.Digest)
	}
	var phases []string
	for _, p := range grant.Phases {
		phases = append(phases, string(p))
	}
	line("heard", "%s", strings.Join(phases, ", ")+map[bool]string{true: ", in audit mode: recorded and not counted"}[grant.Audit])
	shown := false
	for _, p := range grant.Reads {
		if slices.ContainsFunc(grant.Declared.Reads, func(d guardian.Pattern) bool { return alike(d, p) }) {
			line(map[bool]string{false: "shown"}[shown], "%s%s", p, map[bool]string{true: ", also when it is secret"}[uncovers(p)])
			shown = true
		}
	}
	if !shown {
		line("shown", "nothing of the question")
	}
	if held {
		line("fuel", "%d%s", grant.Fuel, map[bool]string{true: ", with WASI"}[grant.WASI])
	}
	for _, note := range g.notes(grant) {
		line("note", "%s", note)
	}
}

// uncovers reports whether a pattern names one field of the answer, which shows it also when it is secret.
func uncovers(p guardian.Pattern) bool {
	name := guardian.AnswerMember(p.String())
	return name != "" && name != "*"
}

// notes say what of a grant has no effect, and what the module asks for in vain.
func (g *guardians) notes(grant guardian.Grant) (notes []string) {
	notes = undeclared(grant)
	for _, d := range grant.Declared.Reads {
		if !slices.ContainsFunc(grant.Reads, func(p guardian.Pattern) bool { return alike(d, p) }) {
			notes = append(notes, fmt.Sprintf("%s declares to read %s, which is not granted", grant.Name, d))
		}
	}
	for _, p := range grant.Declared.Phases {
		if !grant.Due(p) {
			notes = append(notes, fmt.Sprintf("%s declares the phase %s, which is not granted", grant.Name, p))
		}
	}
	return notes
}
