package log

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// logEntry is one record in words.
type logEntry struct {
	seq, at int64
	line    string // the event
	about   *loggedQuestion
	lines   []entryLine // the effects
	changes []string    // of the rules, which are among the lines too
	json    []byte      // the record as `elicit log --json` prints it
	printed *bool       // whether that happened, shared by the parts of an entry
}

// entryLine is a line below an event, and the question that it is about, nil for none.
type entryLine struct {
	about *loggedQuestion
	text  string
}

// touches lists the questions that an entry is about.
func (e *logEntry) touches() (list []*loggedQuestion) {
	if e.about != nil {
		list = append(list, e.about)
	}
	for _, l := range e.lines {
		if l.about != nil && !slices.Contains(list, l.about) {
			list = append(list, l.about)
		}
	}
	return list
}

// of is the part of an entry that is about one question.
func (e *logEntry) of(q *loggedQuestion) *logEntry {
	part := *e
	part.lines = slices.DeleteFunc(slices.Clone(e.lines), func(l entryLine) bool { return l.about != q })
	return &part
}

// entryWriter prints entries. Of equal entries in a row it prints the first, and then how many followed.
type entryWriter struct {
	to      io.Writer
	zone    *time.Location
	last    string
	repeats int
	until   *logEntry
}

func (w *entryWriter) print(e *logEntry) {
	var text strings.Builder
	text.WriteString("  " + e.line + "\n")
	for _, l := range e.lines {
		fmt.Fprintf(&text, "      %s\n", l.text)
	}
	if text.String() == w.last {
		w.repeats++
		w.until = e
		return
	}
	w.rest()
	w.last = text.String()
	stamp := faint.Render(fmt.Sprintf("%4d  %s", e.seq, time.UnixMilli(e.at).In(w.zone).Format(time.DateTime)))
	fmt.Fprint(w.to, stamp, w.last)
}

// rest tells of the repeats that were not printed.
func (w *entryWriter) rest() {
	if w.repeats > 0 {
		fmt.Fprintln(w.to, faint.Render(fmt.Sprintf("      … and the same %s, the last time in record %d, %s",
			cli.Counted(w.repeats, "more time", "more times"), w.until.seq,
			time.UnixMilli(w.until.at).In(w.zone).Format(time.DateTime))))
	}
	w.repeats, w.last = 0, ""
}

// briefLog prints one line for each question that is over: when it was asked, how it ended and who decided, how long it
// took, who asked and what. Questions of one day that are alike are one line, also when others stand between them.
type briefLog struct {
	to   io.Writer
	zone *time.Location
	day  string
	rows []*briefRow // that are not printed yet, by their first question
	at   map[briefKey]*briefRow
	told int // questions
}

// briefKey is what alike questions have in common.
type briefKey struct{ what, who, outcome, by string }

type briefRow struct {
	briefKey
	first, last int64
	took        int64 // of the first
	times       int
}

// mostRows bounds the lines that wait for others like them.
const mostRows = 64

// add takes a question that is over, or that is open at the end of the journal. It may be given again.
func (b *briefLog) add(q *loggedQuestion) {
	if q.told {
		return
	}
	q.told = true
	b.told++
	message := cmp.Or(q.message, "(not kept)")
	if rest, said := strings.CutPrefix(message, q.tool); said && q.tool != "" {
		message = cmp.Or(strings.TrimLeft(rest, ": \n"), message) // the tool stands beside it
	}
	key := briefKey{what: plain.Cut(strings.Join(strings.Fields(cli.Cell(message)), " "), 72), who: cli.Cell(q.server),
		outcome: cmp.Or(cli.OneLine(string(q.outcome)), "no reply"), by: cmp.Or(q.by, q.why(), "still open")}
	if q.tool != "" {
		key.who += " " + cli.Cell(q.tool)
	}
	day := b.moment(q.asked).Format(time.DateOnly)
	if day != b.day || len(b.rows) == mostRows && b.at[key] == nil {
		b.flush()
	}
	if day != b.day {
		b.day = day
		fmt.Fprintln(b.to, loud.Render(day))
	}
	row := b.at[key]
	if row == nil {
		row = &briefRow{briefKey: key, first: q.asked, took: -1}
		if q.ended >= q.asked && q.ended > 0 {
			row.took = q.ended - q.asked
		}
		if b.at == nil {
			b.at = map[briefKey]*briefRow{}
		}
		b.at[key], b.rows = row, append(b.rows, row)
	}
	row.last = max(row.last, q.asked)
	row.times++
}

// change takes what is no question and is told too, such as other rules.
func (b *briefLog) change(at int64, text string) {
	b.flush()
	fmt.Fprintf(b.to, "%s  %s\n", faint.Render(b.moment(at).Format(time.TimeOnly)), text)
}

func (b *briefLog) moment(at int64) time.Time { return time.UnixMilli(at).In(b.zone) }

// flush prints the lines that wait.
func (b *briefLog) flush() {
	slices.SortStableFunc(b.rows, func(x, y *briefRow) int { return cmp.Compare(x.first, y.first) })
	for _, row := range b.rows {
		took := ""
		if row.took >= 0 {
			took = ", " + spent(row.took)
		}
		style := answerStyle(row.outcome)
		if row.outcome == string(elicit.Cancelled) || row.outcome == "no reply" {
			style = faint
		}
		fmt.Fprintf(b.to, "%s  %s  %s  “%s”  %s", faint.Render(b.moment(row.first).Format(time.TimeOnly)),
			style.Render(fmt.Sprintf("%-8s", row.outcome)), row.who, row.what, faint.Render(row.by+took))
		if row.times > 1 {
			fmt.Fprintf(b.to, "  × %d, the last at %s", row.times, b.moment(row.last).Format(time.TimeOnly))
		}
		fmt.Fprintln(b.to)
	}
	b.rows = b.rows[:0]
	clear(b.at)
}
