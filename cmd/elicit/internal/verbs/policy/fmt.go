package policy

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/layout"
	"github.com/elicit-engine/elicit/engine/policy"
)

// policyFmt holds the flags of `elicit policy fmt`.
type policyFmt struct{ write, check bool }

func newPolicyFmtCommand() *cobra.Command {
	var f policyFmt
	cmd := cli.Verb("fmt", cli.Args(1, 1<<20, "give policy files, or - for standard input"), f.run)
	cmd.Flags().BoolVarP(&f.write, "write", "w", false, "rewrite the files")
	cmd.Flags().BoolVar(&f.check, "check", false, "print the names of the files that would change, and change none")
	cmd.MarkFlagsMutuallyExclusive("write", "check")
	return cmd
}

func (f *policyFmt) run(cmd *cobra.Command, names []string) error {
	if len(names) > 1 && !f.write && !f.check {
		return errors.New("more than one file cannot be printed; " +
			"rewrite them with -w, or list those that differ with --check")
	}
	wrong, differ := 0, 0
	for _, name := range names {
		doc, err := cli.ReadDocument(cmd, name)
		if err != nil {
			return err
		}
		if _, problems := policy.Parse(policy.User, doc.Text); problems != nil {
			doc.PrintProblems(cmd.ErrOrStderr(), problems)
			wrong++
			continue
		}
		laid := layout.Policy(doc.Text)
		same := bytes.Equal(laid, doc.Text)
		if !same {
			differ++
		}
		switch {
		case f.check && !same:
			fmt.Fprintln(cmd.OutOrStdout(), doc.Name)
		case f.check, f.write && same:
		case f.write && name != "-":
			err = cli.Rewrite(name, laid)
		default:
			_, err = cmd.OutOrStdout().Write(laid)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case wrong > 0:
		return cli.Exit(cli.Invalid, fmt.Errorf("%s; correct the problems above first",
			cli.Counted(wrong, "file was left alone", "files were left alone")))

	case f.check && differ > 0:
		return cli.Exit(cli.Invalid, fmt.Errorf("%s; rewrite with `elicit policy fmt -w`",
			cli.Counted(differ, "file has another layout", "files have another layout")))
	}
	return nil
}
