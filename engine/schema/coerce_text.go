package schema

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// separators are characters that people write between digits. Each has different meanings in different countries, so
// number accepts none of them.
const separators = ",'_ \u00a0\u202f\u2009\u2019"

// maxTypedNumber is the most bytes of a typed number.
const maxTypedNumber = 400

// number reads a decimal as people write it: a sign of either kind, leading zeros, a bare point at either end. In a
// whole number, "10.000" may mean ten thousand.
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

// groupedByPoints reports whether points may separate the thousands of a whole number.
func groupedByPoints(text string) bool {
	groups := strings.Split(text, ".")
	for i, digits := range groups {
		if strings.Trim(digits, "0123456789") != "" || i > 0 && len(digits) != 3 {
			return false
		}
	}
	return len(groups) > 1 && len(groups[0]) >= 1 && len(groups[0]) <= 3 && groups[0][0] != '0'
}

func digitsAround(text string, i int) bool {
	after := i + len(firstRune(text[i:]))
	return i > 0 && isDigit(text[i-1]) && after < len(text) && isDigit(text[after])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func firstRune(text string) string {
	for i := range text {
		if i > 0 {
			return text[:i]
		}
	}
	return text
}

func isNumber(text string) bool {
	return len(text) <= maxTypedNumber && jsontext.Check([]byte(text), jsontext.Limits{}) == nil
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

// normalTime turns "2026-01-02 03:04 +0200" into "2026-01-02T03:04:00+02:00". A space or a small t may stand for the T.
// Seconds may be missing. A space may precede the offset, and the offset may lack its colon or minutes. hasTime is
// false when the text does not resemble a date with a time. normal is "" when only the offset is missing, because a
// guessed offset would change the time.
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
