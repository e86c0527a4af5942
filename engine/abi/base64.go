package abi

// readBase64 decodes standard base64 with padding (RFC 4648 §4). It refuses line breaks, and text after the padding.
func readBase64(s string) (out []byte, ok bool) {
	if len(s)%4 != 0 {
		return nil, false
	}
	for ; s != ""; s = s[4:] {
		n := 4
		if len(s) == 4 {
			for n > 2 && s[n-1] == '=' {
				n--
			}
		}
		var bits uint32
		for i := range n {
			v := sextet(s[i])
			if v > 63 {
				return nil, false
			}
			bits |= v << (18 - 6*i)
		}
		for i := range n - 1 {
			out = append(out, byte(bits>>(16-8*i)))
		}
	}
	return out, true
}

// sextet returns the value of one base64 character, and more than 63 for anything else.
func sextet(c byte) uint32 {
	switch {
	case 'A' <= c && c <= 'Z':
		return uint32(c - 'A')
	case 'a' <= c && c <= 'z':
		return uint32(c-'a') + 26
	case '0' <= c && c <= '9':
		return uint32(c-'0') + 52
	case c == '+':
		return 62
	case c == '/':
		return 63
	}
	return 64
}
