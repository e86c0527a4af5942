package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/verbs/policy/internal/hostrules"
	"github.com/elicit-engine/elicit/engine/policy"
)

func newPolicyExportCommand() *cobra.Command {
	var layers rules.Layers
	var host string
	words := strings.Join(hostrules.Hosts(), ", ")
	cmd := cli.Verb("export", cli.Args(0, 0, "give the agent with --host"), func(cmd *cobra.Command, _ []string) error {
		if !slices.Contains(hostrules.Hosts(), host) {
			return fmt.Errorf("--host is %s%s; give one of %s", cli.Quoted(host),
				cli.DidYouMean(host, hostrules.Hosts()), words)
		}
		layers.UseDefaultPlaces()
		if err := layers.Require(cmd); err != nil {
			return err
		}
		all := layers.Policies()
		docs := each.Of(policy.Layers(), func(l policy.Layer) []byte { return *rules.PolicyOf(&all, l) })
		text, notes := hostrules.Write(host, docs, layers.Stack())
		for _, note := range notes {
			fmt.Fprintln(cmd.ErrOrStderr(), "elicit policy export: left out "+ui.Plain(note))
		}
		_, err := fmt.Fprint(cmd.OutOrStdout(), text)
		return err
	})
	cmd.Long = words
	layers.AddFlags(cmd)
	cmd.Flags().StringVar(&host, "host", "", "the `agent`: "+words)
	cli.CompleteFlag(cmd, "host", hostrules.Hosts()...)
	return cmd
}
