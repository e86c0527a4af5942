package digest

const digits = "0123456789abcdef"

// AppendHex appends p in lower-case hexadecimal.
func AppendHex(dst, p []byte) []byte {
	for _, b := range p {
		dst = append(dst, digits[b>>4], digits[b&15])
	}
	return dst
}

// Hex returns p in lower-case hexadecimal.
func Hex(p []byte) string { return string(AppendHex(make([]byte, 0, 2*len(p)), p)) }

// ReadHex fills dst from s. It returns false unless s spells exactly that many bytes, in digits of either case.
// After a failure, the first bytes of dst may have changed.
func ReadHex(dst []byte, s string) bool {
	if len(s) != 2*len(dst) {
		return false
	}
	for i := range dst {
		high, low := nibble(s[2*i]), nibble(s[2*i+1])
		if high > 15 || low > 15 {
			return false
		}
		dst[i] = high<<4 | low
	}
	return true
}

// IsHex reports whether a text is spelled as Hex spells a SHA-256: 64 digits in lower case.
func IsHex(s string) bool {
	var sum [32]byte
	return ReadHex(sum[:], s) && Hex(sum[:]) == s
}

// nibble returns the value of a hexadecimal digit, and more than 15 for anything else.
func nibble(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 16
}
