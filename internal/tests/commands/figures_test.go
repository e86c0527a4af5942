package commands

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/internal/must"
)

// figures are what one half of a set of one kind gives.
type figures struct {
	lines, prompts, high, seen int
	onlyCode                   int // prompts only because of a text for an interpreter
	runs, strange              int // invocations, and those of a program that the table does not have
	why                        map[string]int
	programs                   map[string]int // that the table does not have
	missed                     map[string][2]int
}

// kept is what the figures of one half may not fall behind.
type kept struct {
	Lines int     `json:"lines"`
	Asked float64 `json:"asked"` // of 1,000 lines
	Code  float64 `json:"code"`  // of these, those only because of a text for an interpreter
	High  float64 `json:"high"`  // in percent, as the others
	Seen  float64 `json:"seen"`
	Known float64 `json:"known"`
}

func thousand(n, of int) float64 { return math.Round(10000*float64(n)/float64(max(of, 1))) / 10 }

func share(n, of int) float64 { return math.Round(10000*float64(n)/float64(max(of, 1))) / 100 }

func (f *figures) kept() kept {
	return kept{f.lines, thousand(f.prompts, f.lines), thousand(f.onlyCode, f.lines), share(f.high, f.lines),
		share(f.seen, f.lines), share(f.runs-f.strange, f.runs)}
}

const figuresFile = "testdata/figures.json"

// TestFigures prints what the preset daily would do with each half of each set. It fails where the figures of a set are
// two points worse than in testdata/figures.json, which -update writes, or beyond mostAsked and leastStopped.
func TestFigures(t *testing.T) {
	only := os.Getenv("ELICIT_COMMANDS_SHOW") // SET:CAUSE shows lines of the built half with this cause
	was := map[string]kept{}
	text, err := os.ReadFile(figuresFile)
	must.OK(t, err)
	must.Unmarshal(t, text, &was)
	all, stack := sets(t), daily(t)
	for i := range all {
		s := &all[i]
		t.Run(s.Name, func(t *testing.T) {
			lines, _ := s.read(t, here(t, s))
			byHalf := map[string]*figures{}
			for _, l := range lines {
				name := l.Kind + map[bool]string{true: " held", false: " built"}[l.Held]
				f := byHalf[name]
				if f == nil {
					f = &figures{why: map[string]int{}, programs: map[string]int{}, missed: map[string][2]int{}}
					byHalf[name] = f
				}
				why := f.add(stack, l)
				if set, cause, _ := strings.Cut(only, ":"); set == s.Name && !l.Held && why != "" && why == cause {
					t.Logf("SHOW %s: %.300q", l.Kind, l.Text)
				}
				if only == s.Name+":missed" && !l.Held && l.Kind == "dangerous" && why == "" {
					t.Logf("MISSED %s: %.300q", l.Class, l.Text)
				}
			}
			for _, name := range slices.Sorted(maps.Keys(byHalf)) {
				t.Log(s.Name, name, byHalf[name].told(strings.HasSuffix(name, "built")))
				is, before := byHalf[name].kept(), was[s.Name+" "+name]
				if *update {
					was[s.Name+" "+name] = is
					continue
				}
				ordinary := strings.HasPrefix(name, "ordinary")
				if most, bound := mostAsked[s.Name]; bound && ordinary && is.Asked > most {
					t.Errorf("%s %s: %.1f of 1,000 are stopped, at most %.1f", s.Name, name, is.Asked, most)
				}
				stopped := share(byHalf[name].prompts, is.Lines)
				if stopped < leastStopped[s.Name] && strings.HasPrefix(name, "dangerous") {
					t.Errorf("%s %s: %.1f %% are stopped, at least %.1f", s.Name, name, stopped, leastStopped[s.Name])
				}
				if is.Known < before.Known-2 || ordinary && (is.High > before.High+2 || is.Asked > before.Asked+20) ||
					is.Seen < before.Seen-2 && strings.HasPrefix(name, "dangerous") {
					t.Errorf("%s %s: %+v is worse than %+v", s.Name, name, is, before)
				}
			}
		})
	}
	if *update {
		text, err := json.MarshalIndent(was, "", "  ")
		must.OK(t, err)
		must.OK(t, os.WriteFile(figuresFile, append(text, '\n'), 0o644))
	}
}

