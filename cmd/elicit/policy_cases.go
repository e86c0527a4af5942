package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/policy"
)

// policyCases is `elicit policy test`.
type policyCases struct {
	coverage, json bool

	passed, failed, wrong, unfired, unexcepted int
	files                                      []byte // JSON of the files so far
}

func newPolicyTestCommand() *cobra.Command {
	var p policyCases
	cmd := &cobra.Command{
		Use:   "test FILE…",
		Short: "Test policy files by the cases beside them",
		Long: `Decide every case that stands beside a policy, user.cases.json beside user.json, and
compare. A case that fails is shown with every reason for what was decided.
Rules that no case made fire are named, and those whose unless never held one off;
with --require-coverage that fails too.

A case is {"name", "request" or "facts", "want": {"outcome", "rule"?, "reason"?}};
docs/policy.md tells the rest.
Exit codes: 0 all passed, 1 failure, 2 a file has problems, 3 a case failed.`,
		Example: `  elicit policy test user.json
  elicit policy test --require-coverage policies/managed.json policies/user.json
  elicit policy test --json user.json | jq .files[].unfired`,
		Args: between(1, 1<<20, "give policy files that have cases beside them"),
		RunE: func(cmd *cobra.Command, args []string) error { return p.run(cmd, args) },
	}
	cmd.Flags().BoolVar(&p.coverage, "require-coverage", false, "fail when a rule never fired, or its unless never held")
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON: files with cases, reasons and rules that never fired")
	return cmd
}

func (p *policyCases) run(cmd *cobra.Command, names []string) error {
	for _, name := range names {
		f := caseFile{cmd: cmd}
		var err error
		if f.policy, err = readDocument(cmd, name); err != nil {
			return err
		}
		beside := strings.TrimSuffix(name, ".json") + ".cases.json"
		if f.cases, err = readDocument(cmd, beside); err != nil {
			return fmt.Errorf("%w (the cases of %s are kept beside it)", err, name)
		}
		if _, problems := policy.Parse(layerOf(name), f.policy.text); problems != nil {
			f.policy.complain(cmd.ErrOrStderr(), problems)
			p.wrong++
			continue
		}
		if !f.read() {
			p.wrong++
			continue
		}
		p.file(cmd, &f)
	}
	return p.end(cmd.OutOrStdout())
}

// verdict is what became of one case.
type verdict struct {
	*policyCase
	answer  gjson.Result
	reasons []elicit.Reason
	by      int
	faults  []string // sentences, in which the decision differs from what was wanted
}

