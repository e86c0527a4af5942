package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
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
		var docs [][]byte
		for _, layer := range policy.Layers() {
			docs = append(docs, *rules.PolicyOf(&all, layer))
		}
		text, notes := hostrules.Write(host, docs, layers.Stack())
		for _, note := range notes {
			fmt.Fprintln(cmd.ErrOrStderr(), "elicit policy export: left out "+ui.Plain(note))
		}
		_, err := fmt.Fprint(cmd.OutOrStdout(), text)
		return err
	})
	cmd.Long = `Write the rules of your policy that ask, decline or cancel as the own rules of HOST, so
that they hold where its hook fails: ` + words + `.

Only what HOST can say is written, and nothing that would accept. Stderr lists what was
left out, and why. Keep the hook: the own rules of an agent see less.

  claude-code  permissions, to be merged into ~/.claude/settings.json
  codex        rules, for ~/.codex/rules/elicit.rules
  gemini       a policy, for ~/.gemini/policies/elicit.toml

Without --policy and --user, the policy is the one of elicit proxy. The managed policy of
this machine always counts.`
	layers.AddFlags(cmd)
	cmd.Flags().StringVar(&host, "host", "", "the `agent`: "+words)
	cli.CompleteFlag(cmd, "host", hostrules.Hosts()...)
	return cmd
}
