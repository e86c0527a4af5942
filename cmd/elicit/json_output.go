package main

import (
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// jsonOutput is standard output for JSON that people also read in a terminal. It writes every character that a
// terminal obeys, or that nobody sees, as \uXXXX. Each JSON reader gets the same value, and a peer's text cannot move
// the cursor, change the direction of a line or hide in it. Such characters occur only inside the strings of valid
// JSON, so the writer needs no parser. Each Write must get whole characters of valid JSON.
type jsonOutput struct{ to io.Writer }

// jsonTo returns the writer on which a command prints JSON.
func jsonTo(cmd *cobra.Command) io.Writer { return jsonOutput{cmd.OutOrStdout()} }

func (o jsonOutput) Write(p []byte) (int, error) {
	if _, err := o.to.Write(escapeInvisible(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// escapeInvisible returns valid JSON with every character escaped that is not plainly visible. It returns p itself when
// there is nothing to escape.
func escapeInvisible(p []byte) []byte {
	var out []byte
	from := 0
	for i := 0; i < len(p); {
		if p[i] < 0x7f { // in valid JSON a control character below U+0020 is white space between tokens
			i++
			continue
		}
		r, size := utf8.DecodeRune(p[i:])
		if !visible(r) || r == utf8.RuneError && size == 1 {
			out = appendEscape(append(out, p[from:i]...), r)
			from = i + size
		}
		i += size
	}
	if from == 0 {
		return p
	}
	return append(out, p[from:]...)
}

// visible reports whether a character shows a mark of its own in every font. Spaces other than U+0020 are invisible.
func visible(r rune) bool {
	switch r {
	case 0x2800, 0x1d159: // the Braille blank, and a note head that fonts do not draw
		return false
	}
	return unicode.IsPrint(r) && !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

func appendEscape(dst []byte, r rune) []byte {
	if r > 0xffff {
		r -= 0x10000
		dst = appendEscape(dst, 0xd800+r>>10)
		r = 0xdc00 + r&0x3ff
	}
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}
