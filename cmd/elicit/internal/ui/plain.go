// Package ui puts questions before people: in a terminal, or before a file of prepared answers.
package ui

import (
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
)

// Plain is plain.Text: a peer's text, harmless to a terminal.
func Plain(s string) string { return plain.Text(s) }

// oneLine is a peer's text for places with room for one line.
func oneLine(s string) string { return plain.Line(s) }

// firstLine is the beginning of a message, for a line of a log.
func firstLine(s string) string {
	line, rest, _ := strings.Cut(Plain(s), "\n")
	if short := clip(line, 100); short != line {
		return short
	}
	if strings.TrimSpace(rest) != "" {
		return line + " …"
	}
	return line
}

// clip shortens s to at most n characters, the last of which then says so.
func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
