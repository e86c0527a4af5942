// Package verbs makes the whole command of the families below it, and holds what needs all of them: `elicit man`, and
// the engine behind standard input of `elicit --stdio`.
package verbs

import (
	_ "embed"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/verbs/about"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/verbs/ask"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/verbs/grants"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/verbs/guardian"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/verbs/hook"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/verbs/hostkit"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/verbs/install"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/verbs/learn"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/verbs/lint"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/verbs/log"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/verbs/policy"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/verbs/proxy"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/verbs/replay"
	"github.com/elicit-engine/elicit/plugins/host"
)

// NewRoot makes the command with all its verbs.
func NewRoot() *cobra.Command {
	var stdio bool
	root := &cobra.Command{
		Use:           "elicit",
		Version:       cli.Version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		// The bare command prints the help.
		Args: cli.OnlyVerbs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if stdio {
				guests := host.NewGuests(rules.GuestOptions())
				defer guests.Close()
				return serveLines(cmd.InOrStdin(), cmd.OutOrStdout(), guests)
			}
			return cmd.Help()
		},
	}
	root.Flags().BoolVar(&stdio, "stdio", false,
		"be the engine for another program: read one call a line on stdin, write one answer a line on stdout"+
			" (docs/reference/abi.md)")
	root.SetFlagErrorFunc(cli.FlagError)
	// One line a verb; each verb is one file, and a section of help.txt.
	root.AddCommand(
		install.NewInstall(),
		install.NewUninstall(),
		install.NewStatus(),
		install.NewDoctor(),
		about.NewExplain(),
		ask.NewAnswer(),
		ask.NewAsk(),
		ask.NewCheck(),
		policy.NewDecide(),
		policy.NewCommand(),
		grants.NewCommand(),
		guardian.NewCommand(),
		guardian.NewReviewerCommand(),
		hook.NewCommand(),
		hostkit.NewCommand(),
		lint.NewCommand(),
		learn.NewCommand(),
		log.NewCommand(),
		NewMan(),
		ask.NewPage(),
		ask.NewPause(),
		replay.NewCommand(),
		proxy.NewCommand(),
		about.NewVersion(),
	)
	explain(root)
	return root
}

// helpText has a section for every verb. It begins with a line "# elicit VERB". Its usage follows, what it does in one
// line, and what `elicit help VERB` says. Its examples stand after a line "Examples:". {names} stands for a list that
// the verb knows.
//
//go:embed help.txt
var helpText string

// explain gives root and every verb below it the texts of helpText. A verb with a list has it in Long until then.
func explain(root *cobra.Command) {
	sections := map[string]string{}
	for section := range strings.SplitSeq("\n"+helpText, "\n# ") {
		path, text, _ := strings.Cut(section, "\n")
		sections[path] = text
	}
	explainWith(root, sections)
}

func explainWith(cmd *cobra.Command, sections map[string]string) {
	if section, is := sections[cmd.CommandPath()]; is {
		cmd.Use, section, _ = strings.Cut(section, "\n")
		cmd.Short, section, _ = strings.Cut(section+"\n", "\n")
		long, example, _ := strings.Cut("\n"+section, "\nExamples:\n")
		cmd.Long = strings.Replace(strings.TrimSpace(long), "{names}", cmd.Long, 1)
		cmd.Example = strings.Trim(example, "\n")
	}
	for _, verb := range cmd.Commands() {
		explainWith(verb, sections)
	}
}
