package main

import (
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/plugins/host"
)

// guardianTest is `elicit guardian test`.
type guardianTest struct {
	*trial
	budget                 int64
	dir, grant             string
	only, junit            string
	json, update, coverage bool
	outcomes               []caseOutcome
	seen                   map[string]bool // words, phases and reads that cases have exercised
	unlisted               []string        // codes of findings that the manifest does not list
	least                  float64         // of the budget, what the hungriest case left
	calls                  *callTable
}

// caseOutcome is what came of one case.
type caseOutcome struct {
	guestCase
	result  host.Result
	said    string
	warning string
	wrong   string // how it differs from what is wanted, "" when it does not
	updated bool
}

func newGuardianTestCommand() *cobra.Command {
	var t guardianTest
	cmd := &cobra.Command{
		Use:   "test MODULE.wasm [DIR]",
		Short: "Run a module on a directory of cases, under the limits of production",
		Long: `Put every case of a directory to a guardian, and compare. A case is a JSON file:

  {"question":{…},"verdict":{…}}      the verdict, its members in any order
  {"question":{…},"decision":"deny"}  only its decision
  {"question":{…},"fault":"refused"}  no verdict, for this reason
  {"settings":{…},"problems":[…]}     what elicit_check_settings finds

The directory is "cases" beside the module unless told. The module is shown of each
question what its manifest declares and the grant of --grant lets through, and in
other phases it is not asked: what production does. A case that holds more is warned
of. For each case stand the fuel it used, how much of the budget was left, the pages
of memory at the end, and the time. Afterwards: which decisions, phases and reads no
case has exercised, and which codes of findings the manifest does not list; with
--coverage also which functions none has called.

When a rule changed on purpose, --update writes what the module says now into the
cases that differ. A fault is never written.
Exit codes: 0 all as wanted, 2 the module or a case cannot be read, 3 one differs.`,
		Example: `  elicit guardian test guardian.wasm
  elicit guardian test links.wasm testdata/links --run 'form_*' --fuel 100000
  elicit guardian test guardian.wasm --grant grants.json --junit report.xml
  elicit guardian test guardian.wasm --update && git diff cases`,
		Args:              between(1, 2, "give one module, and a directory of cases"),
		ValidArgsFunction: moduleThenDirectory,
		RunE:              t.run,
	}
	f := cmd.Flags()
	f.Int64Var(&t.budget, "fuel", 0, "budget of each evaluation; by default what elicit guardian pin grants")
	f.StringVar(&t.dir, "cases", "", "`directory` of cases")
	f.StringVar(&t.only, "run", "", "only the cases of this `name`, in which * stands for anything")
	f.BoolVar(&t.json, "json", false, "print JSON: every case with what came of it, and what none has exercised")
	f.StringVar(&t.junit, "junit", "", "also write a report in JUnit's XML to this `file`")
	f.BoolVar(&t.update, "update", false, "write what the module says now into the cases that differ")
	f.BoolVar(&t.coverage, "coverage", false, "list the functions that no case has called")
	addGrantFlag(cmd, &t.grant)
	_ = cmd.MarkFlagDirname("cases")
	_ = cmd.MarkFlagFilename("junit", "xml")
	return cmd
}

func (t *guardianTest) run(cmd *cobra.Command, args []string) (err error) {
	if t.trial, err = openGuestWith(cmd, args[0], t.budget, t.grant, host.Options{Profile: t.coverage}); err != nil {
		return err
	}
	defer t.Close()
	switch {
	case len(args) == 2:
		t.dir = args[1]
	case t.dir == "":
		t.dir = filepath.Join(filepath.Dir(args[0]), "cases")
	}
	paths, err := casesIn(t.dir, t.only)
	if err != nil {
		return err
	}
	t.seen, t.least, t.calls = map[string]bool{}, 1, newCallTable(t.names)
	for _, p := range paths {
		c, err := readCase(p)
		if err != nil {
			return ending{exitInvalid, err}
		}
		if err := t.try(c); err != nil {
			return err
		}
	}
	if err := t.report(cmd, args[0]); err != nil {
		return err
	}
	for _, o := range t.outcomes {
		if o.wrong != "" && !o.updated {
			return ending{code: exitDiffers}
		}
	}
	return nil
}

