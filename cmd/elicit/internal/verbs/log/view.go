package log

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/charmbracelet/colorprofile"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/changes"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/journals"
	"github.com/elicit-engine/elicit/engine/journal"
)

// logView is how `elicit log` shows journals.
type logView struct {
	json, follow bool
	brief        bool // one line for each question; else one for each record, and the proof
	untold       bool // what holds for the whole journal is not printed
	zone         *time.Location
	filter       questionFilter
	tally        tally     // counts questions in place of printing records; nil for none
	page         *logPage  // takes everything in place of printing it; nil for none
	screen       io.Writer // decides about colours; nil for the writer that is printed to
}

// tally counts the questions of journals.
type tally interface {
	add(*loggedQuestion)
	print(w io.Writer, zone *time.Location)
	AppendJSON([]byte) []byte
}

// colours returns a writer that keeps the colours that the terminal of the view can show.
func (v *logView) colours(w, out io.Writer) io.Writer {
	if v.screen != nil {
		w = v.screen
	}
	return &colorprofile.Writer{Forward: out, Profile: colorprofile.Detect(w, os.Environ())}
}

// printJournal prints the records up to the first broken one, then what it found at the end. When want is not nil, a
// record must have that hash.
func (v *logView) printJournal(w io.Writer, in *journals.Input, want *[32]byte) error {
	// Whether to print colours depends on the file, so Detect must get the file and not the buffer.
	out := bufio.NewWriterSize(w, 64<<10)
	defer out.Flush()
	words := &entryWriter{to: v.colours(w, out), zone: v.zone}
	show := words.print
	switch {
	case v.tally != nil:
		show = func(*logEntry) {}
	case v.json:
		show = func(e *logEntry) {
			if !*e.printed {
				*e.printed = true
				_, _ = cli.JSONOutput{To: out}.Write(e.json)
			}
		}
	}
	h := newRecordPrinter(v.zone)
	all := !v.filter.given() && v.tally == nil
	over := func(*loggedQuestion) {}
	brief := &briefLog{to: words.to, zone: v.zone}
	switch {
	case v.tally != nil:
		over = v.tally.add
	case v.page != nil:
		v.page.begin(in.Name)
		show, over = v.page.show, v.page.over
	case v.brief:
		show, over = func(*logEntry) {}, brief.add
	}
	chosen := &selector{filter: &v.filter, print: show, count: over}
	var chain journal.Chain
	var end journals.RunEnd
	found := int64(-1)
	for line := range in.Lines {
		rec, ok := chain.Next(line)
		if v.page != nil && all {
			v.page.Record(rec.Seq, line) // also the one that is refused, so that the page finds it
		}
		if !ok {
			break
		}
		if want != nil && chain.Head().Hash == *want {
			found = rec.Seq
		}
		end.Add(rec)
		switch {
		case all && v.json:
			_, _ = cli.JSONOutput{To: out}.Write(jsonEntry(rec, &h.rules, chain.Head()))
		default:
			var text []byte
			if v.json && v.tally == nil {
				text = jsonEntry(rec, &changes.Tracker{Config: h.rules.Config}, chain.Head())
			}
			if v.page != nil && !all {
				text = bytes.Clone(line)
			}
			e := h.read(rec)
			if e == nil {
				break
			}
			e.json, e.printed = text, new(bool)
			if v.brief && all {
				for _, c := range e.changes {
					brief.change(e.at, c)
				}
			}
			if all {
				show(e)
				for _, q := range h.questions.ending {
					over(q)
				}
			} else {
				chosen.take(e, h.questions.ending)
			}
			h.questions.finish()
		}
		if v.follow {
			words.rest()
			out.Flush() // an error stays
		}
		if _, err := out.Write(nil); err != nil {
			return err
		}
	}
	chosen.rest(&h.questions)
	if v.brief && all {
		h.questions.closeAll()
		for _, q := range h.questions.ending {
			over(q)
		}
	}
	brief.flush()
	words.rest()
	err := in.Err
	if p := chain.Problem(); p != nil && err == nil {
		err = journals.Broken(in.Name, *p)
	}
	if v.page != nil {
		if v.page.Full() {
			return errPageFull
		}
		v.page.end(in, chain.Head().Seq, chain.Head().Hash, &end, err)
	}
	if err != nil {
		return err
	}
	if v.brief {
		v.printBriefEnd(words.to, brief, in, chosen, chain.Head().Seq)
	} else {
		v.printEnd(out, words.to, in, chosen, chain.Head(), &end)
	}
	return v.printHead(words.to, in, want, found, chain.Head().Seq)
}

