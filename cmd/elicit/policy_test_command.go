package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// policyTest holds the flags and the results of `elicit policy test`.
type policyTest struct {
	coverage, json bool

	passed, failed, badFiles, unfired, unexcepted int
	files                                         []byte // JSON of the files so far
}

func newPolicyTestCommand() *cobra.Command {
	var p policyTest
	cmd := &cobra.Command{
		Use:   "test FILE…",
		Short: "Test policy files with the cases beside them",
		Long: `Decide every case in the file beside a policy, user.cases.json beside user.json, and
compare. For a case that fails, print every reason of the decision. At the end print
the rules that no case matches, and the rules whose "unless" no case meets; with
--require-coverage such a rule is a failure.

A case is {"name", "request" or "facts", "want": {"outcome", "rule"?, "reason"?}};
docs/reference/policy.md has the details.
Exit codes: 0 all passed, 1 failure, 2 a file has problems, 3 a case failed.`,
		Example: `  elicit policy test user.json
  elicit policy test --require-coverage policies/managed.json policies/user.json
  elicit policy test --json user.json | jq .files[].unfired`,
		Args: argCount(1, 1<<20, "give policy files that have cases beside them"),
		RunE: func(cmd *cobra.Command, args []string) error { return p.run(cmd, args) },
	}
	cmd.Flags().BoolVar(&p.coverage, "require-coverage", false,
		"fail when no case matches a rule, or meets its \"unless\"")
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON: files with cases, reasons and uncovered rules")
	return cmd
}

func (p *policyTest) run(cmd *cobra.Command, names []string) error {
	for _, name := range names {
		f := policyCaseFile{cmd: cmd}
		var err error
		if f.policy, err = readDocument(cmd, name); err != nil {
			return err
		}
		beside := casesOf(name)
		if f.cases, err = readDocument(cmd, beside); err != nil {
			if _, gone := os.Stat(beside); errors.Is(gone, fs.ErrNotExist) {
				return fmt.Errorf("%s has no cases; write them to %s, as a list such as "+
					`[{"name":"a form is asked","request":{…},"want":{"outcome":"ask"}}]`+
					" (docs/reference/policy.md, \"Testing a policy\")", name, beside)
			}
			return err
		}
		if _, problems := policy.Parse(layerOf(name), f.policy.text); problems != nil {
			f.policy.printProblems(cmd.ErrOrStderr(), problems)
			p.badFiles++
			continue
		}
		if !f.read() {
			p.badFiles++
			continue
		}
		p.runFile(cmd, &f)
	}
	return p.finish(cmd.OutOrStdout())
}

// caseResult is the result of one case.
type caseResult struct {
	*policyCase
	answer  gjson.Result
	reasons []elicit.Reason
	by      int
	faults  []string // a sentence for each difference between the decision and the wanted one
}

// runFile runs the cases of one policy.
func (p *policyTest) runFile(cmd *cobra.Command, f *policyCaseFile) {
	rules, excepting := ruleNames(f.policy.text)
	fired, shadowed, excepted := map[string]bool{}, map[string]bool{}, map[string]bool{}
	var verdicts []caseResult
	for i := range f.list {
		v := f.list[i].decide()
		if problems := v.answer.Get("problems"); problems.Exists() {
			bad := ui.Problems(problems)
			for i := range bad {
				bad[i].Pointer = v.pointer + bad[i].Pointer
			}
			f.cases.printProblems(cmd.ErrOrStderr(), bad)
			p.badFiles++
			return
		}
		for _, r := range v.reasons {
			if r.Layer == v.layer.String() {
				fired[r.Rule] = fired[r.Rule] || r.Code == "rule_matched" || r.Code == "rule_resembled"
				shadowed[r.Rule] = shadowed[r.Rule] || r.Code == "rule_shadowed"
				excepted[r.Rule] = excepted[r.Rule] || r.Code == "rule_excepted"
			}
		}
		if v.faults == nil {
			p.passed++
		} else {
			p.failed++
		}
		verdicts = append(verdicts, v)
	}
	unfired := slices.DeleteFunc(slices.Clone(rules), func(name string) bool { return fired[name] })
	unexcepted := slices.DeleteFunc(excepting, func(name string) bool { return excepted[name] })
	p.unfired += len(unfired)
	p.unexcepted += len(unexcepted)
	if p.json {
		p.appendFileJSON(f, verdicts, rules, unfired, unexcepted)
		return
	}
	printVerdicts(cmd.OutOrStdout(), f, verdicts)
	printCoverage(cmd.OutOrStdout(), rules, unfired, unexcepted, shadowed)
}

// decide lets the engine decide the case, and compares.
func (c *policyCase) decide() caseResult {
	in, err := policyQuestion(c.policies, []byte(c.request))
	if err != nil {
		return caseResult{policyCase: c, faults: []string{err.Error()}}
	}
	v := caseResult{policyCase: c, answer: gjson.ParseBytes(abi.Eval("decide", in, nil))}
	v.reasons, v.by = reasonsOf(v.answer.Get("reasons")), int(v.answer.Get("by").Int())
	if v.reasons == nil {
		return v
	}
	if got := v.answer.Get("outcome").String(); got != c.want.outcome {
		v.faults = append(v.faults, fmt.Sprintf("want %s, got %s", c.want.outcome, got))
	}
	if got := v.reasons[v.by]; c.want.rule != "" && got.Rule != c.want.rule {
		decided := "rule " + got.Rule
		if got.Rule == "" {
			decided = got.Code
		}
		v.faults = append(v.faults, fmt.Sprintf("want rule %s to decide, but %s did", c.want.rule, decided))
	}
	given := func(r elicit.Reason) bool { return r.Code == c.want.reason }
	if c.want.reason != "" && !slices.ContainsFunc(v.reasons, given) {
		v.faults = append(v.faults, fmt.Sprintf("want the reason %s, which was not given", c.want.reason))
	}
	return v
}
