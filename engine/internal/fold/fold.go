// Package fold maps each character to what a person reads: no capitals, no accents, Latin letters for characters that
// look like them, and nothing for invisible characters. Two texts that fold to the same text are easily confused.
//
//	fold.Text("ｐ\u0430ss\u200bw\u00f6rd") // "password"
//
// It imports no other package of this module. The tables are made by hand or by gen_letters.py, because the tables of
// package unicode are larger than this whole package in a Wasm module.
package fold

import "strings"

//go:generate sh -c "python3 gen_letters.py > letters.go"

// Rune returns the letter or digit that a person reads for r. A character that looks like no other is returned
// unchanged. Rune(Rune(r)) is Rune(r).
//
//	Rune('É')  'e'      an accent is dropped
//	Rune('а')  'a'      the Cyrillic letter U+0430
//	Rune('٣')  '3'      a digit of another alphabet
//	Rune('中') '中'      looks like no other
//
// It is no spelling of a word in another script, and no normal form of Unicode. Use it to compare, never to
// show.
func Rune(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r + 32
	case r < 0x80:
		return r
	case r < 0x600:
		if c := pages[0].letters[r-0x80]; c != ' ' {
			return rune(c)
		}
		return lower(r)
	case r < 0x1D00:
		return beforeLatin(r)
	case r >= 0x2E80 && r < 0xA720 || r >= 0xAC00 && r < 0xFF00: // Chinese, Japanese and Korean look like no others
		return r
	}
	for i := 1; i < len(pages); i++ {
		if n := r - pages[i].lo; n >= 0 && int(n) < len(pages[i].letters) {
			if c := pages[i].letters[n]; c != ' ' {
				return rune(c)
			}
			break
		}
	}
	return r
}

// lower lowers the capitals of Greek, Cyrillic and Armenian that do not look Latin. The ranges are those of the Unicode
// blocks: Greek and Coptic, Cyrillic, Armenian, and Cyrillic pairs in which the odd code point is the small letter.
func lower(r rune) rune {
	switch {
	case r >= 0x391 && r <= 0x3A9, r >= 0x410 && r <= 0x42F:
		return r + 32
	case r >= 0x400 && r <= 0x40F:
		return r + 80
	case r >= 0x531 && r <= 0x556:
		return r + 48
	case r >= 0x460 && r <= 0x481, r >= 0x48A && r <= 0x4BF, r >= 0x4D0 && r <= 0x52F:
		return r | 1
	}
	return r
}

// beforeLatin folds the digits of other alphabets, and Arabic letters that people often write without their marks.
func beforeLatin(r rune) rune {
	switch r {
	case 0x622, 0x623, 0x625, 0x671:
		return 0x627
	case 0x649, 0x6CC:
		return 0x64A
	}
	for _, zero := range zeros {
		if n := r - zero; n >= 0 && n <= 9 {
			return '0' + n
		}
	}
	return r
}

// Invisible reports a character that shows nothing and belongs to no word: soft hyphens, joiners, fillers, variation
// selectors, direction marks, tags, and blanks that are no white space.
func Invisible(r rune) bool {
	switch {
	case r < 0x115F:
		return r == 0xAD || r == 0x34F || r == 0x61C
	case r < 0x200B:
		return r <= 0x1160 || r == 0x17B4 || r == 0x17B5 || r >= 0x180B && r <= 0x180F
	case r < 0x2800:
		return r <= 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x206F
	case r < 0xFE00:
		return r == 0x2800 || r == 0x3164
	case r <= 0xFFFB:
		return r <= 0xFE0F || r == 0xFEFF || r == 0xFFA0 || r >= 0xFFF0
	}
	return r >= 0x1BCA0 && r <= 0x1BCA3 || r == 0x1D159 || r >= 0x1D173 && r <= 0x1D17A || r >= 0xE0000 && r <= 0xE0FFF
}

// Mark reports a mark of Latin, Cyrillic, Hebrew or Arabic that combines with the letter before it: accents,
// points, vowel signs, and the stroke that lengthens an Arabic word. Marks of other scripts, such as the vowel
// signs of Hindi, are parts of words and stay.
func Mark(r rune) bool {
	switch {
	case r < 0x300:
		return false
	case r <= 0x670:
		return r <= 0x36F || r >= 0x483 && r <= 0x489 || r >= 0x591 && r <= 0x5BD || r == 0x5BF || r == 0x5C1 || r == 0x5C2 ||
			r == 0x640 || r >= 0x64B && r <= 0x65F || r == 0x670
	}
	return r >= 0x1AB0 && r <= 0x1AFF || r >= 0x1DC0 && r <= 0x1DFF || r >= 0x20D0 && r <= 0x20FF ||
		r >= 0xFE20 && r <= 0xFE2F
}

// Space reports white space beyond ASCII.
func Space(r rune) bool {
	switch {
	case r == 0xA0, r == 0x1680, r >= 0x2000 && r <= 0x200A, r == 0x2028, r == 0x2029, r == 0x202F,
		r == 0x205F, r == 0x3000:
		return true
	}
	return false
}

// Plain reports that Text changes nothing in s but capitals: s is ASCII, without controls other than tab and
// line ends. Callers test this first, because nearly all texts are plain and need no copy.
func Plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 0x7F || c < ' ' && !ends(c) {
			return false
		}
	}
	return true
}

func ends(c byte) bool { return c == '\t' || c == '\n' || c == '\r' }

// ligatures are the Latin letters that Unicode joins for print, from U+FB00 on.
var ligatures = [...]string{"ff", "fi", "fl", "ffi", "ffl", "st", "st"}

// Text folds every character of s, drops invisible ones, and writes white space beyond ASCII as spaces. Bytes
// that are not UTF-8 become U+FFFD. One character may become two, as ﬁ becomes fi, or none. Positions in the
// result are therefore not those in s.
func Text(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	for _, r := range s {
		switch {
		case Dropped(r):
		case r >= 0xFB00 && r <= 0xFB06:
			out.WriteString(ligatures[r-0xFB00])
		case Space(r):
			out.WriteByte(' ')
		case r >= 0xFF01 && r <= 0xFF5E && Rune(r) == r: // fullwidth punctuation
			out.WriteByte(byte(r - 0xFF01 + '!'))
		default:
			out.WriteRune(Rune(r))
		}
	}
	return out.String()
}

// Dropped reports a character that Text drops: controls other than tab and line ends, invisible characters, and marks.
func Dropped(r rune) bool {
	return r < ' ' && !ends(byte(r)) || r >= 0x7F && r < 0xA0 || Invisible(r) || Mark(r)
}