// jsonEntry is the line of JSON for a record.
func jsonEntry(rec journal.Record, rules *changes.Tracker, head journal.Head) []byte {
	changes := ""
	if list := rules.Add(rec); len(list) > 0 {
		changes = `,"changes":` + cli.JSON(list)
	}
	return fmt.Appendf(nil, `{"seq":%d,"at":%d,"event":%s,"effects":%s%s,"hash":"%x"}`+"\n",
		rec.Seq, rec.At, rec.Event, rec.Effects, changes, head.Hash)
}

// printBriefEnd says in one line what the lines above are.
func (v *logView) printBriefEnd(words io.Writer, brief *briefLog, in *journals.Input, chosen *selector, records int64) {
	said := cli.Counted(brief.told, "question", "questions")
	if v.filter.given() {
		said = fmt.Sprintf("%d of %s", chosen.found, cli.Counted(chosen.asked, "question matches", "questions match"))
	}
	if chosen.lost > 0 {
		said += fmt.Sprintf(", with %s left out", cli.Counted(chosen.lost, "record", "records"))
	}
	if keyed := in.Verification(); keyed != "" {
		said += ", " + keyed
	}
	fmt.Fprintln(words, faint.Render(fmt.Sprintf("%s; times are %s; %s, unbroken (--verify prints them)", said,
		zoneName(v.zone), cli.Counted(int(records), "record", "records"))))
}

// printEnd prints what holds for a whole journal.
func (v *logView) printEnd(out, words io.Writer, in *journals.Input, chosen *selector, head journal.Head,
	end *journals.RunEnd) {
	if v.tally != nil || v.untold {
		return
	}
	if v.json {
		keyed := ""
		if in.Codes.Keyed {
			keyed = fmt.Sprintf(`,"keyed":true,"verified":%t`, in.Key != nil)
		}
		fmt.Fprintf(out, `{"records":%d,"head":"%x","ended":%t%s}`+"\n", head.Seq, head.Hash, end.InOrder(), keyed)
		return
	}
	if v.filter.given() {
		fmt.Fprintf(words, "%d of %s\n", chosen.found, cli.Counted(chosen.asked, "question matches", "questions match"))
	}
	if chosen.lost > 0 {
		fmt.Fprintf(words, "%s left out, because they were too many to hold until their questions ended\n",
			cli.Counted(chosen.lost, "record is", "records are"))
	}
	fmt.Fprintf(words, "%d records, unbroken; times are %s\n%s\nhead %x\n", head.Seq, zoneName(v.zone), end, head.Hash)
	if keyed := in.Verification(); keyed != "" {
		fmt.Fprintln(words, keyed)
	}
}

// printHead says which record has the wanted hash.
func (v *logView) printHead(words io.Writer, in *journals.Input, want *[32]byte, found, last int64) error {
	switch {
	case want == nil:
	case found < 0:
		return fmt.Errorf("%s: none of its %d records has the hash of --head\n"+
			"  since then records were cut from the end, or the journal was rewritten, or it is another journal; "+
			"compare it with a copy", in.Name, last)
	case v.json:
	case found == last:
		fmt.Fprintln(words, "the hash of --head is that of the last record")
	default:
		fmt.Fprintf(words, "the hash of --head is that of record %d; %s since\n", found,
			cli.Counted(int(last-found), "record was added", "records were added"))
	}
	return nil
}

// printTally prints the counts of all journals.
func (v *logView) printTally(w io.Writer) {
	if v.json {
		_, _ = cli.JSONOutput{To: w}.Write(append(v.tally.AppendJSON(nil), '\n'))
		return
	}
	v.tally.print(v.colours(w, w), v.zone)
}

func zoneName(zone *time.Location) string {
	if zone == time.UTC {
		return "UTC"
	}
	name, offset := time.Now().In(zone).Zone()
	if offset == 0 && (name == "UTC" || name == "") {
		return "UTC"
	}
	return "local"
}