// casesIn lists the files of a directory that hold cases, in the order of their names.
func casesIn(dir, only string) (paths []string, err error) {
	all, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(all) == 0 {
		return nil, fmt.Errorf("%s holds no cases; `elicit guardian test --help` shows what one is, and `elicit guardian question` makes one", dir)
	}
	for _, p := range all {
		matched, err := path.Match(only, caseName(p))
		if err != nil {
			return nil, errors.New("--run is no pattern; give the name of a case, in which * stands for anything")
		}
		if only == "" || matched {
			paths = append(paths, p)
		}
	}
	if paths == nil {
		return nil, fmt.Errorf("no case of %s is called %s", dir, only)
	}
	return paths, nil
}

// try puts one case to the module.
func (t *guardianTest) try(c guestCase) (err error) {
	o := caseOutcome{guestCase: c}
	document := c.document()
	put := narrowed{}
	if c.Question != nil {
		put = t.narrow(document)
		document, o.warning = put.text, put.warning()
	}
	if o.result = passed(); !put.unheard {
		o.result = t.evaluate(document, c.Settings != nil)
	}
	o.said, o.wrong = c.said(o.result), c.wrong(o.result)
	t.note(c, document, o.result)
	t.least = min(t.least, t.left(o.result))
	t.calls.add(o.result.Profile)
	if o.wrong != "" && t.update {
		o.updated, err = c.update(o.result)
	}
	t.outcomes = append(t.outcomes, o)
	return err
}

// left is the share of the budget that an evaluation left.
func (t *trial) left(r host.Result) float64 { return 1 - float64(r.Fuel)/float64(t.fuel) }

func (o *caseOutcome) mark() string {
	switch {
	case o.updated:
		return "UPDATED"
	case o.wrong != "":
		return "FAILED"
	case o.warning != "":
		return "WARNED"
	}
	return ""
}

func (t *guardianTest) report(cmd *cobra.Command, module string) error {
	if t.junit != "" {
		if err := writeJUnit(t.junit, t.module.Manifest.Name, t.outcomes); err != nil {
			return err
		}
	}
	if t.json {
		fmt.Fprintf(jsonTo(cmd), "%s\n", t.reportJSON(module))
		return nil
	}
	failed, updated := t.table(cmd.OutOrStdout())
	for _, hint := range t.hints() {
		fmt.Fprintln(cmd.OutOrStdout(), hint)
	}
	if t.coverage {
		t.calls.tellNever(cmd.OutOrStdout(), t.module)
	}
	complaints := cmd.ErrOrStderr()
	for _, o := range t.outcomes {
		if o.warning == "" && (o.wrong == "" || o.updated) {
			continue
		}
		fmt.Fprintln(complaints, oneLine(o.name))
		if o.warning != "" {
			fmt.Fprintf(complaints, "   %s\n", oneLine(o.warning))
		}
		if o.wrong != "" && !o.updated {
			fmt.Fprint(complaints, o.wrong)
			for _, line := range o.result.Log {
				fmt.Fprintf(complaints, "   log %s: %s\n", line.Level, oneLine(line.Text))
			}
		}
	}
	if failed > 0 && !t.update {
		fmt.Fprintln(complaints, "If the rule changed on purpose, run this again with --update: it writes what the module says now into these cases.\nDelete the cases of a rule that is gone.")
	}
	if updated > 0 {
		fmt.Fprintf(complaints, "%d cases now want what the module says; read the difference before you keep it\n", updated)
	}
	return nil
}

func (t *guardianTest) table(w io.Writer) (failed, updated int) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CASE\tSAID\tFUEL\tLEFT\tPAGES\tTIME\t")
	for _, o := range t.outcomes {
		switch {
		case o.updated:
			updated++
		case o.wrong != "":
			failed++
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%.2f%%\t%d\t%.2f ms\t%s\n", cell(o.name), o.said, o.result.Fuel, 100*t.left(o.result), o.result.Pages,
			float64(o.result.Nanoseconds)/1e6, o.mark())
	}
	table.Flush()
	fmt.Fprintf(w, "%d cases, %d failed; the hungriest left %.2f%% of %d fuel\n", len(t.outcomes), failed, 100*t.least, t.fuel)
	return failed, updated
}