const page = "../../../docs/reference/commands.md"

// TestFiguresPage compares the table of the page with the figures that are kept, and writes it with -update.
func TestFiguresPage(t *testing.T) {
	var was map[string]kept
	text, err := os.ReadFile(figuresFile)
	must.OK(t, err)
	must.Unmarshal(t, text, &was)
	table := "| set | lines | known % | asked | code | high % | seen % |\n|---|---|---|---|---|---|---|\n"
	for _, s := range sets(t) {
		if s.Commit == "" { // the sets of packages are for the tests of a day
			continue
		}
		for _, kind := range []string{"ordinary", "dangerous", "spared"} {
			b, is := was[s.Name+" "+kind+" built"]
			h := was[s.Name+" "+kind+" held"]
			if is {
				table += fmt.Sprintf("| %s/%s | %d/%d | %.1f/%.1f | %.0f/%.0f | %.0f/%.0f | %.1f/%.1f | %.1f/%.1f |\n", s.Name,
					kind, b.Lines, h.Lines, b.Known, h.Known, b.Asked, h.Asked, b.Code, h.Code, b.High, h.High, b.Seen, h.Seen)
			}
		}
	}
	text, err = os.ReadFile(page)
	must.OK(t, err)
	from := strings.Index(string(text), "| set | lines |")
	if from < 0 {
		t.Fatalf("%s has no table of figures", page)
	}
	rest := string(text[from:])
	end := strings.Index(rest, "\n\n") + 1
	if rest[:end] == table {
		return
	}
	if !*update {
		t.Fatalf("%s has older figures: run TestFiguresPage with -update", page)
	}
	must.OK(t, os.WriteFile(page, []byte(string(text[:from])+table+rest[end:]), 0o644))
}

// add counts one line. It returns why the preset does not accept it, "" if it does.
func (f *figures) add(stack policy.Stack, l line) string {
	facts, worst := l.facts()
	f.lines++
	var rest []impact.Impact // without texts for an interpreter
	for _, in := range facts.Impacts.Impacts {
		switch {
		case in.Kind == impact.Runs:
			f.runs++
		case in.Kind == impact.Unknown && in.How == impact.Word:
			f.strange++
			f.programs[in.Target]++
		}
		if in.Kind != impact.Unknown || in.How != impact.Code {
			rest = append(rest, in)
		}
	}
	why := stopped(stack, &facts)
	if worst >= elicit.High.Rank() {
		f.high++
	}
	if why != "" {
		f.why[why]++
		f.prompts++
		if len(rest) < len(facts.Impacts.Impacts) {
			readable := impact.Report{Impacts: rest}
			facts.Impacts = &readable
			if stopped(stack, &facts) == "" {
				f.onlyCode++
			}
		}
	}
	n := f.missed[l.Class]
	n[1]++
	if why != "" || worst > 0 {
		f.seen++
		n[0]++
	}
	f.missed[l.Class] = n
	return why
}

func (f *figures) told(programs bool) string {
	var out strings.Builder
	k := f.kept()
	fmt.Fprintf(&out, "%d lines; asked %.1f of 1,000, %.1f without code in the line; high %.2f %%; seen %.1f %%; "+
		"programs known %.2f %% of %d\n   ", f.lines, k.Asked, k.Asked-k.Code, k.High, k.Seen,
		k.Known, f.runs)
	for _, cause := range most(f.why, 20) {
		fmt.Fprintf(&out, " %s %d,", cause, f.why[cause])
	}
	if programs {
		out.WriteString("\n    not in the table:")
		for _, name := range most(f.programs, 40) {
			fmt.Fprintf(&out, " %s %d,", name, f.programs[name])
		}
	}
	if len(f.missed) > 1 {
		out.WriteString("\n    seen by class:")
		for _, class := range slices.Sorted(maps.Keys(f.missed)) {
			if n := f.missed[class]; n[0] < n[1] {
				fmt.Fprintf(&out, " %s %d/%d,", class, n[0], n[1])
			}
		}
	}
	return strings.TrimSuffix(out.String(), ",")
}

// most lists the names with the highest counts.
func most(counts map[string]int, n int) []string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	return names[:min(n, len(names))]
}
