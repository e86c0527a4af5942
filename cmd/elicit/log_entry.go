package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
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

const logTime = "2006-01-02 15:04:05"

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
	stamp := faint.Render(fmt.Sprintf("%4d  %s", e.seq, time.UnixMilli(e.at).In(w.zone).Format(logTime)))
	fmt.Fprint(w.to, stamp, w.last)
}

// rest tells of the repeats that were not printed.
func (w *entryWriter) rest() {
	if w.repeats > 0 {
		fmt.Fprintln(w.to, faint.Render(fmt.Sprintf("      … and the same %s, the last time in record %d, %s",
			counted(w.repeats, "more time", "more times"), w.until.seq,
			time.UnixMilli(w.until.at).In(w.zone).Format(logTime))))
	}
	w.repeats, w.last = 0, ""
}
