package ui

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// foldedFrom is the number of lines from which a section of a diff is folded, and longDiff the number from which any of
// a diff is.
const (
	foldedFrom = 8
	longDiff   = 24
)

// diffPen draws the lines of a diff. The sign of a line stays, so that no meaning is in its colour alone.
type diffPen struct {
	bar                             string
	room                            int // columns after the bar
	added, removed, aside, file, as func(line string) string
}

func newDiffPen(width int, bar string) diffPen {
	return diffPen{bar: palette.accent.Render(strings.TrimRight(bar, " ")) + " ", room: width - ansi.StringWidth(bar),
		added: painter(palette.good), removed: painter(palette.bad), aside: painter(palette.faint), file: painter(bold),
		as: func(line string) string { return line }}
}

// section is a file or a hunk of a diff that is being drawn.
type section struct {
	passage
	count, added, removed int // lines after the head
}

// draw draws a diff. The sections of a long one are folded, without their heads.
func (d diffPen) draw(text string) (list []passage) {
	lines := strings.Split(text, "\n")
	fold := painter(palette.warn)
	var open section
	end := func() {
		if len(lines) >= longDiff && open.count >= foldedFrom {
			open.fold = fold(fmt.Sprintf("  ▸ %d lines are folded (+%d -%d): ^O opens", open.count, open.added, open.removed))
		} else {
			open.lines, open.folded = append(open.lines, open.folded...), nil
		}
		list = append(list, open.passage)
		open = section{}
	}
	for _, line := range lines {
		paint, heads := d.style(line, open.count == 0)
		if heads {
			if open.count > 0 {
				end()
			}
			open.lines = d.line(open.lines, line, paint)
			continue
		}
		open.folded = d.line(open.folded, line, paint)
		open.count++
		switch {
		case strings.HasPrefix(line, "+"):
			open.added++
		case strings.HasPrefix(line, "-"):
			open.removed++
		}
	}
	end()
	return list
}

// style says how a line is drawn, and whether it is of the head of a section. first says that no line of the section
// came yet: the names of the files may begin with a sign then.
func (d diffPen) style(line string, first bool) (paint func(string) string, heads bool) {
	if line == "" {
		return d.as, false
	}
	names := first && (strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ "))
	switch {
	case names:
		return d.file, true
	case line[0] == '+':
		return d.added, false
	case line[0] == '-':
		return d.removed, false
	case line[0] == '@':
		return d.aside, true
	case line[0] == '\\':
		return d.aside, false
	case line[0] == ' ':
		return d.as, false
	}
	return d.file, true
}

// line appends a line, wrapped. Its further lines are indented, so that none of them has a sign.
func (d diffPen) line(dst []string, line string, paint func(string) string) []string {
	const indent = "    "
	line = Plain(line)
	switch {
	case line == "":
		return append(dst, strings.TrimRight(d.bar, " "))
	case columnsOfText(line) <= d.room:
		return append(dst, d.bar+paint(line))
	}
	for i, one := range wrapped(line, d.room-len(indent)) {
		if i > 0 {
			one = indent + one
		}
		dst = append(dst, d.bar+paint(one))
	}
	return dst
}

// painter returns a function that draws a plain line as style.Render does. It asks the style only once, because a long
// message has many lines.
func painter(style lipgloss.Style) func(line string) string {
	before, after, _ := strings.Cut(style.Render("x"), "x")
	return func(line string) string { return before + line + after }
}
