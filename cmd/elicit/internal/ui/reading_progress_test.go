package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// questionOf returns a question whose message has this many short lines.
func questionOf(lines int) *effect.Show {
	var message []string
	for i := range lines {
		message = append(message, fmt.Sprint("line ", i+1))
	}
	return &effect.Show{Server: "demo", Mode: elicit.Form, Message: strings.Join(message, "\n")}
}

func TestReadingEndsWithTheLastLine(t *testing.T) {
	r := readingProgress{q: questionOf(30)}
	r.fit(80)
	for page, want := range []string{"line 9", "line 17", "line 25", "line 30"} {
		if r.done {
			t.Fatalf("done before page %d", page)
		}
		lines := r.visible(10, true)
		if got := lines[len(lines)-2]; !strings.HasSuffix(got, want) || len(lines) != 10 {
			t.Errorf("page %d: %d lines to %q, want 10 to %q", page, len(lines), got, want)
		}
		r.turnPage(1)
	}
	if !r.done {
		t.Error("not done after the last page")
	}
	r.turnPage(-100)
	if r.visible(10, true); r.top != 0 || !r.done {
		t.Errorf("back at the beginning: line %d, done %v", r.top, r.done)
	}
}

func TestReadingCountsOnlyWhatWasDrawn(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*readingProgress)
	}{
		{"drawn for another size", func(r *readingProgress) { r.visible(40, false) }},
		{"pages that were skipped", func(r *readingProgress) {
			r.visible(10, true)
			r.turnPage(1)
			r.turnPage(1)
			r.turnPage(1)
			r.visible(10, true)
		}},
		{"the end alone", func(r *readingProgress) {
			r.turnPage(100)
			r.visible(10, true)
		}},
		{"the end after the width has changed", func(r *readingProgress) {
			r.visible(10, true)
			r.turnPage(1)
			r.visible(10, true)
			r.fit(40)
			r.turnPage(2)
			r.visible(12, true)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := readingProgress{q: questionOf(30)}
			r.fit(80)
			if c.do(&r); r.done {
				t.Error("counts as read")
			}
		})
	}
}

func TestShortMessageIsReadAtOnce(t *testing.T) {
	r := readingProgress{q: questionOf(3)}
	r.fit(80)
	if lines := r.visible(3, true); !r.done || len(lines) != 3 {
		t.Errorf("done %v with %d lines", r.done, len(lines))
	}
}
