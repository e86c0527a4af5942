// Package guardian holds `elicit guardian` and its verbs, with which an author tests, measures and permits a guardian.
package guardian

import (
	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/plugins/guest"
)

// NewCommand makes `elicit guardian`, whose verbs are for authors and operators of guardians.
func NewCommand() *cobra.Command {
	return cli.Family("guardian", newGuardianAddCommand(), newGuardianRulesCommand(), newGuardianNewCommand(),
		newGuardianInspectCommand(), newGuardianTestCommand(), newGuardianRunCommand(), newGuardianPinCommand(),
		newGuardianCheckCommand(), newGuardianQuestionCommand(), newGuardianCasesCommand(), newGuardianBenchCommand(),
		newGuardianDiffCommand())
}

// readGuest reads and checks a guardian's module, and prints its problems. It does not run the module.
func readGuest(cmd *cobra.Command, path string) (cli.Document, *guest.Module, error) {
	doc, err := cli.ReadRegular(cmd, path)
	if err != nil {
		return doc, nil, err
	}
	m, problems := guest.Read(doc.Text, guest.Options{WASI: true})
	if len(problems) > 0 {
		rules.PrintModuleProblems(cmd, doc.Name, problems)
		return doc, nil, cli.ErrInvalid
	}
	return doc, m, nil
}
