package main

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/layout"
	"github.com/elicit-engine/elicit/engine/policy"
)

// policyFmt holds the flags of `elicit policy fmt`.
type policyFmt struct{ write, check bool }

func newPolicyFmtCommand() *cobra.Command {
	var f policyFmt
	cmd := &cobra.Command{
		Use:   "fmt FILE…",
		Short: "Give policy files their canonical layout",
		Long: `Give policy files the canonical layout: keys in their documented order, two spaces
for each level, short lists and objects on one line. The content stays the same.

The command prints the result; -w rewrites the files, and --check only prints the names
of the files that would change. It leaves a file with problems alone, and prints each
problem on a line: file:line:column: pointer: what is wrong.
Exit codes: 0 fine, 1 failure, 2 a file has problems, or --check found one to change.`,
		Example: `  elicit policy fmt user.json
  elicit policy fmt -w *.json
  elicit policy fmt --check managed.json user.json`,
		Args: argCount(1, 1<<20, "give policy files, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
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
		doc, err := readDocument(cmd, name)
		if err != nil {
			return err
		}
		if _, problems := policy.Parse(policy.User, doc.text); problems != nil {
			doc.printProblems(cmd.ErrOrStderr(), problems)
			wrong++
			continue
		}
		laid := layout.Policy(doc.text)
		if !bytes.Equal(laid, doc.text) {
			differ++
		}
		if err := f.writeFormatted(cmd, name, doc, laid); err != nil {
			return err
		}
	}
	switch {
	case wrong > 0:
		return exitWith(exitInvalid, fmt.Errorf("%s; correct the problems above first",
			counted(wrong, "file was left alone", "files were left alone")))

	case f.check && differ > 0:
		return exitWith(exitInvalid, fmt.Errorf("%s; rewrite with `elicit policy fmt -w`",
			counted(differ, "file has another layout", "files have another layout")))

	}
	return nil
}

func (f *policyFmt) writeFormatted(cmd *cobra.Command, name string, doc document, laid []byte) error {
	switch same := bytes.Equal(laid, doc.text); {
	case f.check && !same:
		fmt.Fprintln(cmd.OutOrStdout(), doc.name)
	case f.check, f.write && same:
	case f.write && name != "-":
		return rewrite(name, laid)
	default:
		_, err := cmd.OutOrStdout().Write(laid)
		return err
	}
	return nil
}
