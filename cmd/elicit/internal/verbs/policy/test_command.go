package policy

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// policyTest holds the flags and the results of `elicit policy test`.
type policyTest struct {
	coverage, json bool
	from           string // the policy before a change that may only tighten

	passed, failed, badFiles, unfired, unexcepted int
	files                                         []byte // JSON of the files so far
}

func newPolicyTestCommand() *cobra.Command {
	var p policyTest
	cmd := cli.Verb("test", cli.Args(1, 1<<20, "give policy files that have cases beside them"), p.run)
	cmd.Flags().BoolVar(&p.coverage, "require-coverage", false,
		"fail when no case matches a rule, or meets its \"unless\"")
	cmd.Flags().StringVar(&p.from, "tightens-from", "",
		"fail unless elicit policy compare proves that the file only tightens this `FILE`")
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON: files with cases, reasons and uncovered rules")
	return cmd
}

func (p *policyTest) run(cmd *cobra.Command, names []string) error {
	if p.from != "" {
		if len(names) != 1 {
			return errors.New("--tightens-from takes one policy file")
		}
		if err := comparePolicies(cmd, p.from, names[0], ""); err != nil {
			return err
		}
	}
	for _, name := range names {
		f := policyCaseFile{cmd: cmd}
		var err error
		if f.policy, err = cli.ReadDocument(cmd, name); err != nil {
			return err
		}
		beside := casesOf(name)
		if f.cases, err = cli.ReadDocument(cmd, beside); err != nil {
			if _, gone := os.Stat(beside); errors.Is(gone, fs.ErrNotExist) {
				return fmt.Errorf("%s has no cases; write them to %s, as a list such as "+
					`[{"name":"a form is asked","request":{…},"want":{"outcome":"ask"}}]`+
					" (docs/reference/policy.md, \"Testing a policy\")", name, beside)
			}
			return err
		}
		if _, problems := policy.Parse(layerOf(name), f.policy.Text); problems != nil {
			f.policy.PrintProblems(cmd.ErrOrStderr(), problems)
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
	rules, excepting := rules.Names(f.policy.Text)
	fired, shadowed, excepted := map[string]bool{}, map[string]bool{}, map[string]bool{}
	var verdicts []caseResult
	for i := range f.list {
		v := f.list[i].decide()
		if problems := v.answer.Get("problems"); problems.Exists() {
			bad := ui.Problems(problems)
			for i := range bad {
				bad[i].Pointer = v.pointer + bad[i].Pointer
			}
			f.cases.PrintProblems(cmd.ErrOrStderr(), bad)
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
	v.reasons, v.by = cli.ReasonsOf(v.answer.Get("reasons")), int(v.answer.Get("by").Int())
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

func printVerdicts(w io.Writer, f *policyCaseFile, verdicts []caseResult) {
	fmt.Fprintln(w, ui.Plain(f.policy.Name))
	for i := range verdicts {
		v := &verdicts[i]
		if v.faults == nil {
			fmt.Fprintf(w, "  ok    %s\n", cli.Cell(v.name))
			continue
		}
		fmt.Fprintf(w, "  FAIL  %s (%s:%d)\n", cli.Cell(v.name), ui.Plain(f.cases.Name), v.line)
		for _, fault := range v.faults {
			fmt.Fprintf(w, "        %s\n", cli.Cell(fault))
		}
		printReasons(w, "        ", v.reasons, v.by)
	}
}

func printCoverage(w io.Writer, rules, unfired, unexcepted []string, shadowed map[string]bool) {
	if len(rules) == 0 {
		return
	}
	fmt.Fprintf(w, "  %d of %s fired\n", len(rules)-len(unfired), cli.Counted(len(rules), "rule", "rules"))
	for _, name := range unfired {
		why := "no case matches it"
		if shadowed[name] {
			why = "an earlier rule decided every case that it matches"
		}
		fmt.Fprintf(w, "  never %s: %s\n", cli.Cell(name), why)
	}
	for _, name := range unexcepted {
		fmt.Fprintf(w, "  never %s: no case meets its unless\n", cli.Cell(name))
	}
}

// appendFileJSON adds the results of one file to the JSON output.
func (p *policyTest) appendFileJSON(f *policyCaseFile, verdicts []caseResult, rules, unfired, unexcepted []string) {
	cases := cli.Objects(verdicts, func(v caseResult) []elicit.Arg {
		return []elicit.Arg{elicit.Str("name", v.name), elicit.Num("line", v.line),
			elicit.Bool("passed", v.faults == nil), elicit.Str("outcome", v.answer.Get("outcome").String()),
			elicit.Num("by", v.by), elicit.Raw("reasons", v.answer.Get("reasons").Raw),
			elicit.Raw("faults", cli.JSONStrings(v.faults))}
	})
	if p.files != nil {
		p.files = append(p.files, ',')
	}
	p.files = cli.AppendObject(p.files, []elicit.Arg{elicit.Str("file", f.policy.Name),
		elicit.Raw("cases", cases), elicit.Num("rules", len(rules)),
		elicit.Raw("unfired", cli.JSONStrings(unfired)), elicit.Raw("unexcepted", cli.JSONStrings(unexcepted))})
}

// finish prints the totals and returns the error with the exit code.
func (p *policyTest) finish(w io.Writer) error {
	if p.json {
		fmt.Fprintf(cli.JSONOutput{To: w},
			"{\"files\":[%s],\"passed\":%d,\"failed\":%d,\"wrong\":%d,\"unfired\":%d,\"unexcepted\":%d}\n",
			p.files, p.passed, p.failed, p.badFiles, p.unfired, p.unexcepted)
	} else if p.passed+p.failed > 0 {
		fmt.Fprintf(w, "%d passed, %d failed\n", p.passed, p.failed)
	}
	var faults []string
	if p.badFiles > 0 {
		faults = append(faults, cli.Counted(p.badFiles, "file has problems, and its cases were not counted",
			"files have problems, and their cases were not counted"))
	}
	if p.failed > 0 {
		faults = append(faults, cli.Counted(p.failed, "case failed", "cases failed"))
	}
	if p.coverage && p.unfired > 0 {
		faults = append(faults, cli.Counted(p.unfired, "rule never fired", "rules never fired"))
	}
	if p.coverage && p.unexcepted > 0 {
		faults = append(faults, cli.Counted(p.unexcepted, "rule has an unless that no case meets",
			"rules have an unless that no case meets"))
	}
	if faults == nil {
		return nil
	}
	code := cli.Differs
	if p.badFiles > 0 {
		code = cli.Invalid
	}
	return cli.Exit(code, errors.New(strings.Join(faults, "; ")))
}
