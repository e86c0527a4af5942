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
		Use:   "log JOURNAL",
		Short: "Read a journal: what was asked, decided, answered, and why",
		Long: `Print a journal for people, and verify on the way that nobody changed it.

Each record is bound to the one before; the first that is cut, edited, missing or
moved ends the history with its number and line. Records lost from the end leave no
such trace. Two things tell of them: the end says whether the run was closed, and
--head compares with the head, the hash of the last record, kept from another time.
A journal written with --journal-key can be forged by nobody without the key; give
the same key here to verify it.
Exit codes: 0 whole, 1 broken, unreadable or without the head.`,
		Example: `  elicit log elicit.journal
  elicit log --json elicit.journal | jq .event
  elicit log --head 93df5597bcfd700f429511a10b9fea8de827bece02b47dbc0a5e6d44d192f35c elicit.journal`,
		Args: between(1, 1, "give one journal, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			want, err := parseHead(head)
			if err != nil {
				return err
			}
			in, err := openJournal(cmd, args[0], key)
			if err != nil {
				return err
			}
			defer in.Close()
			return printJournal(cmd.OutOrStdout(), in, asJSON, want)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a record: seq, at, event, effects, hash; then one with records, head, ended, keyed, verified")
	addKeyFlag(cmd, &key)
	cmd.Flags().StringVar(&head, "head", "", "`hash` that a record of the journal must have, as an earlier run of this command printed it")
	return cmd
}

// parseHead reads the hash of a record, nil when none is given.
func parseHead(text string) (*[32]byte, error) {
	if text == "" {
		return nil, nil
	}
	var hash [32]byte
	if raw, err := hex.DecodeString(strings.ToLower(text)); err != nil || copy(hash[:], raw) != len(hash) || len(raw) != len(hash) {
		return nil, errors.New("--head takes the 64 hex digits that `elicit log` prints as the head")
	}
	return &hash, nil
}

// printJournal prints every record up to the first that is wrong, and what the end tells. With a head given, a record
// must have it.
func printJournal(w io.Writer, in *journalInput, asJSON bool, want *[32]byte) error {
	// The file decides whether colours are wanted, so the profile is taken before the buffer comes between.
	out := bufio.NewWriter(w)
	defer out.Flush()
	colours := &colorprofile.Writer{Forward: out, Profile: colorprofile.Detect(w, os.Environ())}
	h := history{out: colours, names: map[string]string{}, shown: map[string]bool{}, asked: map[string]string{}}
	var chain journal.Chain
	var end closing
	found := int64(-1)
	for line := range in.lines {
		rec, ok := chain.Next(line)
		if !ok {
			break
		}
		if want != nil && chain.Head().Hash == *want {
			found = rec.Seq
		}
		end.see(rec)
		if asJSON {
			changes := ""
			if list := h.rules.see(rec); len(list) > 0 {
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
		if keyed := in.keyed(); keyed != "" {
			fmt.Fprintln(h.out, keyed)
		}
	}
	switch {
	case want == nil:
	case found < 0:
		return fmt.Errorf("%s: none of its %d records has the head given\n  records were cut from the end since, or the journal was written anew, or it is another one", in.name, head.Seq)
	case !asJSON && found == head.Seq:
		fmt.Fprintln(h.out, "the head given is the last record")
	case !asJSON:
		fmt.Fprintf(h.out, "the head given is record %d; the %d after it came later\n", found, head.Seq-found)
	}
	return nil
}

// closing follows a journal to tell whether its run ended in order: the last record closes the last session.
type closing struct {
	open   map[string]bool
	closed bool // by the last record
}

func (e *closing) see(rec journal.Record) {
	ev := gjson.ParseBytes(rec.Event)
	session := ev.Get("session").String()
	if e.open == nil {
		e.open = map[string]bool{}
	}
	if e.closed = false; gjson.GetBytes(rec.Effects, `#(effect=="problem")`).Exists() {
		return // the event was not taken
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

func (e *closing) inOrder() bool { return e.closed && len(e.open) == 0 }

func (e *closing) String() string {
	if e.inOrder() {
		return "ended in order: the last record closes the last session"
	}
	return "no closing record: the run goes on, or was cut off, or records were cut from the end"
}

// brokenJournal says what is wrong, where, and what to do about it.
func brokenJournal(name string, p elicit.Problem) error {
	for _, a := range p.Args {
		if a.Name == "line" {
			name += ":" + a.Raw
		}
	}
	return fmt.Errorf("%s: %s\n  %s", name, ui.Plain(english.Problem(p)), english.Remedy(p.Code, p.Args))
}
