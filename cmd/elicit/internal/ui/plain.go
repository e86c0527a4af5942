// Package ui puts questions before people: in a terminal, or before a file of prepared answers.
package ui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain makes text from a peer harmless to a terminal and honest to a reader. Control characters (so every escape
// sequence), direction overrides, invisible and private characters become <U+XXXX>; odd spaces become plain ones. Line
// feeds stay. A joiner stays only between emoji, and no letter keeps more than four combining marks.
func Plain(s string) string {
	if isPlain(s) {
		return s
	}
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\r\n", "\n")
	var b strings.Builder
	marks, last := 0, rune(0)
	for i, r := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if unicode.Is(unicode.M, r) {
			marks++
		} else {
			marks = 0
		}
		switch {
		case r == '\n':
			b.WriteByte('\n')
		case r == '\t':
			b.WriteString("    ")
		case unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		case r == zeroWidthJoiner && isPictograph(last) && isPictograph(next):
			b.WriteRune(r)
		case unicode.IsPrint(r) && marks <= 4:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
		last = r
	}
	return b.String()
}

const zeroWidthJoiner = '\u200d'

func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '\n' && (c < ' ' || c > '~') {
			return false
		}
	}
	return true
}

// isPictograph covers symbols, emoji, skin tones and the emoji variation selector.
func isPictograph(r rune) bool {
	return r >= 0x2190 && r <= 0x2bff || r == 0xfe0f || r >= 0x1f000 && r <= 0x1faff
}

// oneLine is Plain for places with room for one line.
func oneLine(s string) string { return strings.ReplaceAll(Plain(s), "\n", " ") }

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
