package guardian

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/plugins/host"
)

// guardianTest holds the flags and the results of `elicit guardian test`.
type guardianTest struct {
	*loadedGuest
	under                  guestFlags
	dir                    string
	junit                  string
	json, update, coverage bool
	outcomes               []caseOutcome
	failed, updated        int             // of these
	covered                map[string]bool // results, phases and reads that cases cover
	unlisted               []string        // codes of findings that the manifest does not list
	leastLeft              float64         // the smallest share of the budget that a case left, 0 to 1
	calls                  *callTable
}

// caseOutcome is the result of one case.
type caseOutcome struct {
	guestCase
	result  host.Result
	summary string
	warning string
	wrong   string // how the result differs from the wanted one, "" when it does not
	updated bool
}

func newGuardianTestCommand() *cobra.Command {
	var t guardianTest
	cmd := cli.Verb("test", cli.Args(1, 2, "give one module, and optionally a directory of cases"), t.run)
	f := cmd.Flags()
	f.StringVar(&t.dir, "cases", "", "`directory` of cases")
	f.BoolVar(&t.json, "json", false, "print JSON: every case with its result, and what no case covers")
	f.StringVar(&t.junit, "junit", "", "write also a report in JUnit's XML to this `file`")
	f.BoolVar(&t.update, "update", false, "write the module's results into the cases that differ")
	f.BoolVar(&t.coverage, "coverage", false, "list the functions that no case calls")
	t.under.addCaseFlags(cmd)
	_ = cmd.MarkFlagDirname("cases")
	_ = cmd.MarkFlagFilename("junit", "xml")
	return cmd
}

func (t *guardianTest) run(cmd *cobra.Command, args []string) (err error) {
	if t.loadedGuest, err = openGuestWith(cmd, args[0], t.under, host.Options{Profile: t.coverage}); err != nil {
		return err
	}
	defer t.Close()
	t.dir = caseDirectory(args, t.dir)
	cases, err := casesIn(t.dir, t.under.only)
	if err != nil {
		return err
	}
	t.covered, t.leastLeft, t.calls = map[string]bool{}, 1, newCallTable(t.names)
	for _, c := range cases {
		if err := t.runCase(c); err != nil {
			return err
		}
	}
	if err := t.report(cmd, args[0]); err != nil {
		return err
	}
	if t.failed > 0 {
		return cli.Exit(cli.Differs, nil)
	}
	return nil
}

// runCase runs the module on one case.
func (t *guardianTest) runCase(c guestCase) (err error) {
	o := caseOutcome{guestCase: c}
	document := c.document()
	put := narrowed{}
	if c.Question != nil {
		put = t.narrow(document)
		document, o.warning = put.text, put.warning()
	}
	if o.result = passResult(); !put.notAsked {
		o.result = t.evaluate(document, c.Settings != nil)
	}
	o.summary, o.wrong = c.summary(o.result), c.difference(o.result)
	t.recordCoverage(c, document, o.result)
	t.leastLeft = min(t.leastLeft, t.shareLeft(o.result, c.Settings != nil))
	t.calls.add(o.result.Profile)
	if o.wrong != "" && t.update {
		o.updated, err = c.update(o.result)
	}
	switch {
	case o.updated:
		t.updated++
	case o.wrong != "":
		t.failed++
	}
	t.outcomes = append(t.outcomes, o)
	return err
}

// shareLeft returns the share of the budget that an evaluation left, 0 to 1.
func (t *loadedGuest) shareLeft(r host.Result, settings bool) float64 {
	return 1 - float64(r.Fuel)/float64(t.budgetOf(settings))
}

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
		fmt.Fprintf(cli.JSONTo(cmd), "%s\n", t.reportJSON(module))
		return nil
	}
	t.table(cmd.OutOrStdout())
	for _, hint := range t.hints() {
		fmt.Fprintln(cmd.OutOrStdout(), hint)
	}
	if t.coverage {
		t.calls.printUncalled(cmd.OutOrStdout(), t.module)
	}
	complaints := cmd.ErrOrStderr()
	for _, o := range t.outcomes {
		if o.warning == "" && (o.wrong == "" || o.updated) {
			continue
		}
		fmt.Fprintln(complaints, cli.OneLine(o.in.Name))
		if o.warning != "" {
			fmt.Fprintf(complaints, "   %s\n", cli.OneLine(o.warning))
		}
		if o.wrong != "" && !o.updated {
			fmt.Fprint(complaints, o.wrong)
			for _, line := range o.result.Log {
				fmt.Fprintf(complaints, "   log %s: %s\n", line.Level, cli.OneLine(line.Text))
			}
		}
	}
	if t.failed > 0 && !t.update {
		fmt.Fprintln(complaints, "If the rule changed on purpose, run this again with --update: "+
			"it writes the module's results into these cases.\nDelete the cases of a rule that is gone.")
	}
	if t.updated > 0 {
		fmt.Fprintf(complaints, "%s now; read the difference before you keep it\n", cli.Counted(t.updated,
			"case wants the module's result", "cases want the module's results"))
	}
	return nil
}

func (t *guardianTest) table(w io.Writer) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CASE\tSAID\tFUEL\tLEFT\tPAGES\tTIME\t")
	for _, o := range t.outcomes {
		fmt.Fprintf(table, "%s\t%s\t%d\t%.2f%%\t%d\t%.2f ms\t%s\n", cli.Cell(o.in.Name), o.summary, o.result.Fuel,
			100*t.shareLeft(o.result, o.Settings != nil), o.result.Pages, float64(o.result.Nanoseconds)/1e6, o.mark())
	}
	table.Flush()
	fmt.Fprintf(w, "%d cases, %d failed; the most expensive left %.2f%% of %d fuel\n",
		len(t.outcomes), t.failed, 100*t.leastLeft, t.fuel)
}
