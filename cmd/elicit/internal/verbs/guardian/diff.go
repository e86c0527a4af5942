package guardian

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/rules"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
	"github.com/elicit-engine/elicit/plugins/meter"
)

// guardianDiff holds the flags and the results of `elicit guardian diff`.
type guardianDiff struct {
	old, new         *loadedGuest
	under            guestFlags
	cases, from, key string
	json             bool
	changes          []manifestChange
	differences      []changedVerdict
	questions        int
	fuelOld, fuelNew int64 // fuel of all questions
	largestRise      float64
	largestRiseIn    string
}

// manifestChange is one difference between the descriptions of two modules: a value changed, appeared or is gone.
type manifestChange struct {
	what, then, now string
	wider           bool // the new module wants to read or to use more than the old one
}

// changedVerdict is a question on which the two modules give different verdicts.
type changedVerdict struct{ name, then, now string }

func newGuardianDiffCommand() *cobra.Command {
	var d guardianDiff
	cmd := cli.Verb("diff", cli.Args(2, 2, "give the old module and the new one"), d.run)
	cmd.ValidArgsFunction = cobra.FixedCompletions([]string{"wasm"}, cobra.ShellCompDirectiveFilterFileExt)
	f := cmd.Flags()
	f.StringVar(&d.cases, "cases", "", "`directory` of cases; by default cases beside the new module, if it exists")
	f.StringVar(&d.from, "from", "", "`journal` whose questions both modules are asked, or - for standard input")
	f.BoolVar(&d.json, "json", false, "print JSON: changes, differences, fuel")
	journals.AddKeyFlag(cmd, &d.key)
	d.under.addFlags(cmd)
	_ = cmd.MarkFlagDirname("cases")
	_ = cmd.MarkFlagFilename("from", "jsonl")
	return cmd
}

func (d *guardianDiff) run(cmd *cobra.Command, args []string) (err error) {
	d.under.both = true
	if d.old, err = openGuest(cmd, args[0], d.under); err != nil {
		return err
	}
	defer d.old.Close()
	if d.new, err = openGuest(cmd, args[1], d.under); err != nil {
		return err
	}
	defer d.new.Close()
	d.changes = changesOf(d.old.module, d.new.module)
	if err := d.compareOnCases(args[1]); err != nil {
		return err
	}
	if d.from != "" {
		if err := d.compareOnJournal(cmd); err != nil {
			return err
		}
	}
	if d.json {
		fmt.Fprintf(cli.JSONTo(cmd), "%s\n", d.appendJSON(nil))
	} else {
		d.print(cmd)
	}
	if len(d.differences) > 0 || slices.ContainsFunc(d.changes, func(c manifestChange) bool { return c.wider }) {
		return cli.Exit(cli.Differs, nil)
	}
	return nil
}

// changesOf compares the descriptions of two modules.
func changesOf(old, now *guest.Module) (changes []manifestChange) {
	one := func(what, then, now string, wider bool) {
		if then != now {
			changes = append(changes, manifestChange{what, then, now, wider})
		}
	}
	list := func(what string, then, now []string, covered func(string) bool) {
		for _, s := range now {
			if !slices.Contains(then, s) {
				one(what, "", s, !covered(s))
			}
		}
		for _, s := range then {
			if !slices.Contains(now, s) {
				one(what, s, "", false)
			}
		}
	}
	never := func(string) bool { return false }
	one("name", old.Manifest.Name, now.Manifest.Name, false)
	one("version", old.Manifest.Version, now.Manifest.Version, false)
	one("digest", old.Digest, now.Digest, false)
	list("phase", phasesOf(old.Manifest.Phases), phasesOf(now.Manifest.Phases), never)
	list("reads", readsOf(old), readsOf(now), func(s string) bool {
		p, _ := guardian.ParsePattern(s)
		return old.Manifest.Reads.Covers(strings.Split(p.String(), "/")[1:])
	})
	list("codes", old.Manifest.Codes, now.Manifest.Codes, func(string) bool { return true })
	list("imports", importsOf(old), importsOf(now), never)
	one("data", old.Manifest.Data, now.Manifest.Data, old.Manifest.Data == "")
	one("settings", compactJSON(old.Manifest.Settings), compactJSON(now.Manifest.Settings), false)
	one("bytes", fmt.Sprint(old.Sizes.Module), fmt.Sprint(now.Sizes.Module), false)
	return changes
}

func phasesOf(phases []guardian.Phase) []string { return each.Of(phases, each.String) }

func readsOf(m *guest.Module) []string { return each.Of(m.Manifest.Reads, guardian.Pattern.String) }

func importsOf(m *guest.Module) []string {
	return each.Of(m.Imports, func(i meter.Import) string { return i.Module + "." + i.Name })
}

func compactJSON(text []byte) string {
	var v any
	if json.Unmarshal(text, &v) != nil {
		return string(text)
	}
	out, _ := json.Marshal(v) // cannot fail: it was read from JSON
	return string(out)
}

// compareOnCases asks both modules the questions of the cases. It skips cases of settings, because their settings fit
// only the module that they were written for.
func (d *guardianDiff) compareOnCases(module string) error {
	dir := caseDirectory([]string{module}, d.cases)
	if files, _ := filepath.Glob(filepath.Join(dir, "*.json")); len(files) == 0 && d.cases == "" {
		return nil // the default directory may be missing
	}
	cases, err := casesIn(dir, "")
	if err != nil {
		return err
	}
	for _, c := range cases {
		if c.Question != nil {
			d.compareOn(c.in.Name, c.document())
		}
	}
	return nil
}

