// Package policy holds `elicit policy` with its verbs, and `elicit decide`, which applies policies to one request.
package policy

import (
	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
)

// NewCommand makes `elicit policy`, whose verbs work on policy files. `elicit decide` applies a policy to a
// request.
func NewCommand() *cobra.Command {
	return cli.Family("policy", newPolicyInitCommand(), newPolicyFmtCommand(), newPolicyImportCommand(),
		newPolicyExportCommand(), newPolicyRecordCommand(), newPolicyShowCommand(), newPolicyTestCommand(),
		newPolicyCompareCommand())
}
