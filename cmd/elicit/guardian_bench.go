package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/flame"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/plugins/host"
)

// guardianBench is `elicit guardian bench`.
type guardianBench struct {
	*trial
	grant, only, dir, flame string
	budget                  int64
	count                   int
	json, all               bool
	calls                   *callTable
	rows                    []benchRow
}

// benchRow is what one case costs.
type benchRow struct {
	name           string
	fuel           int64
	left           float64
	pages          int
	typical, worst int64 // nanoseconds, without the profile
	fault          string
}

func newGuardianBenchCommand() *cobra.Command {
	var b guardianBench
	cmd := &cobra.Command{
		Use:   "bench MODULE.wasm [DIR]",
		Short: "Say what the cases cost, and which functions the fuel goes to",
		Long: `Put every case of a directory to a module and say what it costs: fuel, pages of memory
and time, the median and the worst of --count evaluations as the proxy makes them. Then
the functions that the fuel of all cases went to, by the names that the compiler left in
the module's name section. Fuel is the same on every machine; time is not.

--flame draws a flame graph: a picture in SVG, each function as wide as the fuel it took
with all it called.`,
		Example:           "  elicit guardian bench guardian.wasm\n  elicit guardian bench guardian.wasm --run 'long_*' --flame fuel.svg",
		Args:              between(1, 2, "give one module, and a directory of cases"),
		ValidArgsFunction: moduleThenDirectory,
		RunE:              b.run,
	}
	f := cmd.Flags()
	f.Int64Var(&b.budget, "fuel", 0, "budget of each evaluation; by default what elicit guardian pin grants")
	f.StringVar(&b.only, "run", "", "only the cases of this `name`, in which * stands for anything")
	f.IntVar(&b.count, "count", 20, "how often each case is evaluated for the time, 1 to 10000")
	f.StringVar(&b.flame, "flame", "", "draw a flame graph of the fuel to this `file` in SVG")
	f.BoolVar(&b.all, "all", false, "list every function, not only the 20 dearest")
	f.BoolVar(&b.json, "json", false, "print JSON: cases with fuel, pages and nanoseconds, functions with calls and fuel")
	addGrantFlag(cmd, &b.grant)
	_ = cmd.MarkFlagFilename("flame", "svg")
	return cmd
}

func (b *guardianBench) run(cmd *cobra.Command, args []string) (err error) {
	if b.count < 1 || b.count > 10_000 {
		return fmt.Errorf("--count is %d; give something from 1 to 10000", b.count)
	}
	if b.trial, err = openGuest(cmd, args[0], b.budget, b.grant); err != nil {
		return err
	}
	defer b.Close()
	watched, err := openGuestWith(cmd, args[0], b.budget, b.grant, host.Options{Profile: true})
	if err != nil {
		return err
	}
	defer watched.Close()
	b.dir = filepath.Join(filepath.Dir(args[0]), "cases")
	if len(args) == 2 {
		b.dir = args[1]
	}
	paths, err := casesIn(b.dir, b.only)
	if err != nil {
		return err
	}
	b.calls = newCallTable(b.names)
	for _, p := range paths {
		c, err := readCase(p)
		if err != nil {
			return ending{exitInvalid, err}
		}
		document := c.document()
		if c.Question != nil {
			put := b.narrow(document)
			if document = put.text; put.unheard {
				continue
			}
		}
		profiled := watched.evaluate(document, c.Settings != nil)
		b.calls.add(profiled.Profile)
		b.rows = append(b.rows, b.measure(c, document, profiled))
	}
	if b.flame != "" {
		if err := b.draw(); err != nil {
			return err
		}
	}
	b.tell(cmd)
	return nil
}

// measure evaluates a case often enough to say how long it takes.
func (b *guardianBench) measure(c guestCase, document []byte, profiled host.Result) benchRow {
	times := make([]int64, b.count)
	for i := range times {
		times[i] = b.evaluate(document, c.Settings != nil).Nanoseconds
	}
	slices.Sort(times)
	return benchRow{name: c.name, fuel: profiled.Fuel, left: b.left(profiled), pages: profiled.Pages,
		typical: times[len(times)/2], worst: times[len(times)-1], fault: string(profiled.Fault)}
}

func (b *guardianBench) tell(cmd *cobra.Command) {
	slices.SortFunc(b.rows, func(x, y benchRow) int { return int(max(min(y.fuel-x.fuel, 1), -1)) })
	if b.json {
		var cases []byte
		for i, r := range b.rows {
			if i > 0 {
				cases = append(cases, ',')
			}
			members := []elicit.Arg{elicit.Str("name", r.name), elicit.Num("fuel", int(r.fuel)), elicit.Num("pages", r.pages),
				elicit.Num("nanoseconds", int(r.typical)), elicit.Num("worst_nanoseconds", int(r.worst))}
			if r.fault != "" {
				members = append(members, elicit.Str("fault", r.fault))
			}
			cases = appendObject(cases, members)
		}
		fmt.Fprintf(jsonTo(cmd), "%s\n", appendObject(nil, []elicit.Arg{elicit.Str("digest", b.module.Digest), elicit.Num("budget", int(b.fuel)),
			elicit.Raw("cases", "["+string(cases)+"]"), elicit.Raw("functions", string(b.calls.appendJSON(nil)))}))
		return
	}
	table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CASE\tFUEL\tLEFT\tPAGES\tMEDIAN\tWORST\t")
	for _, r := range b.rows {
		fmt.Fprintf(table, "%s\t%d\t%.2f%%\t%d\t%.3f ms\t%.3f ms\t%s\n", cell(r.name), r.fuel, 100*r.left, r.pages, float64(r.typical)/1e6, float64(r.worst)/1e6, r.fault)
	}
	table.Flush()
	fmt.Fprintln(cmd.OutOrStdout())
	most := 20
	if b.all {
		most = 0
	}
	b.calls.tell(cmd.OutOrStdout(), most)
}

func (b *guardianBench) draw() error {
	root := b.calls.frame(b.calls.root)
	root.Name = "all cases"
	var out bytes.Buffer
	title := fmt.Sprintf("Fuel of %s %s, by function", b.module.Manifest.Name, b.module.Manifest.Version)
	if err := flame.SVG(&out, title, "fuel", root); err != nil {
		return err
	}
	return os.WriteFile(b.flame, out.Bytes(), 0o666)
}

// frame is a tree of calls with names.
func (c *callTable) frame(call *host.Call) *flame.Frame {
	f := &flame.Frame{Name: c.name(call.Function), Own: call.Fuel}
	for _, inner := range call.Calls {
		f.Calls = append(f.Calls, c.frame(inner))
	}
	return f
}
