package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
)

// guardianDiff is `elicit guardian diff`.
type guardianDiff struct {
	old, new                *trial
	grant, cases, from, key string
	json                    bool
	changes                 []manifestChange
	turns                   []verdictTurn
	asked                   int
	before, after           int64 // fuel of all questions
	steepest                float64
	steep                   string
}

// manifestChange is what one module says of itself and the other does not.
type manifestChange struct {
	what, then, now string
	wider           bool // the new one wants to know, or to use, more
}

// verdictTurn is a question on which the two say different things.
type verdictTurn struct{ name, then, now string }

func newGuardianDiffCommand() *cobra.Command {
	var d guardianDiff
	cmd := &cobra.Command{
		Use:   "diff OLD.wasm NEW.wasm",
		Short: "Compare two builds of a guardian: what they want to see, their fuel and their verdicts",
		Long: `Compare two modules before the new one takes the old one's place: what they declare, import
and weigh; then, over the cases of --cases and all questions of the journal of --from,
the fuel they use and every question on which they say different things. Each is shown
what its own manifest declares and the grant of --grant lets through. Questions on
record hold no secrets.
Exit codes: 0 the same verdicts, and nothing wider; 3 another verdict, or the new one
wants to see or to use more; 2 a module, a case or the grant cannot be used.`,
		Example: "  elicit guardian diff old.wasm guardian.wasm\n  elicit guardian diff old.wasm guardian.wasm --from run.jsonl --grant grants.json",
		Args:    between(2, 2, "give the old module and the new one"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"wasm"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: d.run,
	}
	f := cmd.Flags()
	f.StringVar(&d.cases, "cases", "", "`directory` of cases; by default cases beside the new module, if there are any")
	f.StringVar(&d.from, "from", "", "`journal` whose questions both are asked, or -")
	f.BoolVar(&d.json, "json", false, "print JSON: changes, differences, fuel")
	addKeyFlag(cmd, &d.key)
	addGrantFlag(cmd, &d.grant)
	_ = cmd.MarkFlagDirname("cases")
	_ = cmd.MarkFlagFilename("from", "jsonl")
	return cmd
}

func (d *guardianDiff) run(cmd *cobra.Command, args []string) (err error) {
	if d.old, err = openGuest(cmd, args[0], 0, d.grant); err != nil {
		return err
	}
	defer d.old.Close()
	if d.new, err = openGuest(cmd, args[1], 0, d.grant); err != nil {
		return err
	}
	defer d.new.Close()
	d.changes = changesOf(d.old.module, d.new.module)
	if err := d.overCases(args[1]); err != nil {
		return err
	}
	if d.from != "" {
		if err := d.overJournal(cmd); err != nil {
			return err
		}
	}
	if d.json {
		fmt.Fprintf(jsonTo(cmd), "%s\n", d.appendJSON(nil))
	} else {
		d.tell(cmd)
	}
	if len(d.turns) > 0 || slices.ContainsFunc(d.changes, func(c manifestChange) bool { return c.wider }) {
		return ending{code: exitDiffers}
	}
	return nil
}

// changesOf compares what two modules say of themselves.
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
	list("phase", phasesOf(old), phasesOf(now), never)
	list("reads", readsOf(old), readsOf(now), func(s string) bool {
		p, _ := guardian.ParsePattern(s)
		return old.Manifest.Reads.Covers(strings.Split(p.String(), "/")[1:])
	})
	list("codes", old.Manifest.Codes, now.Manifest.Codes, func(string) bool { return true })
	list("imports", importsOf(old), importsOf(now), never)
	one("settings", compactJSON(old.Manifest.Settings), compactJSON(now.Manifest.Settings), false)
	one("bytes", fmt.Sprint(old.Sizes.Module), fmt.Sprint(now.Sizes.Module), false)
	return changes
}

func phasesOf(m *guest.Module) (list []string) {
	for _, p := range m.Manifest.Phases {
		list = append(list, string(p))
	}
	return list
}

func readsOf(m *guest.Module) (list []string) {
	for _, p := range m.Manifest.Reads {
		list = append(list, p.String())
	}
	return list
}

func importsOf(m *guest.Module) (list []string) {
	for _, i := range m.Imports {
		list = append(list, i.Module+"."+i.Name)
	}
	return list
}

func compactJSON(text []byte) string {
	var v any
	if json.Unmarshal(text, &v) != nil {
		return string(text)
	}
	out, _ := json.Marshal(v) // it was read from JSON
	return string(out)
}

// overCases puts the questions of cases to both. Settings that a case hands over are for the one it was written for.
func (d *guardianDiff) overCases(module string) error {
	dir := d.cases
	if dir == "" {
		dir = filepath.Join(filepath.Dir(module), "cases")
	}
	paths, err := casesIn(dir, "")
	if err != nil && d.cases == "" {
		return nil // nobody asked for cases
	}
	if err != nil {
		return err
	}
	for _, p := range paths {
		c, err := readCase(p)
		if err != nil {
			return ending{exitInvalid, err}
		}
		if c.Question != nil {
			d.put(c.name, c.document())
		}
	}
	return nil
}

