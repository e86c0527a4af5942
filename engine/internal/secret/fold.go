package secret

import visible "github.com/elicit-engine/elicit/engine/internal/fold"

// class groups runes by their effect on words. The tables are ranges made by hand, because the tables of package
// unicode are larger than this whole package in a Wasm module. ignored is 0, which is also the class before the first
// letter of a text (cursor.prev).
type class byte

const (
	ignored   class = iota // invisible, combining, apostrophe: skipped
	joiner                 // separates words of one phrase
	stopper                // ends a phrase
	lower                  // a letter that is not a capital
	upper                  // a capital, for the word boundaries of camelCase
	digit                  //
	ideograph              // a word by itself: Han, kana, Thai, and Hangul, whose words carry their particles
)

// asciiClass answers for ASCII letters without the comparisons below.
var asciiClass = func() (t [128]class) {
	for r := range t {
		t[r] = classOf(rune(r))
	}
	return t
}()

// Any other character counts as a letter in lower case: for an alphabet without capitals, words then begin behind gaps
// only.
func classOf(r rune) class {
	switch {
	case r >= 'a' && r <= 'z':
		return lower
	case r >= 'A' && r <= 'Z':
		return upper
	case r >= '0' && r <= '9':
		return digit
	case r < 0x80:
		return asciiMark(r)
	case r >= 0xFF21 && r <= 0xFF3A, r >= 0x410 && r <= 0x42F, r >= 0x391 && r <= 0x3A9,
		r >= 0xC0 && r <= 0xDE && r != 0xD7:
		return upper
	case r >= 0x100 && r <= 0x17F && capitalA(r):
		return upper
	case r >= 0xFF10 && r <= 0xFF19:
		return digit
	case r == 0x2019, visible.Invisible(r), visible.Mark(r):
		return ignored
	// circled, squared and flag letters
	case r >= 0x24B6 && r <= 0x24E9, r >= 0x1F130 && r <= 0x1F189, r >= 0x1F1E6 && r <= 0x1F1FF:
		return lower
	case r == 0xA0, r == 0x3000, r >= 0x2000 && r <= 0x200A, r == 0xB7, r >= 0x2010 && r <= 0x2012:
		return joiner
	case r < 0xC0 && r != 0xAA && r != 0xB5 && r != 0xBA, r >= 0x2013 && r <= 0x206F, r >= 0x3001 && r <= 0x303F,
		r == 0xFFFD, r >= 0xFF00 && r <= 0xFF20, r == 0xD7, r == 0xF7, r == 0x60C, r == 0x61B, r == 0x61F,
		r == 0x964:
		return stopper
	case r >= 0xE00 && r <= 0xE7F,
		r >= 0x3040 && r <= 0x9FFF, r >= 0xAC00 && r <= 0xD7A3, r >= 0xF900 && r <= 0xFAFF, r >= 0x20000 && r <= 0x3FFFF:
		return ideograph
	}
	return lower
}

// capitalA reports a capital between U+0100 and U+017F, where capitals and small letters alternate.
func capitalA(r rune) bool {
	if r >= 0x139 && r <= 0x148 || r >= 0x179 && r <= 0x17E {
		return r%2 == 1
	}
	return r%2 == 0 && r < 0x178 && r != 0x138 || r == 0x178
}

// A dot and a colon join, so "api.key" is one phrase; cursor.next makes them a stop before a space.
func asciiMark(r rune) class {
	switch r {
	case '\'':
		return ignored
	case ' ', '\t', '_', '-', '/', '.', ':', '"', '`', '*', '$', '@', '#', '\\', '=', '+', '&', '<', '>', '|':
		return joiner
	}
	return stopper // also control characters and line ends
}

// Fold returns the letter that a person reads for r: small, and Latin if r only looks Latin or has an accent.
func Fold(r rune) rune { return fold(r) }

// fold lowers a letter and maps look-alikes of Latin letters to the letter they imitate. The words of the tables are
// folded by the same function, so words of other scripts still match.
func fold(r rune) rune {
	if r >= 'a' && r <= 'z' {
		return r
	}
	return visible.Rune(r)
}
