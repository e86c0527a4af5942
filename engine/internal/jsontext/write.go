package jsontext

import "unicode/utf8"

const hexDigits = "0123456789abcdef"

// AppendString appends s as a canonical JSON string. It escapes only '"', '\\' and control characters below
// U+0020, in the two-character form if JSON has one. Bytes that are not UTF-8 become U+FFFD, so the output is
// always valid. Hello, a tab and a quote become "Hello,\t\"". The slash and characters beyond ASCII stay as
// they are.
func AppendString[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= 0x20 && c != '"' && c != '\\' {
				i++
				continue
			}
			dst = append(dst, s[start:i]...)
			dst = appendEscape(dst, c)
			i++
			start = i
			continue
		}
		r, n := decodeRune(s, i)
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, s[start:i]...)
			dst = append(dst, "\uFFFD"...)
			start = i + 1
		}
		i += n
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// decodeRune decodes the rune at s[i]. It copies at most four bytes, so that one body serves strings and bytes.
func decodeRune[T string | []byte](s T, i int) (rune, int) {
	var b [utf8.UTFMax]byte
	n := copy(b[:], s[i:min(i+utf8.UTFMax, len(s))])
	return utf8.DecodeRune(b[:n])
}

// appendEscape appends the shortest escape of a quote, a backslash or a control character.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
}

// AppendToken appends one reference token to an RFC 6901 pointer: a slash, then the token with '~' and '/'
// escaped. The token a/b~c becomes /a~1b~0c.
func AppendToken[T string | []byte](ptr []byte, token T) []byte {
	ptr = append(ptr, '/')
	for i := 0; i < len(token); i++ {
		switch c := token[i]; c {
		case '~':
			ptr = append(ptr, '~', '0')
		case '/':
			ptr = append(ptr, '~', '1')
		default:
			ptr = append(ptr, c)
		}
	}
	return ptr
}
