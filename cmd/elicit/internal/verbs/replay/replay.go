// Package replay holds `elicit replay`, which runs a journal again: as it was, under other policies, or with another
// guardian.
package replay

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/english"
)

// NewCommand makes `elicit replay`.
func NewCommand() *cobra.Command {
	var asJSON bool
	var key string
	var l rules.Layers
	var r guardianReplay
	cmd := cli.Verb("replay", cli.Args(1, 1, "give one journal, or - for standard input"),
		func(cmd *cobra.Command, args []string) error {
			in, err := journals.Open(cmd, args[0], key)
			if err != nil {
				return err
			}
			defer in.Close()
			if !asJSON {
				in.ShowProgress(cmd.ErrOrStderr())
			}
			if len(r.modules) > 0 {
				if r.json = asJSON; l.Found() {
					return errors.New("a replay takes either a policy or guardians; give one of them")
				}
				return r.run(cmd, in)
			}
			if l.Found() {
				return simulate(cmd, in, &l, asJSON)
			}
			return replay(cmd.OutOrStdout(), in, asJSON)
		})
	l.AddFlags(cmd)
	r.addFlags(cmd)
	journals.AddKeyFlag(cmd, &key)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: the number of identical records, and the problem; "+
		"with a policy or a guardian, the differences and counts")
	return cmd
}

func replay(w io.Writer, in *journals.Input, asJSON bool) error {
	result := engine.ReplayLines(in.Lines, nil)
	if in.Err != nil {
		return in.Err
	}
	if asJSON {
		problem := "null"
		if result.Problem != nil {
			problem = string(result.Problem.AppendJSON(nil))
		}
		fmt.Fprintf(cli.JSONOutput{To: w}, "{\"identical\":%d,\"problem\":%s}\n", result.Records, problem)
	}
	switch p := result.Problem; {
	case p != nil && result.Got != nil:
		if !asJSON {
			fmt.Fprintf(w, "recorded %s\nreplayed %s\n", ui.Plain(string(result.Want)), ui.Plain(string(result.Got)))
		}
		return fmt.Errorf("%s: %s\n  another version of elicit wrote the journal, or somebody rewrote all of it; "+
			"replay it with the version that wrote it", in.Name, ui.Plain(english.Problem(*p)))
	case p != nil:
		return journals.Broken(in.Name, *p)
	}
	if !asJSON {
		fmt.Fprintf(w, "%d records, identical\n", result.Records)
		if keyed := in.Verification(); keyed != "" {
			fmt.Fprintln(w, keyed)
		}
	}
	return nil
}
