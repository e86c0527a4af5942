package guardian

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/engine"
)

// guardianCases holds the flags and the results of `elicit guardian cases`, which makes cases of recorded questions.
type guardianCases struct {
	*loadedGuest
	under                    guestFlags
	journal, key, dir        string
	journalName              string // in the names of files and in "about"
	written                  []string
	seen                     map[string]bool
	withoutVerdict, existing []string
	repeated, redacted       int
}

func newGuardianCasesCommand() *cobra.Command {
	var g guardianCases
	cmd := cli.Verb("cases", cli.Args(1, 2, "give one module, and optionally a directory for the cases"), g.run)
	cmd.ValidArgsFunction = moduleThen("")
	cmd.Flags().StringVar(&g.journal, "from", "", "`journal` to read, or - for standard input")
	journals.AddKeyFlag(cmd, &g.key)
	g.under.addFlags(cmd)
	_ = cmd.MarkFlagRequired("from")
	_ = cmd.MarkFlagFilename("from", "jsonl")
	return cmd
}

func (g *guardianCases) run(cmd *cobra.Command, args []string) (err error) {
	if g.loadedGuest, err = openGuest(cmd, args[0], g.under); err != nil {
		return err
	}
	defer g.Close()
	g.dir = caseDirectory(args, "")
	in, err := journals.Open(cmd, g.journal, g.key)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.MkdirAll(g.dir, 0o700); err != nil {
		return err
	}
	g.seen, g.journalName = map[string]bool{}, filepath.Base(in.Name)
	var failed error
	out := engine.Reask(in.Lines, g.loadedGuest.permit, func(a engine.Asking) {
		if failed == nil {
			failed = g.writeCase(a)
		}
	})
	if err := cmp.Or(in.Fault(out.Problem), failed); err != nil {
		return err
	}
	g.print(cmd, out)
	if len(g.written)+len(g.existing) == 0 {
		return fmt.Errorf("%s has no question that this module would be asked; "+
			"check the phases and reads of its manifest with `elicit guardian inspect`", in.Name)
	}
	return nil
}

// writeCase writes the case of one question. It skips a question that differs from an earlier one only in its time and
// seed.
func (g *guardianCases) writeCase(a engine.Asking) error {
	var same []string
	gjson.ParseBytes(a.Question).ForEach(func(k, v gjson.Result) bool {
		if name := k.String(); name != "at" && name != "seed" {
			same = append(same, v.Raw)
		}
		return true
	})
	if key := strings.Join(same, "\n"); g.seen[key] {
		g.repeated++
		return nil
	} else {
		g.seen[key] = true
	}
	if bytes.Contains(a.Question, []byte(`{"$redacted":`)) {
		g.redacted++
	}
	name := slug(strings.TrimSuffix(g.journalName, filepath.Ext(g.journalName)), 24)
	name = fmt.Sprintf("%s_%d_%s", name, a.Record, slug(a.Request.Message, 40))
	if a.Phase != "before_show" {
		name += "_" + string(a.Phase)
	}
	c := guestCase{Question: a.Question}
	said := c.summary(g.evaluate(a.Question, false))
	if fault, is := strings.CutPrefix(said, "fault "); is {
		g.withoutVerdict = append(g.withoutVerdict, name+" ("+fault+")")
		return nil
	}
	about := fmt.Sprintf("record %d of %s, asked by %s", a.Record, g.journalName, a.Request.Server)
	text := fmt.Sprintf("{\n  \"about\": %s,\n  \"question\": %s,\n  \"decision\": %s\n}\n", cli.Quoted(about),
		spaced(string(a.Question)), cli.Quoted(said))
	path := filepath.Join(g.dir, name+".json")
	if _, err := os.Lstat(path); err == nil {
		g.existing = append(g.existing, name)
		return nil
	}
	g.written = append(g.written, name)
	return cli.WriteNew(path, cli.EscapeInvisible([]byte(text)), 0o600)
}

func (g *guardianCases) print(cmd *cobra.Command, out engine.Reasked) {
	w := cmd.OutOrStdout()
	slices.Sort(g.written)
	for _, name := range g.written {
		fmt.Fprintf(w, "%s\n", cli.Cell(name))
	}
	fmt.Fprintf(w, "%d cases written to %s, from %d questions of servers in %d records\n",
		len(g.written), cli.Cell(g.dir), out.Asked, out.Records)
	if g.repeated > 0 {
		fmt.Fprintf(w, "left out %d questions that repeat one of these\n", g.repeated)
	}
	if g.redacted > 0 {
		fmt.Fprintf(w, "withheld the secrets of %d answers, which no journal holds: "+
			"each case has {\"$redacted\":…} in their place\n", g.redacted)
	}
	if len(g.existing) > 0 {
		fmt.Fprintf(w, "kept %s: %s\n", cli.Counted(len(g.existing), "existing file", "existing files"),
			cli.Cell(strings.Join(g.existing, ", ")))
	}
	if len(g.withoutVerdict) > 0 {
		fmt.Fprintf(w, "left out %d questions on which the module gives no verdict: %s\n",
			len(g.withoutVerdict), cli.Cell(strings.Join(g.withoutVerdict, ", ")))
	}
}

// slug turns a text into a part of a file name: lower-case letters, digits and underscores, at most `most` bytes.
func slug(text string, most int) string {
	var out []byte
	for i := 0; i < len(text) && len(out) < most; i++ {
		c := text[i] | 32
		if c < 'a' || c > 'z' {
			if c = text[i]; c < '0' || c > '9' {
				c = '_'
			}
		}
		if c != '_' || len(out) > 0 && out[len(out)-1] != '_' {
			out = append(out, c)
		}
	}
	if out = bytes.TrimRight(out, "_"); len(out) == 0 {
		return "question"
	}
	return string(out)
}
