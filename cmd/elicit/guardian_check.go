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
		Long: `Check the arguments of --guardian before proxy and ask get them: files of grants,
modules, or directories of both. The command loads every module and asks it whether its
settings fit. It does not start a guardian that is a program. Then it prints for each
guardian in which phases it is asked, what it is shown, and what in its grant has no
effect.
Exit codes: 0 proxy and ask would accept it, 2 they would not, for the printed reasons.`,
		Example: "  elicit guardian check grants.json\n  elicit guardian check /etc/elicit/guardians --json",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("give files of grants, modules, or directories of both; `%s --help` shows the usage",
					cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"json", "wasm"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			g := guardians{paths: args}
			defer func() {
				if g.modules != nil {
					g.modules.Close()
				}
			}()
			if err := g.require(cmd); err != nil {
				return err
			}
			grants, _ := guardian.ReadGrants(gjson.ParseBytes(g.AppendJSON(nil))) // require has found no problem in them
			if asJSON {
				fmt.Fprintf(jsonTo(cmd), "%s\n", g.checkJSON(grants))
				return nil
			}
			for i, grant := range grants {
				g.printGrant(cmd.OutOrStdout(), g.list[i], grant)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: the grants as an engine reads them, and the notes")
	return cmd
}

func (g *guardians) checkJSON(grants []guardian.Grant) []byte {
	var notes []string
	for _, grant := range grants {
		for _, note := range g.notes(grant) {
			notes = append(notes, quoted(note))
		}
	}
	return appendObject(nil, []elicit.Arg{elicit.Raw("guardians", string(g.AppendJSON(nil))),
		elicit.Raw("notes", "["+strings.Join(notes, ",")+"]")})
}

// printGrant prints what a grant allows its guardian.
func (g *guardians) printGrant(w io.Writer, from grantSource, grant guardian.Grant) {
	line := func(what, format string, args ...any) {
		fmt.Fprintf(w, "%-9s %s\n", what, cell(fmt.Sprintf(format, args...)))
	}
	m, _, held := g.modules.Manifest(grant.Digest)
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
	audit := map[bool]string{true: ", in audit mode: its verdicts are recorded and decide nothing"}[grant.Audit]
	if grant.Data != "" {
		line("data", "the document of digest %s", grant.Data)
	}
	line("asked", "%s", strings.Join(phases, ", ")+audit)
	shown := false
	for _, p := range grant.Reads {
		if slices.ContainsFunc(grant.Declared.Reads, func(d guardian.Pattern) bool { return overlap(d, p) }) {
			secret := map[bool]string{true: ", also when it is secret"}[showsSecrets(p)]
			line(map[bool]string{false: "shown"}[shown], "%s%s", p, secret)
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

// showsSecrets reports whether a pattern shows a field of the answer also when it is secret. Only a pattern that names
// the field does, never a "*".
func showsSecrets(p guardian.Pattern) bool {
	name := guardian.AnswerMember(p.String())
	return name != "" && name != "*"
}

// notes lists what a grant allows without effect, and what the module declares without a grant.
func (g *guardians) notes(grant guardian.Grant) (notes []string) {
	notes = undeclaredReads(grant)
	for _, d := range grant.Declared.Reads {
		if !slices.ContainsFunc(grant.Reads, func(p guardian.Pattern) bool { return overlap(d, p) }) {
			notes = append(notes, fmt.Sprintf("%s declares that it reads %s, which is not granted", grant.Name, d))
		}
	}
	for _, p := range grant.Declared.Phases {
		if !grant.Due(p) {
			notes = append(notes, fmt.Sprintf("%s declares the phase %s, which is not granted", grant.Name, p))
		}
	}
	return notes
}
