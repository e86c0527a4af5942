package ui

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/elicit-engine/elicit/engine/effect"
)

const (
	mostChanges = 12 // changes that are listed; the whole message stands above them
	mostChanged = 200
	nearChange  = 30 // characters of the unchanged text on either side of a change
)

// marksOfChanges are the signs around new and gone text. The second and third kinds are for a message that has the
// signs before them as text, so that a peer's words cannot pass for a mark.
var marksOfChanges = [][4]string{{"[+", "+]", "[-", "-]"}, {"{+", "+}", "{-", "-}"}, {"<<+", "+>>", "<<-", "->>"}}

// changed returns what is different from the message that the person accepted before: each change with a little of the
// text around it. Signs mark new and gone text; the colours only repeat them.
func changed(q *effect.Show, width int, bar string) string {
	if len(q.Changed) == 0 {
		return ""
	}
	list := shortened(q.Changed)
	marks := marksFor(list)
	var text strings.Builder
	var styles []*lipgloss.Style // of each character
	write := func(s string, style *lipgloss.Style) {
		text.WriteString(s)
		for range s {
			styles = append(styles, style)
		}
	}
	for _, c := range list {
		switch c.Is {
		case effect.NewText:
			write(marks[0]+c.Text+marks[1], &newStyle)
		case effect.GoneText:
			write(marks[2]+c.Text+marks[3], &goneStyle)
		default:
			write(c.Text, nil)
		}
	}
	lines := wrapped(text.String(), width-ansi.StringWidth(bar))
	return ours(bold, "Changed since you last said yes:", width) + "\n" +
		withBars(painted(lines, text.String(), styles), bar)
}

var newStyle, goneStyle = palette.good.Underline(true), palette.bad.Strikethrough(true)

// shortened makes the texts plain, and leaves out most of what has not changed. It joins what is left of it.
func shortened(list []effect.Change) (short []effect.Change) {
	changes := 0
	for i, c := range list {
		if c.Is == effect.SameText {
			c.Text = around(Plain(c.Text), i > 0, i < len(list)-1)
		} else {
			if changes++; changes > mostChanges {
				return append(short, effect.Change{Is: effect.SameText, Text: " … and more changes"})
			}
			c.Text = clip(Plain(c.Text), mostChanged)
		}
		short = append(short, c)
	}
	return short
}

// around keeps the ends of an unchanged text that are beside a change.
func around(text string, before, after bool) string {
	runes := []rune(text)
	keep := 0
	if before {
		keep += nearChange
	}
	if after {
		keep += nearChange
	}
	if len(runes) <= keep+len(" … ") {
		return text
	}
	head := strings.TrimRight(string(runes[:nearChange]), " ")
	tail := strings.TrimLeft(string(runes[len(runes)-nearChange:]), " ")
	switch {
	case before && after:
		return fmt.Sprint(head, " … ", tail)
	case before:
		return head + " …"
	default:
		return "… " + tail
	}
}

// marksFor returns the first marks that no text has in it.
func marksFor(list []effect.Change) [4]string {
	var all strings.Builder
	for _, c := range list {
		all.WriteString(c.Text + "\n")
	}
	for _, marks := range marksOfChanges {
		if !slices.ContainsFunc(marks[:], func(mark string) bool { return strings.Contains(all.String(), mark) }) {
			return marks
		}
	}
	return marksOfChanges[len(marksOfChanges)-1]
}

// painted gives each character of wrapped lines its style. Between two lines, wrapping drops a space, a line feed or a
// joiner of the text.
func painted(lines []string, text string, styles []*lipgloss.Style) []string {
	out := make([]string, len(lines))
	at := 0 // of the text, in characters
	for i, line := range lines {
		var b strings.Builder
		run, style := "", (*lipgloss.Style)(nil)
		flush := func() {
			if style != nil && run != "" {
				run = style.Render(run)
			}
			b.WriteString(run)
			run = ""
		}
		for _, r := range line {
			for text != "" {
				next, size := utf8.DecodeRuneInString(text)
				text, at = text[size:], at+1
				if next == r {
					break
				}
			}
			if now := styles[at-1]; now != style {
				flush()
				style = now
			}
			run += string(r)
		}
		flush()
		out[i] = b.String()
	}
	return out
}
