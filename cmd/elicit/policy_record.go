package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// policyRecord makes cases of the decisions in a journal.
type policyRecord struct {
	key  string
	most int

	past  decisions
	layer policy.Layer // of the file that the cases test

	output  string   // of the cases; "" for standard output, or beside the policy
	cases   []string // JSON, in the order of the journal
	other   int      // decisions that the last policy of the journal does not repeat
	tooMany int      // beyond most
}

func newPolicyRecordCommand() *cobra.Command {
	var p policyRecord
	cmd := &cobra.Command{
		Use:   "record JOURNAL [FILE]",
		Short: "Make policy test cases of past decisions",
		Long: `Print what policy decided in the past as cases for ` + "`elicit policy test`" + `: what it knew of
each question, what it decided, and by which rule. Equal questions make one case.

With FILE, a policy such as user.json, write the cases beside it, as user.cases.json. If
FILE is not there, write the policy of the journal to it. Change the policy then, and
the test tells which past decisions change. The command writes only cases that pass
with the last policy of the journal, and says how many it left out.
Exit codes: 0 fine, 1 failure, for example because the cases are there, 3 no case.`,
		Example: `  elicit policy record run.jsonl user.json
  elicit policy test user.json`,
		Args: argCount(1, 2, "give one journal, or - for standard input, and perhaps the policy file of the cases"),
		RunE: func(cmd *cobra.Command, args []string) error { return p.run(cmd, args) },
	}
	addKeyFlag(cmd, &p.key)
	cmd.Flags().StringVar(&p.output, "output", "", "write the cases to this new `file`")
	cmd.Flags().IntVar(&p.most, "most", 500, "write at most this `number` of cases")
	return cmd
}

func (p *policyRecord) run(cmd *cobra.Command, args []string) error {
	file := ""
	switch {
	case p.most < 1:
		return fmt.Errorf("--most is %d; give 1 or more", p.most)
	case p.output != "" && len(args) > 1:
		return errors.New("--output names the file of the cases, and FILE names the policy that they stand beside; give one")
	}
	if p.layer = policy.User; len(args) > 1 {
		file = args[1]
		p.layer = layerOf(file)
	}
	if err := p.past.read(cmd, args[0], p.key); err != nil {
		return err
	}
	if err := p.check(cmd); err != nil {
		return err
	}
	for _, d := range p.past.list {
		p.add(d)
	}
	p.report(cmd)
	if len(p.cases) == 0 {
		return exitWith(exitDiffers, nil)
	}
	text := escapeInvisible([]byte("[\n  " + strings.Join(p.cases, ",\n  ") + "\n]\n"))
	if p.output != "" {
		return writeNew(p.output, text, 0o600)
	}
	if file == "" {
		_, err := cmd.OutOrStdout().Write(text)
		return err
	}
	return p.write(cmd, file, text)
}

// check refuses policies that a test would refuse. A journal without a policy for the tested layer gets an empty one.
func (p *policyRecord) check(cmd *cobra.Command) error {
	tested := policyOf(&p.past.policies, p.layer)
	if *tested == nil {
		*tested = []byte("{\n  \"version\": 1\n}\n")
	}
	for _, layer := range policy.Layers() {
		doc := document{"the " + layer.String() + " policy of the journal", *policyOf(&p.past.policies, layer)}
		if _, problems := policy.Parse(layer, doc.text); doc.text != nil && problems != nil {
			doc.printProblems(cmd.ErrOrStderr(), problems)
			return errInvalid
		}
	}
	return nil
}

// add makes a case of a decision, if the last policy of the journal makes it again.
func (p *policyRecord) add(d pastDecision) {
	c := policyCase{layer: p.layer, policies: p.past.policies, request: d.request()}
	c.want.outcome, c.want.rule = d.outcome, d.rule
	want := []elicit.Arg{elicit.Str("outcome", d.outcome)}
	if d.rule != "" {
		want = append(want, elicit.Str("rule", d.rule))
	}
	switch v := c.decide(); {
	case v.reasons == nil || v.faults != nil:
		p.other++
	case len(p.cases) >= p.most:
		p.tooMany++
	default:
		p.cases = append(p.cases, `{"name":`+quoted(d.name)+","+c.request+p.past.others[p.layer]+`,"want":`+
			string(appendObject(nil, want))+"}")
	}
}

// write writes the cases, and the policy if it is not there.
func (p *policyRecord) write(cmd *cobra.Command, file string, text []byte) error {
	if err := writeNew(casesOf(file), text, 0o600); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "wrote %s, which `elicit policy test %s` runs\n", cell(casesOf(file)), cell(file))
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := writeNew(file, *policyOf(&p.past.policies, p.layer), 0o600); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "wrote %s, the policy of the journal\n", cell(file))
	return nil
}

func (p *policyRecord) report(cmd *cobra.Command) {
	say := func(n int, one, many, why string) {
		if n > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s %s\n", counted(n, one, many), why)
		}
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s from %s\n", counted(len(p.cases), "different case", "different cases"),
		counted(p.past.decided, "decision", "decisions"))
	say(p.past.grants, "decision is", "decisions are", "left out, because a grant decided, not a policy")
	say(p.other, "decision is", "decisions are",
		"left out, because the last policy of the journal does not make them again from what the journal tells")
	say(p.tooMany, "decision is", "decisions are", "left out, because --most cases are there")
	say(p.past.lost, "decision is", "decisions are", "left out, because they are too many or too large to compare")
}
