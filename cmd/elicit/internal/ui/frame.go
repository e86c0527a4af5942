package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"
	"charm.land/lipgloss/v2"

	"github.com/elicit-engine/elicit/engine/english"
)

// A frame is, from top to bottom: the title, the message with our facts (the head), the fields and buttons, and the
// footer. The head gets half of the lines, or more if the fields leave them over.

// layout tells the fields their width. They are drawn in full if the whole form fits, and else on one line each, except
// the one that has the focus.
func (s *screen) layout() tea.Cmd {
	for _, r := range s.rows {
		r.tight = s.gap() == 0
	}
	m, cmd := s.form.Update(tea.WindowSizeMsg{Width: s.columns(), Height: s.height})
	s.form = m.(*huh.Form)
	for _, r := range s.rows {
		r.compact = false
	}
	s.reading.fit(s.columns())
	if s.formHeight()+len(s.reading.body)+2*s.gap()+1+footLines > s.height {
		for _, r := range s.rows {
			r.compact = true
		}
		// A list scrolls by itself, so it gets the lines that the title, the marks and its position leave over.
		room := s.height - len(s.header(false)) - footLines - 3
		m, more := s.form.Update(tea.WindowSizeMsg{Width: s.columns(), Height: max(room, 3)})
		s.form, cmd = m.(*huh.Form), tea.Batch(cmd, more)
	}
	return cmd
}

// footLines is the number of lines of the footer.
const footLines = 2

// gap is the number of empty lines between the parts: none on a terminal with few lines.
func (s *screen) gap() int {
	if s.height < 14 {
		return 0
	}
	return 1
}

// columns returns the width for wrapping, at most 100 so that lines stay readable.
func (s *screen) columns() int { return min(s.width, 100) }

// View draws the request on the alternate screen, so that the terminal shows its earlier content again afterwards.
func (s *screen) View() tea.View {
	var v tea.View
	v.AltScreen = true
	v.WindowTitle = "elicit: " + oneLine(clip(s.q.Server, 40)) + " asks"
	if s.gone != "" {
		v.SetContent(strings.Join([]string{s.title(), "",
			palette.warn.Render("This question is gone: " + english.Cause(s.gone) + "."),
			"Nothing was answered.", "", palette.faint.Render("enter closes")}, "\n"))
		return v
	}
	if s.writing != nil {
		v.SetContent(s.viewWriting())
		return v
	}
	lines := s.header(true)
	lines = append(lines, s.body(s.height-len(lines)-footLines)...)
	v.SetContent(strings.Join(append(lines, s.foot()), "\n"))
	return v
}

// header returns the title and a part of the message that leaves half of the screen to the form. With drawn, the lines
// count as read.
func (s *screen) header(drawn bool) []string {
	s.reading.fit(s.columns())
	blank := make([]string, s.gap())
	room := max(s.height/2-3, s.height-s.formHeight()-2*s.gap()-1-footLines, 2)
	lines := append([]string{s.title()}, blank...)
	lines = append(lines, s.reading.visible(room, drawn && s.size == sizeKnown)...)
	return append(lines, blank...)
}

// part is one field or the buttons, as drawn.
type part struct {
	lines   []string
	focused bool
}

// parts draws the fields and the buttons.
func (s *screen) parts() (list []part) {
	focus := s.form.GetFocusedField()
	for i, r := range s.rows {
		lines := strings.Split(r.View(), "\n")
		if !r.compact && i > 0 {
			lines = append([]string{""}, lines...)
		}
		list = append(list, part{lines, focus == huh.Field(r)})
	}
	lines := append(s.written(), strings.Split(s.buttons.View(), "\n")...)
	if len(s.rows) > 0 && s.gap() > 0 {
		lines = append([]string{""}, lines...)
	}
	return append(list, part{lines, focus == huh.Field(s.buttons)})
}

// formHeight returns the number of lines that the form uses without a limit.
func (s *screen) formHeight() (n int) {
	for _, p := range s.parts() {
		n += len(p.lines)
	}
	return n
}

