package risk

import (
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/internal/fold"
)

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
	return isControl(r) || isBidi(r) || isZeroWidth(r) || isPrivate(r) || (isSpace(r) && r != ' ')
}

// isControl is C0, DEL, C1 and the Unicode line and paragraph separators.
func isControl(r rune) bool {
	return r < 0x20 || (r >= 0x7F && r <= 0x9F) || r == 0x2028 || r == 0x2029
}

// isBidi is the explicit directional formatting of UAX 9: embeddings, overrides, isolates and their ends.
func isBidi(r rune) bool {
	return (r >= 0x202A && r <= 0x202E) || (r >= 0x2066 && r <= 0x2069)
}

// isZeroWidth is what takes no room or shows nothing: joiners, marks, fillers, tags, selectors beyond the common sixteen,
// musical and shorthand controls, the Braille blank.
func isZeroWidth(r rune) bool {
	return fold.Invisible(r) && !isBidi(r) && !isSelector(r)
}

// isSelector is the sixteen common variation selectors, which pictures and some scripts need.
func isSelector(r rune) bool { return r >= 0xFE00 && r <= 0xFE0F }

// isPrivate is what has no meaning but by agreement: any font may draw anything.
func isPrivate(r rune) bool { return r >= 0xE000 && r <= 0xF8FF || r >= 0xF0000 }

// isSpace is every white space of Unicode that is not a control.
func isSpace(r rune) bool { return r == ' ' || fold.Space(r) && r != 0x2028 && r != 0x2029 }
