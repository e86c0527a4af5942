package jsontext

import (
	"math/bits"
	"unicode/utf8"
)

// quoted reads a string whose text begins at i. It returns the position of the closing quote, the number of code
// points, and the number of bytes once decoded. The position is -1 after a fault.
func (s *Scanner) quoted(i int) (end, runes, size int) {
	end, runes, size, ok := StringEnd(s.doc, i)
	if !ok {
		return s.halfPairs(i, end), 0, 0
	}
	return end, runes, size
}

// halfPairs continues the string at i, which was refused at bad. With LoneSurrogates, the string may still
// pass. Two passes are no harm here: the first one ended at bad, and such strings are rare. It returns the
// closing quote.
func (s *Scanner) halfPairs(i, bad int) int {
	if s.limits.LoneSurrogates {
		if end, code := looseStringEnd(s.doc, i); code == "" && utf8.Valid(s.doc[i:end]) {
			return end - 1
		}
	}
	return s.badString(bad)
}

// StringEnd reads the string whose text begins at i. end is the position of its closing quote. runes and size
// are its length in code points and in bytes once decoded. ok is false if the string is not complete and valid;
// end is then the position of the error. Escapes are checked but not decoded. size differs from end - i if
// there is one, because each escape is longer than its character.
func StringEnd(doc []byte, i int) (end, runes, size int, ok bool) {
	start := i
	for ; i+8 <= len(doc); i += 8 {
		if x := special(doc[i : i+8 : i+8]); x != 0 {
			if i += bits.TrailingZeros64(x) >> 3; doc[i] == '"' {
				return i, i - start, i - start, true
			}
			return stringRest(doc, start, i)
		}
	}
	return stringRest(doc, start, plainEnd(doc, i))
}

const (
	ones = 0x0101010101010101 // the lowest bit in each of eight bytes
	tops = 0x80 * ones
)

// special marks, among eight bytes, those that are not plain in a string: the top bit of each such byte is set.
// A byte is special if it is not ASCII, or if a subtraction borrows: 0x20 from the byte, or 1 from its
// difference to a quote or backslash. A borrow can falsify only bytes above a special one, so the lowest set
// bit is correct. The eight bytes are read as one number, the first byte lowest. The result for "ab\"cdefg is
// 0x80 << 16.
func special(b []byte) uint64 {
	x := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
	return (x | (x - 0x20*ones) | (x ^ '"'*ones - ones) | (x ^ '\\'*ones - ones)) & tops
}

// plainEnd returns the position of the first byte from i on that is not plain.
func plainEnd(doc []byte, i int) int {
	for ; i+8 <= len(doc); i += 8 {
		if x := special(doc[i : i+8 : i+8]); x != 0 {
			return i + bits.TrailingZeros64(x)>>3
		}
	}
	for i < len(doc) && classes[doc[i]]&plain != 0 {
		i++
	}
	return i
}

// stringRest continues where the fast path met a byte that is not plain. start is where the string's text
// begins. All bytes from there to i are plain.
func stringRest(doc []byte, start, i int) (end, runes, size int, ok bool) {
	runes, size = i-start, i-start
	for i < len(doc) {
		switch c := doc[i]; {
		case classes[c]&plain != 0:
			n := plainEnd(doc, i+1) - i
			i, runes, size = i+n, runes+n, size+n
		case c == '"':
			return i, runes, size, true
		// \n and the other escapes of two bytes, each of which is one byte once decoded.
		case c == '\\' && i+1 < len(doc) && classes[doc[i+1]]&short != 0:
			i, runes, size = i+2, runes+1, size+1
		case c == '\\':
			r, n, code := unescape(doc[i:])
			if code != "" {
				return i, 0, 0, false
			}
			i, runes, size = i+n, runes+1, size+utf8.RuneLen(r)
		case c < 0x20:
			return i, 0, 0, false
		default:
			_, n := utf8.DecodeRune(doc[i:])
			// DecodeRune reports every invalid sequence with a width of 1: overlong ones, surrogates in UTF-8,
			// and code points above U+10FFFF.
			if n == 1 {
				return i, 0, 0, false
			}
			i, runes, size = i+n, runes+1, size+n
		}
	}
	return i, 0, 0, false
}

// badString adds the fault of the string that is invalid at i. It returns -1. The order of the cases is that of
// the grammar, so the same bytes always have the same code.
func (s *Scanner) badString(i int) int {
	switch {
	case i >= len(s.doc):
		return s.fail(CodeTruncated, len(s.doc), len(s.doc))
	case s.doc[i] < 0x20:
		return s.fail(CodeControl, i, i+1)
	case s.doc[i] == '\\':
		return s.badEscape(i)
	case !utf8.FullRune(s.doc[i:]): // cut off by the end of the document; any other sequence is invalid
		return s.fail(CodeTruncated, len(s.doc), len(s.doc))
	}
	return s.fail(CodeUTF8, i, i+1)
}

// badEscape adds the fault of the escape at i: json_syntax for \x, json_surrogate for half a pair,
// json_truncated for one that the document's end cuts off.
func (s *Scanner) badEscape(i int) int {
	_, n, code := unescape(s.doc[i:])
	if code == CodeTruncated {
		return s.fail(code, len(s.doc), len(s.doc))
	}
	return s.fail(code, i, min(i+n, len(s.doc)))
}

// unescape decodes the escape at the start of b (RFC 8259, section 7). For a fault, code is set and n is the
// span to show. b begins with the backslash. n is the length of the escape: 2, 6, or 12 for a surrogate pair.
func unescape(b []byte) (r rune, n int, code string) {
	if len(b) < 2 {
		return 0, 0, CodeTruncated
	}
	switch b[1] {
	case '"', '\\', '/':
		return rune(b[1]), 2, ""
	case 'b':
		return '\b', 2, ""
	case 'f':
		return '\f', 2, ""
	case 'n':
		return '\n', 2, ""
	case 'r':
		return '\r', 2, ""
	case 't':
		return '\t', 2, ""
	case 'u':
		return unescapeUnit(b)
	}
	return 0, 2, CodeSyntax
}

// unescapeUnit decodes \uXXXX, together with the second half of a surrogate pair. \ud83d\ude00 is U+1F600. A
// first half without a second one, and a second half alone, are faults: readers decode them in different ways,
// and would see different strings.
func unescapeUnit(b []byte) (r rune, n int, code string) {
	r, n, code = unit(b)
	if code != "" || r < 0xD800 || r > 0xDFFF {
		return r, n, code
	}
	if r >= 0xDC00 || len(b) > 6 && b[6] != '\\' || len(b) > 7 && b[7] != 'u' {
		return 0, 6, CodeSurrogate
	}
	low, m, code := unit(b[6:])
	switch {
	case code != "":
		return 0, 6 + m, code
	case low < 0xDC00 || low > 0xDFFF:
		return 0, 6, CodeSurrogate
	}
	return 0x10000 + (r-0xD800)<<10 + (low - 0xDC00), 12, ""
}

// unit reads the four hexadecimal digits after the \u that b begins with. n is 6, or after a fault the length
// up to the byte that is wrong.
func unit(b []byte) (r rune, n int, code string) {
	for n = 2; n < 6; n++ {
		if n >= len(b) {
			return 0, n, CodeTruncated
		}
		c := b[n]
		if classes[c]&hexa == 0 {
			return 0, n + 1, CodeSyntax
		}
		r = r<<4 | rune(c&0xf)
		if c > '9' {
			r += 9
		}
	}
	return r, 6, ""
}
