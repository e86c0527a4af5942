package risk

import (
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/internal/fold"
)

// maxEvidence is the most bytes of evidence that a finding carries.
const maxEvidence = 120

const upperHex = "0123456789ABCDEF"

// evidence copies the offending text so that it is safe to draw anywhere: every character that does not show as itself
// is spelled U+XXXX. Text that is too long ends in an ellipsis. The result is valid UTF-8 for any input, has no control
// character and no character that turns the direction of text. A terminal, a log and a web page can show it without
// escaping more than they always do. "a\x1b[2Jb" becomes "aU+001B[2Jb". The bound counts bytes after the replacement.
func evidence(text string) string {
	const ellipsis = "…"
	out := make([]byte, 0, min(len(text)+8, maxEvidence))
	cut := 0 // the longest prefix that leaves room for an ellipsis
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

// At least four digits, as Unicode writes them: U+001B, U+1F600.
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

// hidden reports whether a screen does not show r as itself.
func hidden(r rune) bool {
	return isControl(r) || isBidi(r) || isZeroWidth(r) || isPrivate(r) || (isSpace(r) && r != ' ')
}

// isControl reports C0 and C1 controls, DEL, and the Unicode line and paragraph separators.
func isControl(r rune) bool {
	return r < 0x20 || (r >= 0x7F && r <= 0x9F) || r == 0x2028 || r == 0x2029
}

// isBidi reports the explicit directional formatting of UAX 9: embeddings, overrides, isolates and their ends.
func isBidi(r rune) bool { return (r >= 0x202A && r <= 0x202E) || (r >= 0x2066 && r <= 0x2069) }

// isZeroWidth reports characters that have no width or show nothing: joiners, marks, fillers, tags, the variation
// selectors beyond the common sixteen, musical and shorthand controls, and the Braille blank.
func isZeroWidth(r rune) bool { return fold.Invisible(r) && !isBidi(r) && !isSelector(r) }

// isSelector reports the sixteen common variation selectors, which pictures and some scripts need.
func isSelector(r rune) bool { return r >= 0xFE00 && r <= 0xFE0F }

// isPrivate reports characters for private use. They have no agreed meaning, so any font may draw anything. The planes
// 15 and 16 are private use as a whole.
func isPrivate(r rune) bool { return r >= 0xE000 && r <= 0xF8FF || r >= 0xF0000 }

// isSpace reports every white space of Unicode that is not a control.
func isSpace(r rune) bool { return r == ' ' || fold.Space(r) && r != 0x2028 && r != 0x2029 }
