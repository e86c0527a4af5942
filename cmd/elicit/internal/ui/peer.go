package ui

import (
	"strings"
	"unicode"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Bars stand before each line of a peer's text, wrapped lines included, so that no line of a peer can pass for one of
// ours. Nothing that we say ourselves begins with a bar, and our own wrapped lines are indented, so that a peer's words
// quoted in them cannot begin a line either.
const (
	drawnBar  = "▌ " // on the screen
	spokenBar = "| " // line by line: every terminal has it, and a screen reader can skip it
)

// peer wraps a peer's plain text and puts a bar before each line; "" stays "".
func peer(text string, width int, bar string) string {
	if text == "" {
		return ""
	}
	return barred(wrapped(text, width-ansi.StringWidth(bar)), bar)
}

func barred(lines []string, bar string) string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimRight(palette.accent.Render(strings.TrimRight(bar, " "))+" "+line, " ")
	}
	return strings.Join(out, "\n")
}

// ours wraps a sentence of our own, which holds no escape sequences, and indents the lines after the first.
func ours(style lipgloss.Style, text string, width int) string {
	const indent = "   "
	lines := wrapped(text, width-len(indent))
	for i := range lines {
		lines[i] = style.Render(lines[i])
	}
	return strings.Join(lines, "\n"+indent)
}

// joiner may not end a line: there are terminals that draw what comes next, a bar too, into the cell before it.
const joiner = "\u200d"

// narrowest is the least width that text is wrapped to.
const narrowest = 8

// wrapped breaks plain text into lines of at most width columns, at a space where there is one. It counts the columns of
// each character by itself and rather too many: a terminal that draws a cluster wider than expected would break the
// line itself, and the rest would stand there without a bar.
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

// fitting is how many characters at the beginning of a line fit, at least one.
func fitting(line []rune, width int) int {
	columns := 0
	for i, r := range line {
		if columns += columnsOf(r); columns > width && i > 0 {
			return i
		}
	}
	return len(line)
}

// lastSpace is the last space with something before it, or -1.
func lastSpace(line []rune) int {
	for i := len(line) - 1; i > 0; i-- {
		if line[i] == ' ' && strings.TrimLeft(string(line[:i]), " ") != "" {
			return i
		}
	}
	return -1
}

// columnsOf is the most that a terminal may take for a character.
func columnsOf(r rune) int {
	switch {
	case r >= ' ' && r <= '~':
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me) && r != '\ufe0f': // the emoji selector can widen what is before it
		return 0
	case r >= 0x1f1e6 && r <= 0x1f1ff: // halves of flags
		return 2
	}
	return max(ansi.StringWidth(string(r)), 1)
}
