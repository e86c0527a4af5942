// Package plain makes a peer's text safe for a terminal and clear for a reader. It spells each character as <U+XXXX>
// that is invisible, or that would move or repaint the text around it.
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

// Text spells control characters, direction overrides, and invisible, private and unassigned characters as <U+XXXX>.
// This covers every escape sequence. Other spaces become U+0020, a tab becomes four spaces, and line feeds stay. No
// letter keeps more than four combining marks.
//
// Two invisible characters stay where they only choose the form of one emoji: a joiner between two emoji, and one emoji
// selector directly after an emoji or inside a keycap. Two texts that differ only there look alike. A caller that
// offers a choice between texts must compare the original texts.
func Text(s string) string {
	if isPlain(s) {
		return s
	}
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\r\n", "\n")
	var b strings.Builder
	var before [2]rune // the last character and the one before it; 0 for a spelled one
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
		case emojiPart(r, before, after), marks <= 4 && Visible(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "<U+%04X>", r)
			kept = 0
		}
		before = [2]rune{kept, before[0]}
	}
	return b.String()
}

// Line is Text for one line: each line feed becomes a space.
func Line(s string) string { return strings.ReplaceAll(Text(s), "\n", " ") }

// emojiPart reports whether r is a joiner or a selector that belongs to an emoji.
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

// Visible reports whether r is printable in Unicode and not in the table of invisible characters. The Arabic signs that
// enclose digits are visible too, although Unicode calls them format characters.
func Visible(r rune) bool {
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

// Cut returns at most so many bytes of a text that is valid UTF-8. A text that was longer ends where a character ends,
// and then has an ellipsis.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return Part(s, 0, most)
}

// Part returns a part of a text, between two letters, with a mark where more of the text follows or comes before.
func Part(s string, from, to int) string {
	for from > 0 && from < len(s) && !utf8.RuneStart(s[from]) {
		from--
	}
	for from < to && to < len(s) && !utf8.RuneStart(s[to]) {
		to--
	}
	return []string{"", "…"}[min(from, 1)] + s[min(from, to):to] + []string{"", "…"}[min(len(s)-to, 1)]
}

// Short shortens a text to most characters. It removes the middle, so that the end stays visible.
func Short(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	r := []rune(s)
	head := (most - 1) * 2 / 3
	return string(r[:head]) + "…" + string(r[len(r)-(most-1-head):])
}
