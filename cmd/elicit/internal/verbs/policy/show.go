package policy

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/layout"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/policy"
)

func newPolicyShowCommand() *cobra.Command {
	var layers rules.Layers
	cmd := cli.Verb("show", cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		layers.UseDefaultPlaces()
		if err := layers.Require(cmd); err != nil {
			return err
		}
		showPolicies(cmd.OutOrStdout(), &layers)
		return nil
	})
	layers.AddFlags(cmd)
	return cmd
}

func showPolicies(w io.Writer, layers *rules.Layers) {
	texts := layers.Policies()
	for i, layer := range policy.Layers() {
		if layers.Files[i] != "" {
			fmt.Fprintf(w, "%s: %s\n%s\n", layer, ui.Plain(layers.Files[i]), layout.Policy(*rules.PolicyOf(&texts, layer)))
		}
	}
	if !layers.Found() {
		fmt.Fprintln(w, "No policy is in force. `elicit policy init` writes one.")
		return
	}
	fmt.Fprintf(w, "%s: part of Elicit\n  %s asks about what may change, end or go around what asks you: Elicit's own\n"+
		"  files and processes, settings of agents, agents that ask nobody. Only a rule of the managed\n"+
		"  policy accepts that.\n", policy.Builtin, policy.SelfProtection)
}
