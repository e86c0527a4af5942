package risk

import (
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
)

var textControl = check{
	Doc: Doc{
		Code: "text_control", Title: "Invisible characters in the text", Severity: elicit.Medium,
		About: "The text contains control characters (terminal escape sequences among them), characters of no width, " +
			"blanks that are no spaces, tag characters or characters of private use. Line breaks and tabs are fine, " +
			"and so are joiners, selectors and marks where a script or an emoji needs them. Low when there are only " +
			"soft hyphens.",
		Spec: "MCP client/elicitation, Security (R15): present what is asked; ECMA-48",
	},
	needs: classBeyond | classControl,
	text:  findControls,
}

// Text in many scripts needs characters of no width, and emoji do. So each of them is judged by its neighbours; only
// one that nothing needs is a finding. A flag of a region is a black flag with tag characters behind it, so these are
// allowed there and nowhere else: elsewhere, tag characters spell a text that only a model reads.
func findControls(h *hits, text string) {
	from, to, count, soft := 0, 0, 0, 0
	var before rune
	flag := false // inside an emoji flag, which consists of tag characters
	for i := 0; i < len(text); {
		if c := text[i]; c >= ' ' && c < 0x7F { // nearly all text
			before, flag = rune(c), false
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		flag = r == 0x1F3F4 || (flag && r >= 0xE0020 && r <= 0xE007F)
		if suspicious(r, before, text[i+n:]) && !flag {
			if count++; count == 1 {
				from, to = i, i+n
			}
			if r == 0xAD {
				soft++
			}
			// The evidence shows the whole sequence, so that a person sees what a terminal would have done.
			if r == 0x1B && count == 1 {
				to = escapeEnd(text, i)
			}
		}
		before = r
		i += n
	}
	switch {
	case count == 0:
	case count == soft:
		h.addAs(elicit.Low, text, from, to, elicit.Num("count", count))
	default:
		h.add(text, from, to, elicit.Num("count", count))
	}
}

// suspicious reports a joiner or direction mark whose neighbours do not need it. Between Latin letters it only hides.
// U+200D between two emoji joins them, and in Persian U+200C separates letters. In "pass\u200dword" it only keeps a
// filter from seeing the word.
func suspicious(r, before rune, rest string) bool {
	switch {
	case r == '\n', r == '\t', r == '\r':
		return false
	case isControl(r), isPrivate(r):
		return true
	case isSelector(r):
		return !selects(before)
	case !isZeroWidth(r):
		return false
	}
	after, _ := utf8.DecodeRuneInString(rest)
	switch r {
	// A joiner at the end of a text has nothing to join on that side, which is allowed.
	case 0x200C, 0x200D:
		return !joins(before) || (!joins(after) && after != utf8.RuneError)
	case 0x200E, 0x200F, 0x61C:
		return !rightToLeft(before) && !rightToLeft(after)
	case 0x180B, 0x180C, 0x180D, 0x180F:
		return before < 0x1820 || before > 0x18AA // only Mongolian letters have such variants
	case 0x2800:
		return !braille(before) && !braille(after)
	}
	return true
}

func braille(r rune) bool { return r > 0x2800 && r <= 0x28FF }

// selects reports characters with more than one form: pictures, digits of keycaps, ideographs, letters of southern
// Asia.
func selects(r rune) bool {
	return r == '#' || r == '*' || r >= '0' && r <= '9' || r == 0xA9 || r == 0xAE || r >= 0x1000 && r <= 0x109F ||
		r >= 0x203C && r <= 0x2BFF || r >= 0x3000 && r <= 0x9FFF || r >= 0xA840 && r <= 0xA877 ||
		r >= 0xF900 && r <= 0xFAFF || r >= 0x1F000 && r <= 0x3FFFF
}

// joins reports a letter or emoji of a kind that is written with joiners.
func joins(r rune) bool {
	return (r >= 0x600 && r <= 0x1FFF && !isZeroWidth(r)) || (r >= 0x2190 && r <= 0x2BFF) || r == 0xFE0F ||
		(r >= 0x1F000 && r <= 0x1FAFF)
}

func rightToLeft(r rune) bool {
	return (r >= 0x590 && r <= 0x8FF && r != 0x61C) || (r >= 0xFB1D && r <= 0xFDFF) || (r >= 0xFE70 && r <= 0xFEFC)
}

// escapeEnd returns the end of the terminal escape sequence at i, at most 32 bytes later (ECMA-48 §5.4).
func escapeEnd(text string, i int) int {
	j := i + 1
	if j >= len(text) || text[j] != '[' {
		return j
	}
	for j++; j < len(text) && j-i < 32; j++ {
		if c := text[j]; c >= 0x40 && c <= 0x7E {
			return j + 1
		} else if c < 0x20 || c > 0x7E {
			return j
		}
	}
	return j
}
