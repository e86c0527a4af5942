package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/english"
)

func newReplayCommand() *cobra.Command {
	var asJSON bool
	var key string
	var l layers
	var r retrial
	cmd := &cobra.Command{
		Use:   "replay JOURNAL",
		Short: "Run a journal again and compare, to prove or to debug it",
		Long: `Feed the inputs of a journal to a fresh engine and compare what it does with what
was recorded, byte for byte. The first record that differs is printed twice.
Exit codes: 0 identical, 1 different, broken or unreadable.

With a policy: which past decisions it would change. With --guardian: the module is
put the recorded questions again. One that was asked then must say the same, for the
same fuel; another takes the place of the guardian of its name, or of --as, and what
would differ is listed. Questions that held a secret are counted, not compared.
Exit codes then: 3 when something would differ, 1 when a module does not repeat itself.`,
		Example: `  elicit replay elicit.journal
  elicit replay elicit.journal --guardian links-2.0.wasm --as links`,
		Args: between(1, 1, "give one journal, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := openJournal(cmd, args[0], key)
			if err != nil {
				return err
			}
			defer in.Close()
			if len(r.modules) > 0 {
				if r.json = asJSON; l.given() {
					return errors.New("give a policy or a guardian to replay with, not both")
				}
				return r.run(cmd, in)
			}
			if l.given() {
				return simulate(cmd, in, &l, asJSON)
			}
			return replay(cmd.OutOrStdout(), in, asJSON)
		},
	}
	l.addFlags(cmd)
	r.addFlags(cmd)
	addKeyFlag(cmd, &key)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: how many records were identical, and the problem; with a policy or a guardian, the differences and counts")
	return cmd
}

func replay(w io.Writer, in *journalInput, asJSON bool) error {
	result := engine.ReplayLines(in.lines, nil)
	if in.err != nil {
		return in.err
	}
	if asJSON {
		problem := "null"
		if result.Problem != nil {
			problem = string(result.Problem.AppendJSON(nil))
		}
		fmt.Fprintf(jsonOutput{w}, "{\"identical\":%d,\"problem\":%s}\n", result.Records, problem)
	}
	switch p := result.Problem; {
	case p != nil && result.Got != nil:
		if !asJSON {
			fmt.Fprintf(w, "recorded %s\nreplayed %s\n", ui.Plain(string(result.Want)), ui.Plain(string(result.Got)))
		}
		return fmt.Errorf("%s: %s\n  the journal is from another version or another configuration, or somebody rewrote it whole", in.name, ui.Plain(english.Problem(*p)))
	case p != nil:
		return brokenJournal(in.name, *p)
	}
	if !asJSON {
		fmt.Fprintf(w, "%d records, identical\n", result.Records)
		if keyed := in.keyed(); keyed != "" {
			fmt.Fprintln(w, keyed)
		}
	}
	return nil
}