// body returns the part of the form around the focus that fits, with the field before it: the person has just left that
// field and may have to correct it.
func (s *screen) body(room int) (lines []string) {
	room = max(room, 1)
	from, to, before, at := 0, 0, 0, 0
	var starts []int
	for i, p := range s.parts() {
		starts = append(starts, len(lines))
		if p.focused {
			from, to, at = len(lines), len(lines)+len(p.lines), i
		}
		lines = append(lines, p.lines...)
	}
	if len(lines) <= room {
		return lines
	}
	if at > 0 {
		before = from - starts[at-1]
	}
	if to-from+before > room-2 {
		before = 0
	}
	top, end := visibleLines(len(lines), room, from-before, to)
	above, below := 0, 0
	for i, start := range starts {
		until := len(lines)
		if i+1 < len(starts) {
			until = starts[i+1]
		}
		if start < top {
			above++
		}
		if until > end {
			below++
		}
	}
	shown := lines[top:end:end]
	if top > 0 && len(shown) < room {
		shown = append([]string{more("↑", above, "above")}, shown...)
	}
	if end < len(lines) && len(shown) < room {
		shown = append(shown, more("↓", below, "below"))
	}
	return shown
}

// visibleLines chooses which of many lines are drawn, so that those of the focus are among them. It leaves a line for
// each mark that says that there are more, if there are lines enough.
func visibleLines(lines, room, from, to int) (top, end int) {
	switch {
	case room < 4:
		top = min(from, lines-room)
		return top, top + room
	case to <= room-1: // the beginning, with a mark below
		return 0, room - 1
	case lines-from <= room-1: // the end, with a mark above
		return lines - room + 1, lines
	}
	return from, from + room - 2
}

// more says how many fields are not drawn.
func more(arrow string, n int, where string) string {
	if n == 0 {
		return ""
	}
	return palette.faint.Render(fmt.Sprintf("  %s %d more %s", arrow, n, where))
}

func (s *screen) title() string {
	left := asker(s.q)
	right := remaining(s.q.Deadline, s.clock())
	if others := queued(s.waiting()); others != "" {
		right = strings.Join(nonEmpty(right, palette.faint.Render(others)), " · ")
	}
	if gap := s.columns() - lipgloss.Width(left) - lipgloss.Width(right); gap > 0 {
		return left + strings.Repeat(" ", gap) + right
	}
	// The time and the others come first: a long name must not push them off the line.
	return strings.Join(nonEmpty(right, left), " ")
}

// keys returns the footer in several lengths.
func (s *screen) keys() []string {
	end := " · esc cancel"
	if s.q.Deadline != 0 && s.moreTime != nil {
		end = " · ^T more time · esc cancel"
	}
	switch {
	case !s.ready:
		return []string{notReady}
	case !s.reading.done && s.reading.fold >= 0:
		return []string{"ctrl+o unfold · PgDn, PgUp read on · ctrl+x decline" + end, "^O unfold · PgDn · ^X decline" + end,
			"^O unfold · ^X decline · esc cancel", "^O unfold · esc cancel"}
	case !s.reading.done:
		return []string{"PgDn, PgUp read on · ctrl+x decline" + end, "PgDn · ^X decline" + end,
			"PgDn · ^X decline · esc cancel"}
	case len(s.rows) > 0:
		return []string{"* required · tab next · shift+tab back · ctrl+s submit · ctrl+x decline" + end,
			"tab, shift+tab move · ctrl+s submit · ctrl+x decline" + end, "^S submit · ^X decline" + end,
			"^S submit · ^X decline · esc cancel", "^S submit · esc cancel"}
	}
	list := []string{"←/→, y or n choose · enter confirm" + end, "y, n choose · enter" + end, "y, n · enter · esc cancel"}
	if extra := s.besideKeys(); extra != "" {
		list = append([]string{list[0] + extra, list[1] + extra}, list[2]+extra)
	}
	return list
}

// besideKeys is the part of the footer about notes and edits.
func (s *screen) besideKeys() (extra string) {
	if takesNote(s.q) {
		extra += " · ^N note"
	}
	if takesEdit(s.q) {
		extra += " · ^E edit"
	}
	return extra
}

// foot returns the footer: what is wrong or where the focus is, and the keys.
func (s *screen) foot() string {
	line := palette.faint.Render(longest(s.columns(), s.keys()...))
	above := ""
	switch {
	case s.size == sizeTooSmall:
		above = palette.bad.Render("✗ too small to read")
	case s.status != "":
		above = palette.bad.Render("✗ " + cut(s.status, s.columns()-2))
	case len(s.rows) > 1:
		for i, r := range s.rows {
			if s.form.GetFocusedField() == huh.Field(r) {
				above = palette.faint.Render(fmt.Sprintf("field %d of %d", i+1, len(s.rows)))
			}
		}
	}
	return above + "\n" + line
}

// escAgain is the status after the first Esc in a form in which the person has typed something.
const escAgain = "esc again throws away what you typed"
