// Package base64 spells bytes as text in two ways. One has the alphabet for URLs and no padding (RFC 4648 §5), the
// other the standard alphabet and padding (RFC 4648 §4). The package encoding/base64 is too large for Wasm, and reads
// more than one spelling of the same bytes.
//
//	bytes        Append    AppendURL
//	fb ff        +/8=      -_8
//	66           Zg==      Zg
//	none         ""        ""
//
// With either alphabet, a text has at most one reading, and bytes have exactly one spelling. A token can therefore be
// compared as text, and cannot be altered without being another one.
package base64

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

const (
	standard = letters + "+/"
	urls     = letters + "-_"
)

// Append appends the standard spelling of src, with padding. Example: "hi" is aGk= here, and aGk for URLs.
func Append(dst, src []byte) []byte {
	dst = spell(dst, src, standard)
	if rest := len(src) % 3; rest > 0 {
		dst = append(dst, "=="[rest-1:]...)
	}
	return dst
}

// AppendURL appends the spelling of src for URLs, without padding.
func AppendURL(dst, src []byte) []byte { return spell(dst, src, urls) }

// URLSize is the length of what AppendURL writes for n bytes. A caller that reserves that much needs no second
// allocation.
func URLSize(n int) int { return n/3*4 + (n%3*4+2)/3 }

// Read appends the bytes that text spells. ok is false for any text that Append does not write; dst is then unchanged.
// One text for the same bytes: no line breaks, no missing padding, no bits behind the last byte. aGl= spells nothing,
// although a lenient reader takes it for "hi".
func Read(dst []byte, text string) (out []byte, ok bool) {
	if len(text)%4 != 0 {
		return dst, false
	}
	for range 2 {
		if n := len(text); n > 0 && text[n-1] == '=' {
			text = text[:n-1]
		}
	}
	return read(dst, text, '+', '/')
}

// ReadURL appends the bytes that text spells. ok is false for any text that AppendURL does not write; dst is then
// unchanged.
func ReadURL(dst, text []byte) (out []byte, ok bool) { return read(dst, text, '-', '_') }

// spell makes four characters of six bits of each three bytes. A rest of one or two bytes makes two or three
// characters.
func spell(dst, src []byte, alphabet string) []byte {
	for ; len(src) >= 3; src = src[3:] {
		a, b, c := src[0], src[1], src[2]
		dst = append(dst, alphabet[a>>2], alphabet[a&3<<4|b>>4], alphabet[b&15<<2|c>>6], alphabet[c&63])
	}
	switch len(src) {
	case 1:
		dst = append(dst, alphabet[src[0]>>2], alphabet[src[0]&3<<4])
	case 2:
		dst = append(dst, alphabet[src[0]>>2], alphabet[src[0]&3<<4|src[1]>>4], alphabet[src[1]&15<<2])
	}
	return dst
}

// read reads text without padding, in which c62 and c63 are the last two characters of the alphabet. One
// character more than a multiple of four cannot be: six bits are no byte.
func read[T string | []byte](dst []byte, text T, c62, c63 byte) (out []byte, ok bool) {
	if len(text)%4 == 1 {
		return dst, false
	}
	out = dst
	var bits uint32
	for i := range len(text) {
		v := sextet(text[i], c62, c63)
		if v > 63 {
			return dst, false
		}
		bits = bits<<6 | v
		if i%4 == 3 {
			out = append(out, byte(bits>>16), byte(bits>>8), byte(bits))
			bits = 0
		}
	}
	switch len(text) % 4 { // the bits behind the last byte must be zero, or another text would spell the same bytes
	case 2:
		if bits&15 != 0 {
			return dst, false
		}
		out = append(out, byte(bits>>4))
	case 3:
		if bits&3 != 0 {
			return dst, false
		}
		out = append(out, byte(bits>>10), byte(bits>>2))
	}
	return out, true
}

// sextet returns the value of one character, and more than 63 for anything else.
func sextet(c, c62, c63 byte) uint32 {
	switch {
	case 'A' <= c && c <= 'Z':
		return uint32(c - 'A')
	case 'a' <= c && c <= 'z':
		return uint32(c-'a') + 26
	case '0' <= c && c <= '9':
		return uint32(c-'0') + 52
	case c == c62:
		return 62
	case c == c63:
		return 63
	}
	return 64
}
