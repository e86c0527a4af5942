package ui

import (
	"fmt"

	"github.com/elicit-engine/elicit/engine"
)

// reading is how far a person has come in what is said before the first field. Agreeing is possible once every line of
// it has been on the screen: a page can hold what nobody would agree to below what everybody sees.
type reading struct {
	q            *engine.Show
	words, facts []string // what the peer says, what we say
	width        int      // they are wrapped to
	long         bool     // they did not fit when they were last shown
	top          int      // the first line that is visible
	room         int      // lines that are visible when not all are
	seen         int      // so many lines from the beginning have been on the screen
	done         bool     // all have been
}

// fit wraps the texts anew when the width has changed. What was seen of other lines then counts no more.
func (r *reading) fit(width int) {
	if r.width == width {
		return
	}
	r.words, r.facts = said(r.q, width, drawnBar)
	r.width, r.top, r.seen = width, 0, 0
}

// visible is what to draw in so many lines. It counts as seen when the terminal really has the size that is drawn for.
func (r *reading) visible(room int, counts bool) []string {
	body := ordered(r.words, r.facts, room)
	if r.long = len(body) > room; !r.long {
		r.top = 0
		r.done = r.done || counts
		return body
	}
	r.room = max(room-1, 1) // a line says that there is more
	r.top = max(min(r.top, len(body)-r.room), 0)
	end := r.top + r.room
	if counts && r.top <= r.seen {
		r.seen = max(r.seen, end)
		r.done = r.done || r.seen >= len(body)
	}
	return append(body[r.top:end:end], r.hint(end, len(body)))
}

// turn shows the next page, or the one before; a line stays for the eye to hold on to.
func (r *reading) turn(pages int) { r.top = max(r.top+pages*max(r.room-1, 1), 0) }

// hint says how much follows, and what for.
func (r *reading) hint(end, all int) string {
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
	return palette.warn.Bold(true).Render(longest(r.width, follows+": PgUp, PgDn · "+agree(r.q)+" opens at the end", follows+": PgUp, PgDn"))
}
