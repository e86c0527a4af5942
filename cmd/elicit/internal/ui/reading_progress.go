package ui

import (
	"fmt"

	"github.com/elicit-engine/elicit/engine"
)

// readingProgress records how much of the text before the first field was on the screen. A person can agree only after
// every line was on the screen, because a peer could put the harmful part of a long message at its end.
type readingProgress struct {
	q            *engine.Show
	words, facts []string // the peer's words, and our facts about them
	width        int      // to which both are wrapped
	long         bool     // they did not fit at the last drawing
	top          int      // the first visible line
	room         int      // number of visible lines when not all fit
	seen         int      // number of lines from the beginning that were on the screen
	done         bool     // all lines were on the screen
}

// fit wraps the texts again when the width has changed. It then forgets which lines were on the screen, because the
// lines are different.
func (r *readingProgress) fit(width int) {
	if r.width == width {
		return
	}
	r.words, r.facts = said(r.q, width, drawnBar)
	r.width, r.top, r.seen = width, 0, 0
}

// visible returns the lines to draw when there is room for this many. With counts they count as seen; the caller sets
// it when the terminal really has the size of the drawing.
func (r *readingProgress) visible(room int, counts bool) []string {
	body := ordered(r.words, r.facts, room)
	if r.long = len(body) > room; !r.long {
		r.top = 0
		r.done = r.done || counts
		return body
	}
	r.room = max(room-1, 1) // one line says that there is more
	r.top = max(min(r.top, len(body)-r.room), 0)
	end := r.top + r.room
	if counts && r.top <= r.seen {
		r.seen = max(r.seen, end)
		r.done = r.done || r.seen >= len(body)
	}
	return append(body[r.top:end:end], r.hint(end, len(body)))
}

// turnPage shows the next page, or with a negative number an earlier one. Two pages have one line in common, so that
// the reader finds the place.
func (r *readingProgress) turnPage(pages int) { r.top = max(r.top+pages*max(r.room-1, 1), 0) }

// hint says how many lines follow, and that the accept button works at the end.
func (r *readingProgress) hint(end, all int) string {
	follows := "… the end"
	switch left := all - end; {
	case left == 1:
		follows = "… 1 more line"
	case left > 1:
		follows = fmt.Sprintf("… %d more lines", left)
	}
	if r.done {
		return palette.faint.Render(follows + ": PgUp, PgDn")
	}
	return palette.warn.Bold(true).Render(longest(r.width,
		follows+": PgUp, PgDn · "+acceptLabel(r.q)+" opens at the end", follows+": PgUp, PgDn"))
}
