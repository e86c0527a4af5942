package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
)

// guardianCases is `elicit guardian cases`: real questions as cases.
type guardianCases struct {
	*trial
	journal, key, grant, dir string
	at                       string // name of the journal in what is written
	made                     []string
	seen                     map[string]bool
	unanswered, left         []string
	repeated, redacted       int
}

func newGuardianCasesCommand() *cobra.Command {
	var g guardianCases
	cmd := &cobra.Command{
		Use:   "cases MODULE.wasm --from JOURNAL [DIR]",
		Short: "Turn the questions of a journal into cases",
		Long: `Read a journal and write a case for every question that the module would have been asked,
also where no guardian was asked then. A case holds what the manifest declares and the
grant of --grant lets through, and the decision that the module comes to now: read each,
and correct the decision where it is wrong.

Secrets are not in a journal, so no case holds one; but what people typed into other
fields is there, so the files are for you alone (mode 0600). The directory is "cases"
beside the module unless told. A file that is there already is left as it is.
Afterwards it says what it left out.`,
		Example:           "  elicit guardian cases guardian.wasm --from run.jsonl\n  elicit guardian cases links.wasm --from run.jsonl --journal-key journal.key /tmp/real",
		Args:              between(1, 2, "give one module, and a directory for the cases"),
		ValidArgsFunction: moduleThenDirectory,
		RunE:              g.run,
	}
	cmd.Flags().StringVar(&g.journal, "from", "", "`journal` to read, or -")
	addKeyFlag(cmd, &g.key)
	addGrantFlag(cmd, &g.grant)
	_ = cmd.MarkFlagRequired("from")
	_ = cmd.MarkFlagFilename("from", "jsonl")
	return cmd
}

func (g *guardianCases) run(cmd *cobra.Command, args []string) (err error) {
	if g.trial, err = openGuest(cmd, args[0], 0, g.grant); err != nil {
		return err
	}
	defer g.Close()
	g.dir = filepath.Join(filepath.Dir(args[0]), "cases")
	if len(args) == 2 {
		g.dir = args[1]
	}
	in, err := openJournal(cmd, g.journal, g.key)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.MkdirAll(g.dir, 0o700); err != nil {
		return err
	}
	g.seen, g.at = map[string]bool{}, filepath.Base(in.name)
	var failed error
	out := engine.Reask(in.lines, g.trial.grant, func(a engine.Asking) {
		if failed == nil {
			failed = g.write(a)
		}
	})
	switch {
	case in.err != nil:
		return in.err
	case out.Problem != nil:
		return brokenJournal(in.name, *out.Problem)
	case failed != nil:
		return failed
	}
	g.tell(cmd, out)
	if len(g.made)+len(g.left) == 0 {
		return errors.New("the journal has no question that this module would be asked")
	}
	return nil
}

// write makes a case of one question, unless the same question came before at another time.
func (g *guardianCases) write(a engine.Asking) error {
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
	name := fmt.Sprintf("%s_%d_%s", slug(strings.TrimSuffix(g.at, filepath.Ext(g.at)), 24), a.Record, slug(a.Request.Message, 40))
	if a.Phase != "before_show" {
		name += "_" + string(a.Phase)
	}
	c := guestCase{Question: a.Question}
	said := c.said(g.evaluate(a.Question, false))
	if fault, is := strings.CutPrefix(said, "fault "); is {
		g.unanswered = append(g.unanswered, name+" ("+fault+")")
		return nil
	}
	about := fmt.Sprintf("record %d of %s, asked by %s", a.Record, g.at, a.Request.Server)
	text := fmt.Sprintf("{\n  \"about\": %s,\n  \"question\": %s,\n  \"decision\": %s\n}\n", quoted(about),
		spaced(string(a.Question)), quoted(said))
	path := filepath.Join(g.dir, name+".json")
	if _, err := os.Lstat(path); err == nil {
		g.left = append(g.left, name)
		return nil
	}
	g.made = append(g.made, name)
	return writeNew(path, escaped([]byte(text)), 0o600)
}

func (g *guardianCases) tell(cmd *cobra.Command, out engine.Reasked) {
	w := cmd.OutOrStdout()
	slices.Sort(g.made)
	for _, name := range g.made {
		fmt.Fprintf(w, "%s\n", cell(name))
	}
	fmt.Fprintf(w, "%d cases written to %s, from %d questions of servers in %d records\n", len(g.made), cell(g.dir), out.Asked, out.Records)
	if g.repeated > 0 {
		fmt.Fprintf(w, "left out %d questions that repeat one of these\n", g.repeated)
	}
	if g.redacted > 0 {
		fmt.Fprintf(w, "withheld the secrets of %d answers, which no journal holds: each case has {\"$redacted\":…} in their place\n", g.redacted)
	}
	if len(g.left) > 0 {
		fmt.Fprintf(w, "left %d files that were there already: %s\n", len(g.left), cell(strings.Join(g.left, ", ")))
	}
	if len(g.unanswered) > 0 {
		fmt.Fprintf(w, "left out %d questions that the module gives no verdict on: %s\n", len(g.unanswered), cell(strings.Join(g.unanswered, ", ")))
	}
}

// slug is a text as part of a file name: lower-case letters, digits and underscores, at most so many.
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