// compareOnJournal asks both modules every question of the journal.
func (d *guardianDiff) compareOnJournal(cmd *cobra.Command) error {
	in, err := journals.Open(cmd, d.from, d.key)
	if err != nil {
		return err
	}
	defer in.Close()
	settings := d.new.permit.Settings
	if settings == nil {
		settings = []byte("{}")
	}
	all, err := permitAll(string(settings))
	if err != nil {
		return err
	}
	asked := d.questions
	out := engine.Reask(in.Lines, all, func(a engine.Asking) {
		d.compareOn(fmt.Sprintf("record %d: %s", a.Record, cli.Abridged(a.Request)), a.Question)
	})
	err = in.Fault(out.Problem)
	if err == nil && d.questions == asked {
		err = fmt.Errorf("%s has no question that a guardian would be asked; give another journal", in.Name)
	}
	return err
}

// compareOn asks both modules one question. A module that is not asked in this phase passes.
func (d *guardianDiff) compareOn(name string, question []byte) {
	var results [2]host.Result
	phase := guardian.Phase(gjson.GetBytes(question, "phase").String())
	heard := false
	for i, t := range []*loadedGuest{d.old, d.new} {
		put := t.narrow(question)
		if heard = heard || !put.notAsked; put.notAsked {
			results[i] = passResult()
		} else {
			results[i] = t.evaluate(put.text, false)
		}
	}
	if !heard {
		return
	}
	d.questions++
	d.fuelOld += results[0].Fuel
	d.fuelNew += results[1].Fuel
	rise := float64(results[1].Fuel) / float64(max(results[0].Fuel, 1))
	if results[0].Fuel > 0 && rise > d.largestRise {
		d.largestRise, d.largestRiseIn = rise, name
	}
	then, now := verdictWords(results[0], phase), verdictWords(results[1], phase)
	if then == now && !sameJSON(results[0].Output, results[1].Output) {
		now += ", in other words"
	}
	if then != now {
		d.differences = append(d.differences, changedVerdict{name, then, now})
	}
}

func sameJSON(a, b []byte) bool { return compactJSON(a) == compactJSON(b) }

// verdictWords summarises a verdict: its decision, its obligations and the codes of its findings, or the fault.
func verdictWords(r host.Result, phase guardian.Phase) string {
	v, words, _ := rules.VerdictWords(r.Output, r.Fault, phase)
	for _, f := range v.Findings {
		words += " " + f.Code
	}
	return words
}

func (d *guardianDiff) print(cmd *cobra.Command) {
	w := cmd.OutOrStdout()
	for _, c := range d.changes {
		mark := map[bool]string{true: "  wider"}[c.wider]
		switch {
		case c.then == "":
			fmt.Fprintf(w, "%-9s + %s%s\n", c.what, cli.Cell(c.now), mark)
		case c.now == "":
			fmt.Fprintf(w, "%-9s - %s\n", c.what, cli.Cell(c.then))
		default:
			fmt.Fprintf(w, "%-9s %s → %s\n", c.what, cli.Cell(c.then), cli.Cell(c.now))
		}
	}
	if len(d.changes) == 0 {
		fmt.Fprintln(w, "the same module")
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, t := range d.differences {
		if i == 0 {
			fmt.Fprintln(table, "QUESTION\tOLD\tNEW")
		}
		fmt.Fprintf(table, "%s\t%s\t→ %s\n", cli.Cell(t.name), cli.Cell(t.then), cli.Cell(t.now))
	}
	table.Flush()
	if d.questions == 0 {
		fmt.Fprintln(w, "no questions to compare with; give --cases DIR, or --from JOURNAL")
		return
	}
	fmt.Fprintf(w, "%d questions, %d answered differently; fuel %d → %d (%+.1f%%)\n", d.questions, len(d.differences),
		d.fuelOld, d.fuelNew, 100*(float64(d.fuelNew)/float64(max(d.fuelOld, 1))-1))
	if d.largestRise > 1.1 {
		fmt.Fprintf(w, "the largest rise is %.1f times the fuel: %s\n", d.largestRise, cli.Cell(d.largestRiseIn))
	}
}

func (d *guardianDiff) appendJSON(dst []byte) []byte {
	changes := cli.Objects(d.changes, func(c manifestChange) []elicit.Arg {
		return []elicit.Arg{elicit.Str("what", c.what), elicit.Str("old", c.then), elicit.Str("new", c.now),
			elicit.Bool("wider", c.wider)}
	})
	differences := cli.Objects(d.differences, func(t changedVerdict) []elicit.Arg {
		return []elicit.Arg{elicit.Str("question", t.name), elicit.Str("old", t.then), elicit.Str("new", t.now)}
	})
	return cli.AppendObject(dst, []elicit.Arg{elicit.Raw("changes", changes), elicit.Raw("differences", differences),
		elicit.Num("asked", d.questions), elicit.Raw("fuel", fmt.Sprintf(`{"old":%d,"new":%d}`, d.fuelOld, d.fuelNew))})
}