// file runs the cases of one policy.
func (p *policyCases) file(cmd *cobra.Command, f *caseFile) {
	rules, excepting := ruleNames(f.policy.text)
	fired, shadowed, excepted := map[string]bool{}, map[string]bool{}, map[string]bool{}
	var verdicts []verdict
	for i := range f.list {
		v := f.list[i].decide()
		if problems := v.answer.Get("problems"); problems.Exists() {
			bad := ui.Problems(problems)
			for i := range bad {
				bad[i].Pointer = v.pointer + bad[i].Pointer
			}
			f.cases.complain(cmd.ErrOrStderr(), bad)
			p.wrong++
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
		p.keep(f, verdicts, rules, unfired, unexcepted)
		return
	}
	printVerdicts(cmd.OutOrStdout(), f, verdicts)
	printCoverage(cmd.OutOrStdout(), rules, unfired, unexcepted, shadowed)
}

// decide puts the case to the engine.
func (c *policyCase) decide() verdict {
	in, err := policyQuestion(c.policies, []byte(c.request))
	if err != nil {
		return verdict{policyCase: c, faults: []string{err.Error()}}
	}
	v := verdict{policyCase: c, answer: gjson.ParseBytes(abi.Eval("decide", in, nil))}
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
	if c.want.reason != "" && !slices.ContainsFunc(v.reasons, func(r elicit.Reason) bool { return r.Code == c.want.reason }) {
		v.faults = append(v.faults, fmt.Sprintf("want the reason %s, which was not given", c.want.reason))
	}
	return v
}

// ruleNames lists the rules of a policy without problems as reasons name them, and which of them have an exception.
func ruleNames(doc []byte) (names, excepting []string) {
	for i, r := range gjson.GetBytes(doc, "rules").Array() {
		name := r.Get("name").String()
		if name == "" {
			name = "#" + strconv.Itoa(i+1)
		}
		names = append(names, name)
		if r.Get("unless").Exists() {
			excepting = append(excepting, name)
		}
	}
	return names, excepting
}

func printVerdicts(w io.Writer, f *caseFile, verdicts []verdict) {
	fmt.Fprintln(w, ui.Plain(f.policy.name))
	for i := range verdicts {
		v := &verdicts[i]
		if v.faults == nil {
			fmt.Fprintf(w, "  ok    %s\n", cell(v.name))
			continue
		}
		fmt.Fprintf(w, "  FAIL  %s (%s:%d)\n", cell(v.name), ui.Plain(f.cases.name), v.line)
		for _, fault := range v.faults {
			fmt.Fprintf(w, "        %s\n", cell(fault))
		}
		for i, r := range v.reasons {
			mark := " "
			if i == v.by {
				mark = ">"
			}
			fmt.Fprintf(w, "        %s %s\n", mark, cell(english.Reason(r)))
		}
	}
}

func printCoverage(w io.Writer, rules, unfired, unexcepted []string, shadowed map[string]bool) {
	if len(rules) == 0 {
		return
	}
	fmt.Fprintf(w, "  %d of %s fired\n", len(rules)-len(unfired), counted(len(rules), "rule", "rules"))
	for _, name := range unfired {
		why := "no case matches it"
		if shadowed[name] {
			why = "whenever it matched, a rule before it had decided"
		}
		fmt.Fprintf(w, "  never %s: %s\n", cell(name), why)
	}
	for _, name := range unexcepted {
		fmt.Fprintf(w, "  never %s: no case is held off by its unless\n", cell(name))
	}
}

// keep adds one file to the JSON answer.
func (p *policyCases) keep(f *caseFile, verdicts []verdict, rules, unfired, unexcepted []string) {
	cases := []byte{'['}
	for i := range verdicts {
		v := &verdicts[i]
		if i > 0 {
			cases = append(cases, ',')
		}
		cases = appendObject(cases, []elicit.Arg{elicit.Str("name", v.name), elicit.Num("line", v.line), elicit.Bool("passed", v.faults == nil),
			elicit.Str("outcome", v.answer.Get("outcome").String()), elicit.Num("by", v.by),
			elicit.Raw("reasons", v.answer.Get("reasons").Raw), elicit.Raw("faults", list(v.faults))})
	}
	if p.files != nil {
		p.files = append(p.files, ',')
	}
	p.files = appendObject(p.files, []elicit.Arg{elicit.Str("file", f.policy.name), elicit.Raw("cases", string(append(cases, ']'))),
		elicit.Num("rules", len(rules)), elicit.Raw("unfired", list(unfired)), elicit.Raw("unexcepted", list(unexcepted))})
}

// list is a JSON array of strings.
func list(words []string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = quoted(w)
	}
	return "[" + strings.Join(all, ",") + "]"
}

// end prints the sum and makes it the exit code.
func (p *policyCases) end(w io.Writer) error {
	if p.json {
		fmt.Fprintf(jsonOutput{w}, "{\"files\":[%s],\"passed\":%d,\"failed\":%d,\"wrong\":%d,\"unfired\":%d,\"unexcepted\":%d}\n", p.files, p.passed, p.failed, p.wrong, p.unfired, p.unexcepted)
	} else if p.passed+p.failed > 0 {
		fmt.Fprintf(w, "%d passed, %d failed\n", p.passed, p.failed)
	}
	var faults []string
	if p.wrong > 0 {
		faults = append(faults, counted(p.wrong, "file has problems, its cases were not counted", "files have problems, their cases were not counted"))
	}
	if p.failed > 0 {
		faults = append(faults, counted(p.failed, "case failed", "cases failed"))
	}
	if p.coverage && p.unfired > 0 {
		faults = append(faults, counted(p.unfired, "rule never fired", "rules never fired"))
	}
	if p.coverage && p.unexcepted > 0 {
		faults = append(faults, counted(p.unexcepted, "unless never held", "unlesses never held"))
	}
	if faults == nil {
		return nil
	}
	code := exitDiffers
	if p.wrong > 0 {
		code = exitInvalid
	}
	return ending{code, errors.New(strings.Join(faults, "; "))}
}
