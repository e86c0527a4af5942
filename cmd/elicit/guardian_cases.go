package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/host"
)

// guardianTest is `elicit guardian test`.
type guardianTest struct {
	*trial
	budget int64
	dir    string
	seen   map[string]bool // words, phases and reads that cases have exercised
	least  float64         // of the budget, what the hungriest case left
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

The directory is "cases" beside the module unless told. For each case stand the
fuel it used, how much of the budget was left, the pages of memory at the end, and the time.
Afterwards: which decisions, phases and reads no case has exercised.
Exit codes: 0 all as wanted, 2 the module or a case cannot be read, 3 one differs.`,
		Example: "  elicit guardian test guardian.wasm\n  elicit guardian test links.wasm testdata/links --fuel 100000",
		Args:    between(1, 2, "give one module, and a directory of cases"),
		RunE:    t.run,
	}
	cmd.Flags().Int64Var(&t.budget, "fuel", 0, "budget of each evaluation; by default what elicit guardian pin grants")
	cmd.Flags().StringVar(&t.dir, "cases", "", "`directory` of cases")
	return cmd
}

func (t *guardianTest) run(cmd *cobra.Command, args []string) (err error) {
	if t.trial, err = openGuest(cmd, args[0], t.budget); err != nil {
		return err
	}
	defer t.Close()
	switch {
	case len(args) == 2:
		t.dir = args[1]
	case t.dir == "":
		t.dir = filepath.Join(filepath.Dir(args[0]), "cases")
	}
	paths, err := filepath.Glob(filepath.Join(t.dir, "*.json"))
	if err != nil || len(paths) == 0 {
		return fmt.Errorf("%s holds no cases; `elicit guardian test --help` shows what one is", t.dir)
	}
	t.seen, t.least = map[string]bool{}, 1
	failed := 0
	var complaints bytes.Buffer
	table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "CASE\tSAID\tFUEL\tLEFT\tPAGES\tTIME\t")
	for _, path := range paths {
		c, err := readCase(path)
		if err != nil {
			return ending{exitInvalid, err}
		}
		r := t.evaluate(c.document(), c.Settings != nil)
		t.note(c, r)
		left := 1 - float64(r.Fuel)/float64(t.fuel)
		t.least = min(t.least, left)
		mark := ""
		if wrong := c.wrong(r); wrong != "" {
			failed++
			mark = "FAILED"
			fmt.Fprintf(&complaints, "%s\n%s", c.name, wrong)
			for _, line := range r.Log {
				fmt.Fprintf(&complaints, "   log %s: %s\n", line.Level, oneLine(line.Text))
			}
		}
		fmt.Fprintf(table, "%s\t%s\t%d\t%.2f%%\t%d\t%.2f ms\t%s\n", cell(c.name), c.said(r), r.Fuel, 100*left, r.Pages, float64(r.Nanoseconds)/1e6, mark)
	}
	table.Flush()
	fmt.Fprintf(cmd.OutOrStdout(), "%d cases, %d failed; the hungriest left %.2f%% of %d fuel\n", len(paths), failed, 100*t.least, t.fuel)
	for _, hint := range t.hints() {
		fmt.Fprintln(cmd.OutOrStdout(), hint)
	}
	cmd.ErrOrStderr().Write(complaints.Bytes())
	if failed > 0 {
		return ending{code: exitDiffers}
	}
	return nil
}

// note remembers what a case has exercised.
func (t *guardianTest) note(c guestCase, r host.Result) {
	t.seen[c.said(r)] = true
	if c.Question != nil {
		question := gjson.ParseBytes(c.Question)
		t.seen[question.Get("phase").String()] = true
		for _, p := range t.module.Manifest.Reads {
			if holds(question, strings.Split(p.String(), "/")[1:]) {
				t.seen[p.String()] = true
			}
		}
	}
}

// holds reports whether a document has a value that a pattern names.
func holds(v gjson.Result, tokens []string) (found bool) {
	if len(tokens) == 0 {
		return v.Exists()
	}
	want := strings.NewReplacer("~1", "/", "~0", "~").Replace(tokens[0])
	i := 0
	if v.IsObject() || v.IsArray() {
		v.ForEach(func(k, inner gjson.Result) bool {
			key := k.String()
			if v.IsArray() {
				key = fmt.Sprint(i)
			}
			i++
			found = found || (tokens[0] == "*" || key == want) && holds(inner, tokens[1:])
			return !found
		})
	}
	return found
}

// hints say what no case has exercised, each in a line.
func (t *guardianTest) hints() (hints []string) {
	missing := func(what string, list []string) {
		var never []string
		for _, s := range list {
			if !t.seen[s] {
				never = append(never, s)
			}
		}
		if never != nil {
			hints = append(hints, fmt.Sprintf("no case %s: %s", what, strings.Join(never, ", ")))
		}
	}
	missing("says", []string{"pass", "ask", "deny"})
	var phases, reads []string
	for _, p := range t.module.Manifest.Phases {
		phases = append(phases, string(p))
	}
	for _, p := range t.module.Manifest.Reads {
		reads = append(reads, p.String())
	}
	missing("asks in the phase", phases)
	missing("holds what is declared to be read", reads)
	if t.module.Manifest.Settings != nil {
		missing("hands over settings that", []string{"fit", "do not fit"})
	}
	return hints
}

// guestCase is one file: a question or settings, and what must come of it.
type guestCase struct {
	name     string
	Question json.RawMessage
	Settings json.RawMessage
	Verdict  any
	Decision string
	Fault    string
	Problems []any
	About    string // for people
	Name     string // likewise
}

func readCase(path string) (c guestCase, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return c, cannotRead(path, err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, fmt.Errorf("%s is no case: %w", path, err)
	}
	c.name = strings.TrimSuffix(filepath.Base(path), ".json")
	wants := 0
	for _, said := range []bool{c.Verdict != nil, c.Decision != "", c.Fault != "", c.Problems != nil} {
		if said {
			wants++
		}
	}
	if (c.Question == nil) == (c.Settings == nil) || wants != 1 {
		return c, fmt.Errorf("%s is no case: give a question or settings, and one of verdict, decision, fault, problems", path)
	}
	return c, nil
}

// document is what the module is given, without blanks.
func (c *guestCase) document() []byte {
	text := c.Question
	if text == nil {
		text = c.Settings
	}
	var out bytes.Buffer
	_ = json.Compact(&out, text) // it was read as JSON
	return out.Bytes()
}

// said is the result in a word: the decision, the fault, or whether settings fit.
func (c *guestCase) said(r host.Result) string {
	fault := string(r.Fault)
	if p := readable(c.Question, r.Output, c.Settings != nil); fault == "" && p != nil {
		fault = string(guardian.FaultBadVerdict)
	}
	switch {
	case fault != "":
		return "fault " + fault
	case c.Settings == nil:
		return gjson.GetBytes(r.Output, "decision").String()
	case len(gjson.GetBytes(r.Output, "problems").Array()) == 0:
		return "fit"
	}
	return "do not fit"
}

// wrong says how a result differs from what is wanted, "" when it does not.
func (c *guestCase) wrong(r host.Result) string {
	said := c.said(r)
	got := string(r.Output)
	if r.Fault != "" {
		got = faultWords(r)
	}
	switch {
	case c.Fault != "" && said == "fault "+c.Fault, c.Decision != "" && said == c.Decision:
		return ""
	case c.Fault != "":
		return fmt.Sprintf("   got %s\n  want the fault %s\n", oneLine(got), c.Fault)
	case c.Decision != "":
		return fmt.Sprintf("   got %s\n  want %s\n", oneLine(got), c.Decision)
	}
	want := c.Verdict
	if c.Problems != nil {
		want = map[string]any{"v": 1.0, "problems": c.Problems}
	}
	var have any
	if json.Unmarshal(r.Output, &have) == nil && r.Fault == "" && !strings.HasPrefix(said, "fault") && reflect.DeepEqual(have, want) {
		return ""
	}
	if again, err := json.Marshal(have); err == nil && have != nil {
		got = string(again) // so that both name their members in one order
	}
	text, _ := json.Marshal(want) // it was read from JSON
	got, wanted := apart(oneLine(got), string(text))
	return fmt.Sprintf("   got %s\n  want %s\n", got, wanted)
}

// longestTold is how much of a result is shown, in bytes.
const longestTold = 240

// apart cuts two long texts to where they part.
func apart(a, b string) (string, string) {
	if max(len(a), len(b)) <= longestTold {
		return a, b
	}
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	cut := func(s string) string {
		from, to := max(0, same-longestTold/4), min(len(s), same+longestTold*3/4)
		for from > 0 && from < len(s) && !utf8.RuneStart(s[from]) {
			from--
		}
		for to < len(s) && !utf8.RuneStart(s[to]) {
			to++
		}
		return []string{"", "…"}[min(from, 1)] + s[min(from, to):to] + []string{"", "…"}[min(len(s)-to, 1)]
	}
	return cut(a), cut(b)
}
