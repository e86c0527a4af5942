package secret

// class sorts runes by what they do to words. The tables are ranges by hand: package unicode would weigh more in a
// Wasm module than everything here.
type class byte

const (
	ignored   class = iota // invisible, combining, apostrophe: as if it were not there
	joiner                 // separates words of one phrase
	stopper                // ends a phrase
	lower                  // a letter that is not a capital
	upper                  // a capital, as far as camelCase goes
	digit                  //
	ideograph              // a word of its own: Han, kana, and Hangul, whose words carry their particles
)

// asciiClass spares most letters the questions below.
var asciiClass = func() (t [128]class) {
	for r := range t {
		t[r] = classOf(rune(r))
	}
	return t
}()

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
	case r >= 0xFF21 && r <= 0xFF3A, r >= 0x410 && r <= 0x42F, r >= 0x391 && r <= 0x3A9, r >= 0xC0 && r <= 0xDE && r != 0xD7:
		return upper
	case r >= 0x100 && r <= 0x17F && capitalA(r):
		return upper
	case r >= 0xFF10 && r <= 0xFF19:
		return digit
	case invisible(r):
		return ignored
	case r == 0xA0, r == 0x3000, r >= 0x2000 && r <= 0x200A, r == 0xB7, r >= 0x2010 && r <= 0x2012:
		return joiner
	case r < 0xC0 && r != 0xAA && r != 0xB5 && r != 0xBA, r >= 0x2013 && r <= 0x206F, r >= 0x3001 && r <= 0x303F, r == 0xFFFD,
		r >= 0xFF00 && r <= 0xFF20, r == 0xD7, r == 0xF7:
		return stopper
	case r >= 0x3040 && r <= 0x9FFF, r >= 0xAC00 && r <= 0xD7A3, r >= 0xF900 && r <= 0xFAFF, r >= 0x20000 && r <= 0x3FFFF:
		return ideograph
	}
	return lower
}

// capitalA reports a capital between U+0100 and U+017F, where they alternate with the small letters.
func capitalA(r rune) bool {
	if r >= 0x139 && r <= 0x148 || r >= 0x179 && r <= 0x17E {
		return r%2 == 1
	}
	return r%2 == 0 && r < 0x178 && r != 0x138 || r == 0x178
}

func asciiMark(r rune) class {
	switch r {
	case '\'':
		return ignored
	case ' ', '\t', '_', '-', '/', '.', ':', '"', '`', '*', '$', '@', '#', '\\', '=', '+', '&', '<', '>', '|':
		return joiner
	}
	return stopper // also control characters and line ends
}

// invisible covers what can be put between letters without showing: soft hyphen, combining marks, zero-width and
// directional characters, variation selectors, tags, and the typographic apostrophe.
func invisible(r rune) bool {
	switch {
	case r == 0xAD, r == 0x34F, r == 0x61C, r == 0x180E, r == 0x2019, r == 0xFEFF:
		return true
	case r >= 0x300 && r <= 0x36F, r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F:
		return true
	case r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0000 && r <= 0xE0FFF:
		return true
	}
	return false
}

// Fold is the letter a person reads where r stands: small, Latin where it only looks so or carries an accent.
func Fold(r rune) rune { return fold(r) }

// fold lowers a letter and maps look-alikes of Latin letters to the letter they imitate. Table words are folded by the
// same function, so words of other scripts still match themselves.
func fold(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r + 32
	case r < 0x80:
		return r
	case r >= 0xFF21 && r <= 0xFF3A:
		return r - 0xFF21 + 'a'
	case r >= 0xFF41 && r <= 0xFF5A:
		return r - 0xFF41 + 'a'
	case r >= 0xFF10 && r <= 0xFF19:
		return r - 0xFF10 + '0'
	case r >= 0x1D400 && r <= 0x1D6A3: // mathematical letters: thirteen alphabets of 52
		if n := (r - 0x1D400) % 52; n < 26 {
			return 'a' + n
		} else {
			return 'a' + n - 26
		}
	case r >= 0xC0 && r <= 0xDE && r != 0xD7:
		r += 32
	case r >= 0x100 && r <= 0x17F:
		return rune(extendedA[r-0x100])
	case r >= 0x218 && r <= 0x21B:
		return rune("sstt"[r-0x218])
	case r >= 0x410 && r <= 0x42F, r >= 0x391 && r <= 0x3A9:
		r += 32
	case r >= 0x400 && r <= 0x40F:
		r += 80
	}
	return lookalike(r)
}

// extendedA is the letter under the accent for U+0100 to U+017F; ligatures and letters of their own become what they
// are closest to.
const extendedA = "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllllllln" +
	"nnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"

func lookalike(r rune) rune {
	switch r {
	case 'а', 'α', 'ɑ', 'à', 'á', 'â', 'ã', 'ä', 'å':
		return 'a'
	case 'с', 'ç', 'ϲ':
		return 'c'
	case 'ԁ', 'ď':
		return 'd'
	case 'е', 'ё', 'ε', 'è', 'é', 'ê', 'ë':
		return 'e'
	case 'һ':
		return 'h'
	case 'і', 'ї', 'ι', 'ı', 'ì', 'í', 'î', 'ï':
		return 'i'
	case 'ј':
		return 'j'
	case 'к', 'κ':
		return 'k'
	case 'ӏ':
		return 'l'
	case 'м':
		return 'm'
	case 'ñ':
		return 'n'
	case 'о', 'ο', 'σ', 'ò', 'ó', 'ô', 'õ', 'ö', 'ø', 'օ':
		return 'o'
	case 'р', 'ρ':
		return 'p'
	case 'ѕ':
		return 's'
	case 'т', 'τ':
		return 't'
	case 'υ', 'ù', 'ú', 'û', 'ü', 'ս':
		return 'u'
	case 'ѵ', 'ν':
		return 'v'
	case 'ԝ', 'ω':
		return 'w'
	case 'х', 'χ':
		return 'x'
	case 'у', 'ү', 'γ', 'ý', 'ÿ':
		return 'y'
	}
	return r
}
