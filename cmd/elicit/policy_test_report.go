package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
)

func printVerdicts(w io.Writer, f *policyCaseFile, verdicts []caseResult) {
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
			why = "an earlier rule decided every case that it matches"
		}
		fmt.Fprintf(w, "  never %s: %s\n", cell(name), why)
	}
	for _, name := range unexcepted {
		fmt.Fprintf(w, "  never %s: no case meets its unless\n", cell(name))
	}
}

// appendFileJSON adds the results of one file to the JSON output.
func (p *policyTest) appendFileJSON(f *policyCaseFile, verdicts []caseResult, rules, unfired, unexcepted []string) {
	cases := []byte{'['}
	for i := range verdicts {
		v := &verdicts[i]
		if i > 0 {
			cases = append(cases, ',')
		}
		cases = appendObject(cases, []elicit.Arg{elicit.Str("name", v.name), elicit.Num("line", v.line),
			elicit.Bool("passed", v.faults == nil), elicit.Str("outcome", v.answer.Get("outcome").String()),
			elicit.Num("by", v.by), elicit.Raw("reasons", v.answer.Get("reasons").Raw),
			elicit.Raw("faults", jsonStrings(v.faults))})
	}
	if p.files != nil {
		p.files = append(p.files, ',')
	}
	p.files = appendObject(p.files, []elicit.Arg{elicit.Str("file", f.policy.name),
		elicit.Raw("cases", string(append(cases, ']'))), elicit.Num("rules", len(rules)),
		elicit.Raw("unfired", jsonStrings(unfired)), elicit.Raw("unexcepted", jsonStrings(unexcepted))})
}

// finish prints the totals and returns the error with the exit code.
func (p *policyTest) finish(w io.Writer) error {
	if p.json {
		fmt.Fprintf(jsonOutput{w},
			"{\"files\":[%s],\"passed\":%d,\"failed\":%d,\"wrong\":%d,\"unfired\":%d,\"unexcepted\":%d}\n",
			p.files, p.passed, p.failed, p.badFiles, p.unfired, p.unexcepted)
	} else if p.passed+p.failed > 0 {
		fmt.Fprintf(w, "%d passed, %d failed\n", p.passed, p.failed)
	}
	var faults []string
	if p.badFiles > 0 {
		faults = append(faults, counted(p.badFiles, "file has problems, and its cases were not counted",
			"files have problems, and their cases were not counted"))
	}
	if p.failed > 0 {
		faults = append(faults, counted(p.failed, "case failed", "cases failed"))
	}
	if p.coverage && p.unfired > 0 {
		faults = append(faults, counted(p.unfired, "rule never fired", "rules never fired"))
	}
	if p.coverage && p.unexcepted > 0 {
		faults = append(faults, counted(p.unexcepted, "rule has an unless that no case meets",
			"rules have an unless that no case meets"))
	}
	if faults == nil {
		return nil
	}
	code := exitDiffers
	if p.badFiles > 0 {
		code = exitInvalid
	}
	return exitWith(code, errors.New(strings.Join(faults, "; ")))
}
