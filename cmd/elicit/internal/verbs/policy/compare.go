package policy

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/policy/compare"
)

func newPolicyCompareCommand() *cobra.Command {
	as := ""
	cmd := cli.Verb("compare", cli.Args(2, 2, "give the file before the change and the file after it"),
		func(cmd *cobra.Command, args []string) error { return comparePolicies(cmd, args[0], args[1], as) })
	cmd.Flags().StringVar(&as, "as", "", "the `layer` of both files; by default that of AFTER's name, or else user")
	return cmd
}

func comparePolicies(cmd *cobra.Command, before, after, as string) error {
	layer := layerOf(after)
	if as != "" {
		var known bool
		if layer, known = layerNamed(as); !known {
			return errors.New("--as takes managed, user, project or session")
		}
	}
	var stacks [2]policy.Stack
	for i, name := range []string{before, after} {
		files := map[policy.Layer]string{layer: name}
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			files = map[policy.Layer]string{}
			for _, l := range policy.Layers() {
				file := filepath.Join(name, l.String()+".json")
				if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
					files[l] = file
				}
			}
			if len(files) == 0 {
				return fmt.Errorf("%s has no managed.json, user.json, project.json or session.json", ui.Plain(name))
			}
		}
		var list []*policy.Policy
		for _, l := range policy.Layers() {
			if files[l] == "" {
				continue
			}
			doc, err := cli.ReadDocument(cmd, files[l])
			if err != nil {
				return err
			}
			p, problems := policy.Parse(l, doc.Text)
			if problems != nil {
				doc.PrintProblems(cmd.ErrOrStderr(), problems)
				return cli.Exit(cli.Invalid, errors.New("correct the problems above first"))
			}
			list = append(list, p)
		}
		stacks[i] = policy.NewStack(list...)
	}
	return printComparison(cmd.OutOrStdout(), compare.Stacks(stacks[0], stacks[1]))
}

func printComparison(w io.Writer, r compare.Result) error {
	fmt.Fprintln(w, r.Verdict)
	switch {
	case r.Verdict == compare.Tightens:
		return nil
	case r.Verdict == compare.Undecided:
		return cli.Exit(cli.Differs, fmt.Errorf("undecided: %s", r.Why))
	case r.Facts == nil:
		return cli.Exit(cli.Differs, fmt.Errorf("the change loosens %s", r.Setting))
	}
	fmt.Fprintf(w, "request: %s\n", ui.Plain(string(r.Facts.AppendJSON(nil))))
	if r.Finding != "" {
		fmt.Fprintf(w, "with a finding of severity %s\n", r.Finding)
	}
	for _, side := range []struct {
		name string
		d    policy.Decision
	}{{"before", r.Before}, {"after", r.After}} {
		fmt.Fprintf(w, "%s: %s\n", side.name, side.d.Outcome)
		for _, line := range policy.Explain(side.d, english.Reason) {
			fmt.Fprintln(w, ui.Plain(line))
		}
	}
	return cli.Exit(cli.Differs, errors.New("the change loosens this request"))
}
