package secret

// maxMasked is the longest text that is searched again without its masks.
const maxMasked = 512

// unmasked searches a text in which digits and signs stand for the letters that they look like: p4ssw0rd, pa$$word.
// Such a sign counts only in a word, before a letter, so that address2 and h1 do not change. The sign 1 may be an i or
// an l, so both are tried. A match must have a sign that was replaced: one without was found, or refused, in the plain
// search. The copy has as many bytes as the text, so spans stay.
func unmasked(text string, prose bool) (Match, bool) {
	if len(text) > maxMasked || !masks(text) {
		return Match{}, false
	}
	for _, one := range [...]byte{'i', 'l'} {
		var buf [maxMasked]byte
		plain := buf[:copy(buf[:], text)]
		for i := range plain {
			// plain is filled from the left, so endsMasked sees what was replaced before it.
			if masked(text, i) {
				plain[i] = letterFor(text[i], one)
			} else if endsMasked(text, plain, i) {
				plain[i] = letterFor(text[i], one)
			}
		}
		m, ok := search(string(plain), prose)
		if !ok {
			continue
		}
		for i := m.Start; i < m.End; i++ {
			if plain[i] != text[i] {
				return m, true
			}
		}
	}
	return Match{}, false
}

func masks(text string) bool {
	for i := 0; i+1 < len(text); i++ {
		if masked(text, i) {
			return true
		}
	}
	return false
}

// masked reports a sign that looks like a letter in a word. A letter must come after it, or after more such signs, and
// the word must have another letter. The word needs a letter before the sign or two behind it: "1a" is a number of a
// flat, and "p4ss" hides a word.
func masked(text string, i int) bool {
	if letterFor(text[i], 'i') == 0 {
		return false
	}
	after := i + 1
	for after < len(text) && letterFor(text[after], 'i') != 0 {
		after++
	}
	if after < len(text) && isASCIILetter(text[after]) {
		before := i
		for before > 0 && letterFor(text[before-1], 'i') != 0 {
			before--
		}
		return before > 0 && isASCIILetter(text[before-1]) ||
			after+1 < len(text) && (isASCIILetter(text[after+1]) || letterFor(text[after+1], 'i') != 0)
	}
	return false
}

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// letterFor returns the letter that a sign looks like, or 0. one is the letter for the sign 1.
func letterFor(c, one byte) byte {
	switch c {
	case '0':
		return 'o'
	case '1', '!', '|':
		return one
	case '3':
		return 'e'
	case '4', '@':
		return 'a'
	case '5', '$':
		return 's'
	case '7':
		return 't'
	case '8':
		return 'b'
	}
	return 0
}

// endsMasked reports a sign at the end of a word in which another sign was a mask: 4p1.
func endsMasked(text string, plain []byte, i int) bool {
	if letterFor(text[i], 'i') == 0 || i == 0 ||
		i+1 < len(text) && (isASCIILetter(text[i+1]) || letterFor(text[i+1], 'i') != 0) {
		return false
	}
	for j := i - 1; j >= 0 && isASCIILetter(plain[j]); j-- {
		if plain[j] != text[j] {
			return true
		}
	}
	return false
}
