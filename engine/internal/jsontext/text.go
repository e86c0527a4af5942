package jsontext

import (
	"cmp"
	"unicode/utf8"
	"unsafe"
)

// Text is a string as the document spells it. It aliases the document. It stays valid as long as the document
// does not change. Most strings have no escapes, and reading them costs nothing.
type Text struct {
	Raw     []byte // between the quotes
	Escaped bool   // Raw has escapes; without them Raw is the string
	Runes   int    // length in Unicode code points once decoded; a surrogate pair counts once
}

// View returns bytes as a string that shares their memory, for a comparison. TinyGo copies the bytes of
// string(b) == s. The bytes must not change while the string is in use. An empty slice gives "".
func View(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Equal reports whether the decoded string is v. It does not allocate. It decodes on the way, and stops at the
// first difference. The invalid bytes of v equal nothing.
func (t Text) Equal(v string) bool {
	if !t.Escaped {
		return View(t.Raw) == v
	}
	for raw := t.Raw; ; {
		if len(raw) == 0 || len(v) == 0 {
			return len(raw) == len(v)
		}
		r, n := decodeChar(raw)
		want, m := utf8.DecodeRuneInString(v)
		if r != want || want == utf8.RuneError && m == 1 {
			return false
		}
		raw, v = raw[n:], v[m:]
	}
}

// compare orders decoded strings by code point, which is also their order in UTF-8.
func (t Text) compare(u Text) int {
	for a, b := t.Raw, u.Raw; ; {
		if len(a) == 0 || len(b) == 0 {
			return cmp.Compare(len(a), len(b))
		}
		x, n := decodeChar(a)
		y, m := decodeChar(b)
		if x != y {
			return cmp.Compare(x, y)
		}
		a, b = a[n:], b[m:]
	}
}

// AppendTo appends the decoded string.
func (t Text) AppendTo(dst []byte) []byte {
	if !t.Escaped {
		return append(dst, t.Raw...)
	}
	for raw := t.Raw; len(raw) > 0; {
		r, n := decodeChar(raw)
		dst, raw = utf8.AppendRune(dst, r), raw[n:]
	}
	return dst
}

// String returns the decoded string. The result is a copy, so it may outlive the document.
func (t Text) String() string {
	if !t.Escaped {
		return string(t.Raw)
	}
	return string(t.AppendTo(make([]byte, 0, len(t.Raw))))
}

// AppendJSON appends the string in canonical spelling, quotes included. Text{Raw: a\u0041\/\n} becomes "aA/\n".
func (t Text) AppendJSON(dst []byte) []byte {
	if !t.Escaped {
		if plainEnd(t.Raw, 0) < len(t.Raw) {
			return AppendString(dst, t.Raw)
		}
		dst = append(append(dst, '"'), t.Raw...)
		return append(dst, '"')
	}
	dst = append(dst, '"')
	for raw := t.Raw; len(raw) > 0; {
		r, n := decodeChar(raw)
		if r < 0x20 || r == '"' || r == '\\' {
			dst = appendEscape(dst, byte(r))
		} else {
			dst = utf8.AppendRune(dst, r)
		}
		raw = raw[n:]
	}
	return append(dst, '"')
}

// decodeChar reads one code point, escaped or not, of a string that was checked. It decodes an escape that is
// half a surrogate pair as U+FFFD, as most readers do. On a string that was not checked, it still advances. raw
// must not be empty. n is at least 1.
func decodeChar(raw []byte) (r rune, n int) {
	if raw[0] != '\\' {
		return utf8.DecodeRune(raw)
	}
	r, n, code := unescape(raw)
	if code == "" {
		return r, n
	}
	if len(raw) > 1 && raw[1] == 'u' {
		if _, n, code = unit(raw); code == "" {
			return utf8.RuneError, n
		}
	}
	return utf8.RuneError, 1
}
