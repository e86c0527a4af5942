// Package plain makes a peer's text harmless to a terminal and honest to a reader: what is invisible, or would move or
// repaint what is around it, is spelled <U+XXXX>.
//
//	plain.Text("pay\u200bpal\x1b[2J") // pay<U+200B>pal<U+001B>[2J
package plain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	joiner   = '\u200d'
	selector = '\ufe0f' // asks for the emoji form of the character before it
	keycap   = '\u20e3'
)

// Text spells control characters (so every escape sequence), direction overrides, invisible, private and unassigned
// characters as <U+XXXX>. Odd spaces become plain ones, line feeds stay. No letter keeps more than four combining marks.
//
// Two invisible characters stay where they only choose how one emoji is drawn: a joiner between two emoji, and one
// emoji selector right after an emoji or inside a keycap. Two texts that differ only there look alike. A caller that
// offers a choice between texts must compare the texts themselves.
func Text(s string) string {
	if isPlain(s) {
		return s
	}
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\r\n", "\n")
	var b strings.Builder
	var before [2]rune // what was written last, and before that; 0 for what was spelled
	marks := 0
	for i, r := range s {
		after, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
		if unicode.Is(unicode.M, r) {
			marks++
		} else {
			marks = 0
		}
		kept := r
		switch {
		case r == '\n':
			b.WriteByte('\n')
		case r == '\t':
			b.WriteString("    ")
		case unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		case emojiPart(r, before, after), marks <= 4 && visible(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "<U+%04X>", r)
			kept = 0
		}
		before = [2]rune{kept, before[0]}
	}
	return b.String()
}

// Line is Text for places with room for one line: each line feed becomes a space.
func Line(s string) string { return strings.ReplaceAll(Text(s), "\n", " ") }

// emojiPart reports a joiner or a selector that belongs to an emoji.
func emojiPart(r rune, before [2]rune, after rune) bool {
	switch r {
	case selector:
		return in(pictographs, before[0]) || after == keycap && strings.ContainsRune("0123456789#*", before[0])
	case joiner:
		emoji := in(pictographs, before[0]) || before[0] == selector && in(pictographs, before[1])
		return emoji && in(pictographs, after)
	}
	return false
}

// visible covers what unicode calls printable without the invisible ones, and the Arabic signs that enclose digits,
// which it calls format characters.
func visible(r rune) bool {
	return !in(invisible, r) && (unicode.IsPrint(r) || unicode.Is(unicode.Prepended_Concatenation_Mark, r))
}

func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '\n' && (c < ' ' || c > '~') {
			return false
		}
	}
	return true
}
