package guardian

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
)

func newGuardianCheckCommand() *cobra.Command {
	var asJSON bool
	cmd := cli.Verb("check", func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("give files of permits, modules, or directories of both; `%s --help` shows the usage",
				cmd.CommandPath())
		}
		return nil
	}, func(cmd *cobra.Command, args []string) error {
		g := rules.Guardians{Paths: args}
		defer g.Close()
		if err := g.Require(cmd); err != nil {
			return err
		}
		permits, _ := guardian.ReadPermits(gjson.ParseBytes(g.AppendJSON(nil))) // require has found no problem in them
		if asJSON {
			fmt.Fprintf(cli.JSONTo(cmd), "%s\n", checkJSON(&g, permits))
			return nil
		}
		for i, permit := range permits {
			printPermit(cmd.OutOrStdout(), &g, g.List[i], permit)
		}
		return nil
	})
	cmd.ValidArgsFunction = cobra.FixedCompletions([]string{"json", "wasm"}, cobra.ShellCompDirectiveFilterFileExt)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: the permits as an engine reads them, and the notes")
	return cmd
}

func checkJSON(g *rules.Guardians, permits []guardian.Permit) []byte {
	var notes []string
	for _, permit := range permits {
		notes = append(notes, notesOn(permit)...)
	}
	return cli.AppendObject(nil, []elicit.Arg{elicit.Raw("guardians", string(g.AppendJSON(nil))),
		elicit.Raw("notes", cli.JSONStrings(notes))})
}

// printPermit prints what a permit allows its guardian.
func printPermit(w io.Writer, g *rules.Guardians, from rules.PermitSource, permit guardian.Permit) {
	line := func(what, format string, args ...any) {
		fmt.Fprintf(w, "%-9s %s\n", what, cli.Cell(fmt.Sprintf(format, args...)))
	}
	m, _, held := g.Modules.Manifest(permit.Digest)
	kind := "a program"
	switch {
	case held:
		kind = "version " + m.Version
	case permit.Reviewer:
		kind = "a reviewer that is a program"
	}
	line("guardian", "%s, %s (%s%s)", permit.Name, kind, from.Doc.Name, from.At)
	if held {
		line("digest", "%s", permit.Digest)
	}
	audit := map[bool]string{true: ", in audit mode: its verdicts are recorded and decide nothing"}[permit.Audit]
	if permit.Data != "" {
		line("data", "the document of digest %s", permit.Data)
	}
	line("asked", "%s", strings.Join(phasesOf(permit.Phases), ", ")+audit)
	shown := false
	for _, p := range permit.Reads {
		if slices.ContainsFunc(permit.Declared.Reads, func(d guardian.Pattern) bool { return overlap(d, p) }) {
			secret := map[bool]string{true: ", also when it is secret"}[showsSecrets(p)]
			line(map[bool]string{false: "shown"}[shown], "%s%s", p, secret)
			shown = true
		}
	}
	if !shown {
		line("shown", "nothing of the question")
	}
	if held {
		line("fuel", "%d%s", permit.Fuel, map[bool]string{true: ", with WASI"}[permit.WASI])
	}
	for _, note := range notesOn(permit) {
		line("note", "%s", note)
	}
}

// showsSecrets reports whether a pattern shows a field of the answer also when it is secret. Only a pattern that names
// the field does, never a "*".
func showsSecrets(p guardian.Pattern) bool {
	name := guardian.AnswerMember(p.String())
	return name != "" && name != "*"
}

// notesOn lists what a permit allows without effect, and what the module declares without a permit.
func notesOn(permit guardian.Permit) (notes []string) {
	notes = undeclaredReads(permit)
	for _, d := range permit.Declared.Reads {
		if !slices.ContainsFunc(permit.Reads, func(p guardian.Pattern) bool { return overlap(d, p) }) {
			notes = append(notes, fmt.Sprintf("%s declares that it reads %s, which is not permitted", permit.Name, d))
		}
	}
	for _, p := range permit.Declared.Phases {
		if !permit.Due(p) {
			notes = append(notes, fmt.Sprintf("%s declares the phase %s, which is not permitted", permit.Name, p))
		}
	}
	return notes
}
