package main

import (
	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/plugins/host"
)

const rootHelp = `Elicit decides what happens to a question that a program wants to ask a person.

It runs between any MCP client and any MCP server, applies a policy, warns about
deceptive requests, draws the form, checks the answer and keeps a journal.

Exit codes: 0 fine or accepted, 1 wrong usage or failure, 2 an input has problems,
3 declined, a difference or a warning, 4 cancelled, 5 no terminal to ask on.`

func newRootCommand() *cobra.Command {
	var stdio bool
	root := &cobra.Command{
		Use:           "elicit",
		Short:         "Questions from programs to people, decided and answered safely",
		Long:          rootHelp,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		// The bare command prints the help.
		Args: onlyVerbs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if stdio {
				guests := host.NewGuests(host.Options{})
				defer guests.Close()
				return serveLines(cmd.InOrStdin(), cmd.OutOrStdout(), guests)
			}
			return cmd.Help()
		},
	}
	root.Flags().BoolVar(&stdio, "stdio", false,
		"be the engine for another program: read one call a line on stdin, write one answer a line on stdout"+
			" (docs/reference/abi.md)")
	root.SetFlagErrorFunc(flagError)
	// One line a verb; each verb is one file.
	root.AddCommand(
		newInstallCommand(),
		newUninstallCommand(),
		newStatusCommand(),
		newDoctorCommand(),
		newExplainCommand(),
		newAnswerCommand(),
		newAskCommand(),
		newCheckCommand(),
		newDecideCommand(),
		newPolicyCommand(),
		newGrantsCommand(),
		newGuardianCommand(),
		newHookCommand(),
		newLintCommand(),
		newLearnCommand(),
		newLogCommand(),
		newManCommand(),
		newPageCommand(),
		newReplayCommand(),
		newProxyCommand(),
		newVersionCommand(),
	)
	return root
}
