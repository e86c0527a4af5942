package ui

import (
	"fmt"
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
)

// readingProgress records how much of the text before the first field was on the screen. A person can agree only after
// the whole message was on the screen, because a peer could put the harmful part of a long message at its end. Folded
// lines were not on the screen. Our facts follow the message. Where they do not fit, one line for each stays in sight.
type readingProgress struct {
	q     *effect.Show
	body  []string // the peer's words, and our facts about them
	words int      // how many lines of the body are the peer's
	pins  []pin    // what stays in sight while the body scrolls
	width int      // to which both are wrapped
	long  bool     // they did not fit at the last drawing
	top   int      // the first visible line
	room  int      // number of visible lines when not all fit
	seen  int      // number of lines from the beginning that were on the screen
	done  bool     // the message and our facts were on the screen
	open  bool     // nothing is folded
	fold  int      // the first line that stands for folded lines, -1 for none
}

// fit wraps the texts again when the width has changed. It then forgets which lines were on the screen, because the
// lines are different.
func (r *readingProgress) fit(width int) {
	if r.width == width {
		return
	}
	r.write(width)
	r.top, r.seen = 0, 0
}

func (r *readingProgress) write(width int) {
	words, facts, fold := said(r.q, width, drawnBar, r.open)
	r.body, r.words, r.pins = ordered(words, facts), len(words), pinned(r.q, width, drawnBar)
	r.width, r.fold = width, fold
}

// folds reports whether there is something to fold or to open.
func (r *readingProgress) folds() bool { return r.fold >= 0 || r.open }

// turnFolds opens everything that is folded, or folds it again. The lines before the first fold stay the same. All
// after it are others, so they do not count as read.
func (r *readingProgress) turnFolds() {
	if !r.folds() {
		return
	}
	first := r.fold
	r.open = !r.open
	r.write(r.width)
	first = max(first, r.fold)
	r.top, r.seen = min(r.top, first), min(r.seen, first)
}

// visible returns the lines to draw when there is room for this many. With counts they count as seen; the caller sets
// it when the terminal really has the size of the drawing.
func (r *readingProgress) visible(room int, counts bool) []string {
	if r.long = len(r.body) > room; !r.long {
		r.top = 0
		r.done = r.done || counts && r.fold < 0
		return r.body
	}
	pins := r.pins[:max(min(len(r.pins), room-leastRead), 0)]
	r.room = max(room-1-len(pins), 1) // one line says that there is more
	r.top = max(min(r.top, len(r.body)-r.room), 0)
	complete := len(pins) == len(r.pins)
	short := complete && r.top == 0 && r.words > 0 && r.words+1 < r.room
	if short { // the warnings follow the message at once
		r.room = r.words
	}
	end := r.top + r.room
	if counts && r.top <= r.seen {
		r.seen = max(r.seen, end)
		r.done = r.done || r.fold < 0 && (r.seen >= len(r.body) || complete && r.seen >= r.words)
	}
	hint := []string{r.hint(end, len(r.body))}
	if short {
		return slices.Concat(r.body[:end], []string{""}, drawPins(pins, room-end-2), hint)
	}
	return slices.Concat(r.body[r.top:end], hint, drawPins(pins, len(pins)))
}

// drawPins returns each pin on one line, and the first ones whole while there is room.
func drawPins(pins []pin, room int) (lines []string) {
	spare := room - len(pins)
	for _, p := range pins {
		if more := len(p.whole) - 1; more <= spare {
			spare -= more
			lines = append(lines, p.whole...)
		} else {
			lines = append(lines, p.short)
		}
	}
	return lines
}

// leastRead is the number of lines that the message and the hint keep beside the lines that stay in sight.
const leastRead = 4

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
	if r.fold >= 0 {
		follows += ", some folded"
	}
	return palette.warn.Bold(true).Render(longest(r.width,
		follows+": PgUp, PgDn · "+acceptLabel(r.q)+" opens at the end", follows+": PgUp, PgDn"))
}
