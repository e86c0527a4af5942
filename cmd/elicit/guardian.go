package main

import (
	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/plugins/guest"
)

// newGuardianCommand makes `elicit guardian`, whose verbs are for authors and operators of guardians.
func newGuardianCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "guardian",
		Short: "Write, inspect, test and pin guardians",
		Long: `Work on guardians: programs in WebAssembly that look at questions before they are
shown and at answers before they are sent (docs/guardians.md).`,
		Args: onlyVerbs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newGuardianNewCommand(), newGuardianInspectCommand(), newGuardianTestCommand(),
		newGuardianRunCommand(), newGuardianPinCommand(), newGuardianCheckCommand(),
		newGuardianQuestionCommand(), newGuardianCasesCommand(), newGuardianBenchCommand(), newGuardianDiffCommand())
	return cmd
}

// readGuest reads and checks a guardian's module, and prints its problems. It does not run the module.
func readGuest(cmd *cobra.Command, path string) (document, *guest.Module, error) {
	doc, err := readRegular(cmd, path)
	if err != nil {
		return doc, nil, err
	}
	m, problems := guest.Read(doc.text, guest.Options{WASI: true})
	if len(problems) > 0 {
		printModuleProblems(cmd, doc.name, problems)
		return doc, nil, errInvalid
	}
	return doc, m, nil
}
