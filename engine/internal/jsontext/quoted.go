package jsontext

import "unicode/utf8"

// quoted reads a string whose first byte behind the quote is at i. It returns the position of the closing quote, the
// number of code points and the number of bytes once decoded, or -1 as the position.
func (s *Scanner) quoted(i int) (end, runes, size int) {
	doc, start := s.doc, i
	for i < len(doc) && classes[doc[i]]&plain != 0 {
		i++
	}
	if i < len(doc) && doc[i] == '"' {
		return i, i - start, i - start
	}
	return s.quotedRest(start, i)
}

// quotedRest goes on where the fast path met something that does not stand for itself.
func (s *Scanner) quotedRest(start, i int) (end, runes, size int) {
	doc := s.doc
	runes, size = i-start, i-start
	for i < len(doc) {
		switch c := doc[i]; {
		case classes[c]&plain != 0:
			i, runes, size = i+1, runes+1, size+1
		case c == '"':
			return i, runes, size
		case c == '\\':
			r, n := s.escape(i)
			if n == 0 {
				return -1, 0, 0
			}
			i, runes, size = i+n, runes+1, size+utf8.RuneLen(r)
		case c < 0x20:
			return s.fail(CodeControl, i, i+1), 0, 0
		default:
			_, n := utf8.DecodeRune(doc[i:])
			if n == 1 {
				return s.badUTF8(i), 0, 0
			}
			i, runes, size = i+n, runes+1, size+n
		}
	}
	return s.fail(CodeTruncated, len(doc), len(doc)), 0, 0
}

// badUTF8 tells a sequence cut off by the end of the document from one that no further byte could complete.
func (s *Scanner) badUTF8(i int) int {
	if !utf8.FullRune(s.doc[i:]) {
		return s.fail(CodeTruncated, len(s.doc), len(s.doc))
	}
	return s.fail(CodeUTF8, i, i+1)
}

// escape checks the escape whose backslash is at i; n is its length, 12 for a surrogate pair, 0 for a fault.
func (s *Scanner) escape(i int) (r rune, n int) {
	rest := s.doc[i:]
	r, n, code := unescape(rest)
	switch {
	case code == "":
		return r, n
	case code == CodeTruncated:
		s.fail(code, len(s.doc), len(s.doc))
	default:
		s.fail(code, i, min(i+n, len(s.doc)))
	}
	return 0, 0
}

// unescape decodes the escape at the start of b (RFC 8259 section 7). A fault has a code, and n is the span to show.
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

// unescapeUnit decodes \uXXXX, and the second half of a surrogate pair with it.
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

// unit reads the four hexadecimal digits behind the \u that b begins with.
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
