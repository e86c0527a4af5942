package ui

import (
	"cmp"
	"strings"

	"charm.land/huh/v2"
	"charm.land/lipgloss/v2"

	"github.com/elicit-engine/elicit/engine/schema"
)

// line draws the row on one line: its label, what it holds, and its problem. A problem that does not fit gets lines
// of its own.
func (r *fieldRow) line() string {
	base := theme(true).Blurred.Base
	inner := r.width - base.GetHorizontalFrameSize()
	name := cut(label(r.field), inner*2/5)
	value := strings.ReplaceAll(r.value(), "\n", " ")
	value = cmp.Or(value, "–")
	room := inner - lipgloss.Width(drawnBar+name+": ")
	text := withBars([]string{name + ":"}, drawnBar) + " " + cut(value, room)
	if r.problem == "" {
		return base.Render(text)
	}
	problem := "✗ " + r.problem
	if lipgloss.Width(text)+2+lipgloss.Width(problem) <= inner {
		return base.Render(text + "  " + palette.bad.Render(problem))
	}
	return base.Render(text + "\n   " + ours(palette.bad, problem, inner-3))
}

// cut shortens a text to a number of columns.
func cut(text string, columns int) string {
	first := wrapped(text, columns)
	if len(first) == 1 {
		return text
	}
	return wrapped(text, columns-1)[0] + "…"
}

// state returns what the person has made of the row, to tell a change.
func (r *fieldRow) state() string {
	_, touched := r.typed()
	if touched || r.field.Kind == schema.ManyChoices {
		return r.value() + "."
	}
	return r.value()
}

// position returns the number of the choice that the cursor is on, from 1, and how many choices there are. It is 0 for
// a row that is no list, or where no choice is selected.
func (r *fieldRow) position() (now, all int) {
	if s, ok := r.Field.(*huh.Select[int]); ok {
		if at, ok := s.Hovered(); ok {
			now = at + 1
		}
	}
	return now, len(r.field.Choices)
}
