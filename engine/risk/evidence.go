package risk

import "unicode/utf8"

// maxEvidence is the most bytes of evidence a finding carries.
const maxEvidence = 120

const upperHex = "0123456789ABCDEF"

// evidence copies the offending text with every character that does not show as itself spelled U+XXXX, so that it is
// safe to draw anywhere. What is too long ends in an ellipsis.
func evidence(text string) string {
	const ellipsis = "…"
	out := make([]byte, 0, min(len(text)+8, maxEvidence))
	cut := 0 // where an ellipsis would still fit
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		var buf [12]byte
		piece := append(buf[:0], text[i:i+n]...)
		if hidden(r) || r == utf8.RuneError {
			piece = appendUPlus(buf[:0], r)
		}
		if len(out)+len(piece) > maxEvidence {
			return string(append(out[:cut], ellipsis...))
		}
		if out = append(out, piece...); len(out)+len(ellipsis) <= maxEvidence {
			cut = len(out)
		}
		i += n
	}
	return string(out)
}

func appendUPlus(dst []byte, r rune) []byte {
	dst = append(dst, 'U', '+')
	started := false
	for shift := 20; shift >= 0; shift -= 4 {
		d := byte(r>>shift) & 0xf
		if started = started || d != 0 || shift <= 12; started {
			dst = append(dst, upperHex[d])
		}
	}
	return dst
}

// hidden reports a character that a screen does not show as itself.
func hidden(r rune) bool {
	return isControl(r) || isBidi(r) || isZeroWidth(r) || (isSpace(r) && r != ' ')
}

// isControl is C0, DEL, C1 and the Unicode line and paragraph separators.
func isControl(r rune) bool {
	return r < 0x20 || (r >= 0x7F && r <= 0x9F) || r == 0x2028 || r == 0x2029
}

// isBidi is the explicit directional formatting of UAX 9: embeddings, overrides, isolates and their ends.
func isBidi(r rune) bool {
	return (r >= 0x202A && r <= 0x202E) || (r >= 0x2066 && r <= 0x2069)
}

// isZeroWidth is what takes no room: joiners, marks, fillers, tags, variation selectors beyond the common sixteen.
func isZeroWidth(r rune) bool {
	switch {
	case r >= 0x200B && r <= 0x200F, r >= 0x2060 && r <= 0x2065, r >= 0x206A && r <= 0x206F:
		return true
	case r == 0xAD, r == 0x34F, r == 0x61C, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0x180E, r == 0x3164:
		return true
	case r == 0xFEFF, r == 0xFFA0, r >= 0xFFF9 && r <= 0xFFFB, r >= 0xE0000 && r <= 0xE0FFF:
		return true
	}
	return false
}

// isSpace is every white space of Unicode that is not a control.
func isSpace(r rune) bool {
	switch {
	case r == ' ', r == 0xA0, r == 0x1680, r >= 0x2000 && r <= 0x200A, r == 0x202F, r == 0x205F, r == 0x2800, r == 0x3000:
		return true
	}
	return false
}