// overJournal puts all questions on record to both.
func (d *guardianDiff) overJournal(cmd *cobra.Command) error {
	in, err := openJournal(cmd, d.from, d.key)
	if err != nil {
		return err
	}
	defer in.Close()
	settings := d.new.grant.Settings
	if settings == nil {
		settings = []byte("{}")
	}
	all, err := theGrant([]byte(`{"name":"anybody","host":true,"reads":["/request","/answer"],"settings":` + string(settings) + `}`))
	if err != nil {
		return err
	}
	asked := d.asked
	out := engine.Reask(in.lines, all, func(a engine.Asking) {
		d.put(fmt.Sprintf("record %d: %s", a.Record, abridged(a.Request)), a.Question)
	})
	switch {
	case in.err != nil:
		return in.err
	case out.Problem != nil:
		return brokenJournal(in.name, *out.Problem)
	case d.asked == asked:
		return errors.New("the journal has no question that a guardian would be asked")
	}
	return nil
}

// put asks both.
func (d *guardianDiff) put(name string, question []byte) {
	var results [2]host.Result
	phase := guardian.Phase(gjson.GetBytes(question, "phase").String())
	heard := false
	for i, t := range []*trial{d.old, d.new} {
		put := t.narrow(question)
		if heard = heard || !put.unheard; put.unheard {
			results[i] = passed()
		} else {
			results[i] = t.evaluate(put.text, false)
		}
	}
	if !heard {
		return
	}
	d.asked++
	d.before += results[0].Fuel
	d.after += results[1].Fuel
	if ratio := float64(results[1].Fuel) / float64(max(results[0].Fuel, 1)); results[0].Fuel > 0 && ratio > d.steepest {
		d.steepest, d.steep = ratio, name
	}
	then, now := verdictWords(results[0], phase), verdictWords(results[1], phase)
	if then == now && !sameJSON(results[0].Output, results[1].Output) {
		now += ", in other words"
	}
	if then != now {
		d.turns = append(d.turns, verdictTurn{name, then, now})
	}
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y) || string(a) == string(b)
}

// verdictWords is a verdict in short: decision, obligations and the codes of its findings, or the fault.
func verdictWords(r host.Result, phase guardian.Phase) string {
	if r.Fault != "" {
		return "fault " + string(r.Fault)
	}
	v, problem := guardian.ReadVerdict(r.Output, phase)
	if problem != nil {
		return "fault " + string(guardian.FaultBadVerdict)
	}
	words := []string{v.Decision.String()}
	for _, pointer := range v.Redact {
		words = append(words, "redact "+pointer)
	}
	if v.Second {
		words = append(words, "second_person")
	}
	for _, f := range v.Findings {
		words = append(words, f.Code)
	}
	return strings.Join(words, " ")
}

func (d *guardianDiff) tell(cmd *cobra.Command) {
	w := cmd.OutOrStdout()
	for _, c := range d.changes {
		mark := map[bool]string{true: "  wider"}[c.wider]
		switch {
		case c.then == "":
			fmt.Fprintf(w, "%-9s + %s%s\n", c.what, cell(c.now), mark)
		case c.now == "":
			fmt.Fprintf(w, "%-9s - %s\n", c.what, cell(c.then))
		default:
			fmt.Fprintf(w, "%-9s %s → %s\n", c.what, cell(c.then), cell(c.now))
		}
	}
	if len(d.changes) == 0 {
		fmt.Fprintln(w, "the same module")
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, t := range d.turns {
		if i == 0 {
			fmt.Fprintln(table, "QUESTION\tOLD\tNEW")
		}
		fmt.Fprintf(table, "%s\t%s\t→ %s\n", cell(t.name), cell(t.then), cell(t.now))
	}
	table.Flush()
	if d.asked == 0 {
		fmt.Fprintln(w, "no questions to compare with; give --cases DIR, or --from JOURNAL")
		return
	}
	fmt.Fprintf(w, "%d questions, %d answered differently; fuel %d → %d (%+.1f%%)\n", d.asked, len(d.turns), d.before, d.after, 100*(float64(d.after)/float64(max(d.before, 1))-1))
	if d.steepest > 1.1 {
		fmt.Fprintf(w, "the largest rise is %.1f times the fuel: %s\n", d.steepest, cell(d.steep))
	}
}

func (d *guardianDiff) appendJSON(dst []byte) []byte {
	var changes, turns []string
	for _, c := range d.changes {
		changes = append(changes, string(appendObject(nil, []elicit.Arg{elicit.Str("what", c.what), elicit.Str("old", c.then), elicit.Str("new", c.now), elicit.Raw("wider", fmt.Sprint(c.wider))})))
	}
	for _, t := range d.turns {
		turns = append(turns, string(appendObject(nil, []elicit.Arg{elicit.Str("question", t.name), elicit.Str("old", t.then), elicit.Str("new", t.now)})))
	}
	return appendObject(dst, []elicit.Arg{elicit.Raw("changes", "["+strings.Join(changes, ",")+"]"), elicit.Raw("differences", "["+strings.Join(turns, ",")+"]"),
		elicit.Num("asked", d.asked), elicit.Raw("fuel", fmt.Sprintf(`{"old":%d,"new":%d}`, d.before, d.after))})
}
