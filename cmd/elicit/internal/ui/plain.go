// Package ui asks a person: in a terminal ([Terminal]), or by a file of prepared answers ([Script]).
//
// A Terminal draws each question on a screen of its own (screen.go), or asks line by line (line_mode.go). A form is a
// list of fieldRow (field_row.go). Every word of a peer that either of them prints goes through [Plain], and each of
// its lines begins with a bar (peer_text.go). The form that the engine compiled checks the answer (check_answer.go).
//
//	t := ui.NewTerminal()
//	defer t.Close()
//	t.Show(show, func(given ui.Given) { … })
package ui

import (
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
)

// Plain is plain.Text: it makes a peer's text safe for a terminal.
func Plain(s string) string { return plain.Text(s) }

// oneLine makes a peer's text safe, and fits it into one line.
func oneLine(s string) string { return plain.Line(s) }

// firstLine returns the beginning of a message, for a line of a log.
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

// clip shortens s to at most n characters. The last one is then an ellipsis.
func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
