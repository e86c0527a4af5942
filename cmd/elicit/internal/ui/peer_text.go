package ui

import (
	"strings"
	"unicode"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
)

// Each line of a peer's text begins with a bar, also the wrapped ones, so that no line of a peer can look like one of
// ours. No text of ours begins with a bar. Our own wrapped lines are indented, so that a peer's words that we quote
// cannot begin a line either.
const (
	drawnBar  = "▌ " // on the screen
	spokenBar = "| " // in line mode: every terminal has this character, and a screen reader can skip it
)

// peer wraps a peer's plain text and puts a bar before each line. It returns "" for "".
func peer(text string, width int, bar string) string {
	if text == "" {
		return ""
	}
	return withBars(wrapped(text, width-ansi.StringWidth(bar)), bar)
}

func withBars(lines []string, bar string) string {
	drawn := palette.accent.Render(strings.TrimRight(bar, " ")) + " "
	return strings.Join(each.Of(lines, func(line string) string { return strings.TrimRight(drawn+line, " ") }), "\n")
}

// ours wraps a text of ours, which has no escape sequences, and indents all lines but the first.
func ours(style lipgloss.Style, text string, width int) string {
	const indent = "   "
	draw := func(line string) string { return style.Render(line) }
	return strings.Join(each.Of(wrapped(text, width-len(indent)), draw), "\n"+indent)
}

// joiner must not end a line, because some terminals draw the next character, which may be a bar, into the cell before.
const joiner = "\u200d"

// narrowest is the least width that text is wrapped to.
const narrowest = 8

// wrapped breaks plain text into lines of at most width columns, if possible at a space. It counts the most columns
// that a terminal may use for each character. If it counted too few, the terminal would wrap the line itself, and the
// rest of the line would have no bar.
func wrapped(text string, width int) (lines []string) {
	width = max(width, narrowest)
	for line := range strings.SplitSeq(text, "\n") {
		rest := []rune(line)
		for {
			n := fitting(rest, width)
			if n == len(rest) {
				lines = append(lines, string(rest))
				break
			}
			if space := lastSpace(rest[:n+1]); space > 0 {
				lines, rest = append(lines, string(rest[:space])), rest[space+1:]
			} else {
				lines, rest = append(lines, strings.Trim(string(rest[:n]), joiner)), rest[n:]
			}
		}
	}
	return lines
}

// fitting returns the number of characters at the beginning of a line that fit, at least one.
func fitting(line []rune, width int) int {
	columns := 0
	for i, r := range line {
		if columns += columnsOf(r); columns > width && i > 0 {
			return i
		}
	}
	return len(line)
}

// lastSpace returns the index of the last space that has a character before it, or -1.
func lastSpace(line []rune) int {
	for i := len(line) - 1; i > 0; i-- {
		if line[i] == ' ' && strings.TrimLeft(string(line[:i]), " ") != "" {
			return i
		}
	}
	return -1
}

// columnsOf returns the most columns that a terminal may use for a character.
func columnsOf(r rune) int {
	switch {
	case r >= ' ' && r <= '~':
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me) && r != '\ufe0f': // U+FE0F can make the character before it wider
		return 0
	case r >= 0x1f1e6 && r <= 0x1f1ff: // halves of flags
		return 2
	}
	return max(ansi.StringWidth(string(r)), 1)
}
