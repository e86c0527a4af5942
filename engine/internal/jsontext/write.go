package jsontext

import (
	"unicode/utf8"
	"unsafe"
)

const hexDigits = "0123456789abcdef"

// AppendString appends s as a canonical JSON string. It escapes only '"', '\\' and control characters below
// U+0020, in the two-character form if JSON has one. Bytes that are not UTF-8 become U+FFFD, so the output is
// always valid. Hello, a tab and a quote become "Hello,\t\"". The slash and characters beyond ASCII stay as
// they are. It is not inlined: in hundreds of places that would add 30 KB to the module.
//
//go:noinline
func AppendString[T string | []byte](dst []byte, s T) []byte {
	if text, ok := any(s).(string); ok {
		return appendString(dst, unsafe.Slice(unsafe.StringData(text), len(text))) // which only reads it
	}
	return appendString(dst, any(s).([]byte))
}

func appendString(dst, s []byte) []byte {
	dst = append(dst, '"')
	start := 0
	for i := plainEnd(s, 0); i < len(s); i = plainEnd(s, i) {
		if c := s[i]; c < utf8.RuneSelf {
			dst = appendEscape(append(dst, s[start:i]...), c)
			i++
			start = i
			continue
		}
		r, n := utf8.DecodeRune(s[i:])
		if r == utf8.RuneError && n == 1 {
			dst = append(append(dst, s[start:i]...), "\uFFFD"...)
			start = i + 1
		}
		i += n
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
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
