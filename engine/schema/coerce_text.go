package schema

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// separators are characters that people write between digits. Each has different meanings in different countries, so
// number accepts none of them.
const separators = ",'_ \u00a0\u202f\u2009\u2019"

// maxTypedNumber is the most bytes of a typed number. The largest finite double has 309 digits when it is
// written out.
const maxTypedNumber = 400

// number reads a decimal as people write it: a sign of either kind, leading zeros, a bare point at either end.
// In a whole number, "10.000" may mean ten thousand. typed has no white space around it. It is never empty. The
// number is not compared with bounds here, because Coerce checks the whole answer at the end.
//
//	+5  −5  007  .5  5.     5  -5  7  0.5  5
//	1e3                     1e3
//	1,5  1'000  1 000       digit_separator
//	10.000                  10.000; digit_separator for a whole number
//	5 kg  five  --5         not_a_number
func (c *coercer) number(dst []byte, typed, at string, integer bool) ([]byte, bool) {
	sign, text := "", typed
	for _, lead := range [...]string{"+", "-", "\u2212"} {
		if rest, ok := strings.CutPrefix(typed, lead); ok {
			text = rest
			if lead != "+" {
				sign = "-"
			}
		}
	}
	if i := strings.IndexAny(text, separators); i >= 0 && digitsAround(text, i) {
		c.report(at, "digit_separator", elicit.Str("separator", firstRune(text[i:])))
		return dst, false
	}
	if integer && groupedByPoints(text) {
		c.report(at, "digit_separator", elicit.Str("separator", "."))
		return dst, false
	}
	mantissa, exponent := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent = text[:i], text[i:]
	}
	whole, part, point := strings.Cut(mantissa, ".")
	if point && part == "" && whole != "" {
		point = false
	}
	// JSON has neither leading zeros nor a bare point: 007 becomes 7, and .5 becomes 0.5. A text of nothing but
	// an exponent stays without digits and is refused.
	whole = strings.TrimLeft(whole, "0")
	if whole == "" && mantissa != "" && mantissa != "." {
		whole = "0"
	}
	if whole == "" || !isDigit(whole[0]) {
		c.report(at, "not_a_number")
		return dst, false
	}
	number := sign + whole
	if point {
		number += "." + part
	}
	number += exponent
	if !isNumber(number) {
		c.report(at, "not_a_number")
		return dst, false
	}
	return append(dst, number...), true
}

// groupedByPoints reports whether points may separate the thousands of a whole number. 1.000 and 12.345.678 may
// be such numbers. 0.500, 1.5 and 1234.567 are not: a group has three digits, the first one has one to three,
// and no grouped number begins with 0.
func groupedByPoints(text string) bool {
	groups := strings.Split(text, ".")
	for i, digits := range groups {
		if strings.Trim(digits, "0123456789") != "" || i > 0 && len(digits) != 3 {
			return false
		}
	}
	return len(groups) > 1 && len(groups[0]) >= 1 && len(groups[0]) <= 3 && groups[0][0] != '0'
}

// digitsAround reports whether the separator at i stands between two digits. Elsewhere the text is no number at
// all.
func digitsAround(text string, i int) bool {
	after := i + len(firstRune(text[i:]))
	return i > 0 && isDigit(text[i-1]) && after < len(text) && isDigit(text[after])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// firstRune returns the first character of a text, as text. The text must not be empty.
func firstRune(text string) string {
	for i := range text {
		if i > 0 {
			return text[:i]
		}
	}
	return text
}

// isNumber reports whether a text that does not begin with white space is one JSON number. Of all values, only numbers
// end with a digit, and no white space follows such an end: "5 ." would leave "5 " here.
func isNumber(text string) bool {
	return len(text) <= maxTypedNumber && jsontext.Check([]byte(text), jsontext.Limits{}) == nil &&
		isDigit(text[len(text)-1])
}

// formatted writes text of a format without white space around it, and writes times as RFC 3339 requires.
func (c *coercer) formatted(dst []byte, f *Field, text, at string) ([]byte, bool) {
	if f.Limit.Format != DateTime {
		return jsontext.AppendString(dst, text), true
	}
	normal, hasTime := normalTime(text)
	if hasTime && normal == "" {
		c.report(at, "missing_offset")
		return dst, false
	}
	if hasTime {
		text = normal
	}
	return jsontext.AppendString(dst, text), true
}

// normalTime turns "2026-01-02 03:04 +0200" into "2026-01-02T03:04:00+02:00". A space or a small t may stand
// for the T. Seconds may be missing. A space may precede the offset, and the offset may lack its colon or
// minutes. hasTime is false when the text does not resemble a date with a time. normal is "" when only the
// offset is missing, because a guessed offset would change the time. The result may still be no date-time, such
// as one of the 31st of February. Check reports that as bad_format.
func normalTime(text string) (normal string, hasTime bool) {
	if len(text) < 16 || text[10]|0x20 != 't' && text[10] != ' ' {
		return "", false
	}
	date, clock := text[:10], text[11:]
	end := 0
	for end < len(clock) && (isDigit(clock[end]) || clock[end] == ':' || clock[end] == '.') {
		end++
	}
	clock, offset := clock[:end], strings.TrimSpace(clock[end:])
	if len(clock) == 5 {
		clock += ":00"
	}
	switch n := len(offset); {
	case n == 0:
		// Whether a 60th second exists depends on the offset that is missing, so the test looks at the second
		// before.
		leap := strings.Replace(clock, ":60", ":59", 1)
		return "", isDateTime([]byte(date + "T" + leap + "Z"))
	case strings.EqualFold(offset, "z"), strings.EqualFold(offset, "utc"):
		offset = "Z"
	case n == 3 && isSign(offset[0]):
		offset += ":00"
	case n == 5 && isSign(offset[0]):
		offset = offset[:3] + ":" + offset[3:]
	}
	return date + "T" + clock + offset, true
}

func isSign(c byte) bool { return c == '+' || c == '-' }
