package guardian

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/host"
)

// guardianBench holds the flags and the results of `elicit guardian bench`.
type guardianBench struct {
	*loadedGuest
	under     guestFlags
	stacks    string
	count     int
	json, all bool
	calls     *callTable
	rows      []benchRow
}

// benchRow is the cost of one case. The times are the median and the longest, measured without the profile.
type benchRow struct {
	Name    string         `json:"name"`
	Fuel    int64          `json:"fuel"`
	Pages   int            `json:"pages"` // of memory, 64 KiB each
	Typical int64          `json:"nanoseconds"`
	Worst   int64          `json:"worst_nanoseconds"`
	Fault   guardian.Fault `json:"fault,omitempty"`
	left    float64        // share of the budget that is left, 0 to 1
}

func newGuardianBenchCommand() *cobra.Command {
	var b guardianBench
	cmd := cli.Verb("bench", cli.Args(1, 2, "give one module, and optionally a directory of cases"), b.run)
	f := cmd.Flags()
	f.IntVar(&b.count, "count", 20, "how often to evaluate each case for its time, 1 to 10000")
	f.StringVar(&b.stacks, "stacks", "", "write the fuel of each stack of calls to this `file`, for a flame graph")
	f.BoolVar(&b.all, "all", false, "list every function, not only the 20 that use the most fuel")
	f.BoolVar(&b.json, "json", false,
		"print JSON: cases with fuel, pages and nanoseconds, functions with calls and fuel")
	b.under.addCaseFlags(cmd)
	return cmd
}

func (b *guardianBench) run(cmd *cobra.Command, args []string) (err error) {
	if b.count < 1 || b.count > 10_000 {
		return fmt.Errorf("--count is %d; give something from 1 to 10000", b.count)
	}
	options := rules.GuestOptions()
	options.Beside = false // measure what answers all but the first questions
	if b.loadedGuest, err = openGuestWith(cmd, args[0], b.under, options); err != nil {
		return err
	}
	defer b.Close()
	watched, err := openGuestWith(cmd, args[0], b.under, host.Options{Profile: true})
	if err != nil {
		return err
	}
	defer watched.Close()
	cases, err := casesIn(caseDirectory(args, ""), b.under.only)
	if err != nil {
		return err
	}
	b.calls, b.rows = newCallTable(b.names), []benchRow{}
	for _, c := range cases {
		document := c.document()
		if c.Question != nil {
			put := b.narrow(document)
			if document = put.text; put.notAsked {
				continue
			}
		}
		profiled := watched.evaluate(document, c.Settings != nil)
		b.calls.add(profiled.Profile)
		b.rows = append(b.rows, b.measure(c, document, profiled))
	}
	if b.stacks != "" {
		if err := os.WriteFile(b.stacks, b.calls.appendStacks(nil, "all cases", b.calls.root), 0o666); err != nil {
			return err
		}
	}
	b.print(cmd)
	return nil
}

// measure evaluates a case --count times and returns its cost. The fuel and the pages are those of profiled.
func (b *guardianBench) measure(c guestCase, document []byte, profiled host.Result) benchRow {
	times := make([]int64, b.count)
	for i := range times {
		times[i] = b.evaluate(document, c.Settings != nil).Nanoseconds
	}
	slices.Sort(times)
	return benchRow{Name: c.in.Name, Fuel: profiled.Fuel, Pages: profiled.Pages, Typical: times[len(times)/2],
		Worst: times[len(times)-1], Fault: profiled.Fault, left: b.shareLeft(profiled, c.Settings != nil)}
}

func (b *guardianBench) print(cmd *cobra.Command) {
	slices.SortFunc(b.rows, func(x, y benchRow) int { return cmp.Compare(y.Fuel, x.Fuel) })
	if b.json {
		cli.PrintJSON(cmd, struct {
			Digest    string         `json:"digest"`
			Budget    int64          `json:"budget"`
			Cases     []benchRow     `json:"cases"`
			Functions []functionCost `json:"functions"`
		}{b.module.Digest, b.fuel, b.rows, b.calls.costs()})
		return
	}
	table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CASE\tFUEL\tLEFT\tPAGES\tMEDIAN\tWORST\t")
	for _, r := range b.rows {
		fmt.Fprintf(table, "%s\t%d\t%.2f%%\t%d\t%.3f ms\t%.3f ms\t%s\n", cli.Cell(r.Name), r.Fuel, 100*r.left, r.Pages,
			float64(r.Typical)/1e6, float64(r.Worst)/1e6, r.Fault)
	}
	table.Flush()
	fmt.Fprintln(cmd.OutOrStdout())
	most := 20
	if b.all {
		most = 0
	}
	b.calls.print(cmd.OutOrStdout(), most)
}
