package main

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/journal"
)

func newLogCommand() *cobra.Command {
	var asJSON bool
	var head, key string
	cmd := &cobra.Command{
		Use:   "log [JOURNAL]",
		Short: "Read a journal: what was asked, decided, answered, and why",
		Long: `Print a journal for people, and verify at the same time that nobody changed it. Without
a file, print every journal that ` + "`elicit proxy`" + ` has kept at the default place, the newest
first.

Each record contains the hash of the one before. The command stops at the first record
that is cut, edited, missing or moved, and prints its number and line. Records that
are cut from the end leave no such trace. Two things show that: the last line says
whether the run was closed, and --head checks that a hash from an earlier run of this
command still belongs to a record. Nobody can forge a journal with --journal-key
without the key; give the same key here to verify it.
Exit codes: 0 whole, 1 broken, unreadable or without the head.`,
		Example: `  elicit log elicit.journal
  elicit log --json elicit.journal | jq .event
  elicit log --head 93df5597bcfd700f429511a10b9fea8de827bece02b47dbc0a5e6d44d192f35c elicit.journal`,
		Args: argCount(0, 1, "give one journal, - for standard input, or nothing for those at the default place"),
		RunE: func(cmd *cobra.Command, args []string) error {
			want, err := parseHead(head)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				if want != nil {
					return errors.New("--head belongs to one journal; give its file")
				}
				return printKeptJournals(cmd, key, asJSON)
			}
			return printOneJournal(cmd, args[0], key, asJSON, want)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a line of JSON for each record: seq, at, event, effects, hash; "+
		"then one with records, head, ended, keyed, verified")
	addKeyFlag(cmd, &key)
	cmd.Flags().StringVar(&head, "head", "",
		"`hash` that a record of the journal must have, as an earlier run of this command printed it")
	return cmd
}

func printOneJournal(cmd *cobra.Command, name, key string, asJSON bool, want *[32]byte) error {
	in, err := openJournal(cmd, name, key)
	if err != nil {
		return err
	}
	defer in.Close()
	return printJournal(cmd.OutOrStdout(), in, asJSON, want)
}

// parseHead reads the hash of a record; it is nil for the text "".
func parseHead(text string) (*[32]byte, error) {
	if text == "" {
		return nil, nil
	}
	var hash [32]byte
	raw, err := hex.DecodeString(strings.ToLower(text))
	if err != nil || len(raw) != len(hash) {
		return nil, errors.New("--head is not a hash; give the 64 hex digits that `elicit log` printed as the head")
	}
	copy(hash[:], raw)
	return &hash, nil
}

// printJournal prints the records up to the first broken one, then what it found at the end. When want is not nil, a
// record must have that hash.
func printJournal(w io.Writer, in *journalInput, asJSON bool, want *[32]byte) error {
	// Whether to print colours depends on the file, so Detect must get the file and not the buffer.
	out := bufio.NewWriter(w)
	defer out.Flush()
	colours := &colorprofile.Writer{Forward: out, Profile: colorprofile.Detect(w, os.Environ())}
	h := recordPrinter{out: colours, names: map[string]string{}, shown: map[string]bool{}, guardians: map[string]string{},
		questions: newQuestionLog()}
	var chain journal.Chain
	var end runEnd
	found := int64(-1)
	for line := range in.lines {
		rec, ok := chain.Next(line)
		if !ok {
			break
		}
		if want != nil && chain.Head().Hash == *want {
			found = rec.Seq
		}
		end.add(rec)
		if asJSON {
			changes := ""
			if list := h.rules.add(rec); len(list) > 0 {
				changes = `,"changes":` + string(elicit.AppendList(nil, list))
			}
			fmt.Fprintf(jsonOutput{out}, `{"seq":%d,"at":%d,"event":%s,"effects":%s%s,"hash":"%x"}`+"\n",
				rec.Seq, rec.At, rec.Event, rec.Effects, changes, chain.Head().Hash)
			continue
		}
		h.print(rec)
	}
	if in.err != nil {
		return in.err
	}
	if p := chain.Problem(); p != nil {
		return brokenJournal(in.name, *p)
	}
	head := chain.Head()
	if asJSON {
		keyed := ""
		if in.codes.Keyed {
			keyed = fmt.Sprintf(`,"keyed":true,"verified":%t`, in.key != nil)
		}
		fmt.Fprintf(out, `{"records":%d,"head":"%x","ended":%t%s}`+"\n", head.Seq, head.Hash, end.inOrder(), keyed)
	} else {
		fmt.Fprintf(h.out, "%d records, unbroken; times are UTC\n%s\nhead %x\n", head.Seq, &end, head.Hash)
		if keyed := in.verification(); keyed != "" {
			fmt.Fprintln(h.out, keyed)
		}
	}
	switch {
	case want == nil:
	case found < 0:
		return fmt.Errorf("%s: none of its %d records has the hash of --head\n"+
			"  since then records were cut from the end, or the journal was rewritten, or it is another journal; "+
			"compare it with a copy", in.name, head.Seq)
	case !asJSON && found == head.Seq:
		fmt.Fprintln(h.out, "the hash of --head is that of the last record")
	case !asJSON:
		fmt.Fprintf(h.out, "the hash of --head is that of record %d; %s since\n", found,
			counted(int(head.Seq-found), "record was added", "records were added"))
	}
	return nil
}

// runEnd follows the records of a journal to find out whether its run ended in order: the last record closes the last
// open session.
type runEnd struct {
	open   map[string]bool // sessions
	closed bool            // the last record closes a session
}

func (e *runEnd) add(rec journal.Record) {
	ev := gjson.ParseBytes(rec.Event)
	session := ev.Get("session").String()
	if e.open == nil {
		e.open = map[string]bool{}
	}
	if e.closed = false; gjson.GetBytes(rec.Effects, `#(effect=="problem")`).Exists() {
		return // the engine refused the event
	}
	switch ev.Get("event").String() {
	case "opened":
		e.open[session] = true
	case "resumed":
		state := ev.Get("state")
		if text := ev.Get("state_text"); text.Exists() {
			state = gjson.Parse(text.String())
		}
		e.open[state.Get("opened.session").String()] = true
	case "closed":
		delete(e.open, session)
		e.closed = true
	}
}

func (e *runEnd) inOrder() bool { return e.closed && len(e.open) == 0 }

func (e *runEnd) String() string {
	if e.inOrder() {
		return "ended in order: the last record closes the last session"
	}
	return "no closing record: the run continues, or it was stopped, or records were cut from the end"
}

// brokenJournal makes the error for a broken journal: what is wrong, where, and what to do about it.
func brokenJournal(name string, p elicit.Problem) error {
	for _, a := range p.Args {
		if a.Name == "line" {
			name += ":" + a.Raw
		}
	}
	return fmt.Errorf("%s: %s\n  %s", name, ui.Plain(english.Problem(p)), english.Remedy(p.Code, p.Args))
}
