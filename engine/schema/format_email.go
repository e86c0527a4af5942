package schema

import "bytes"

// isEmail accepts the Mailbox of RFC 5321, section 4.1.2, with the sizes of section 4.5.3.1: 64 octets before the at
// sign, 255 after it, and 254 in all, so that the path with its brackets stays within 256.
//
//	Mailbox       = Local-part "@" ( Domain / address-literal )
//	Local-part    = Dot-string / Quoted-string
//	Dot-string    = Atom *("." Atom)
//
// ann@example.com, "ann lee"@example.com and ann@[192.0.2.1] pass. ann.@example.com and ann@ do not. Addresses
// beyond ASCII (RFC 6531) do not pass either, because JSON Schema has the format idn-email for them.
func isEmail(b []byte) bool {
	if len(b) > 254 {
		return false
	}
	at := localPart(b)
	if at <= 0 || at > 64 || at >= len(b)-1 || b[at] != '@' {
		return false
	}
	domain := b[at+1:]
	if domain[0] == '[' {
		return domain[len(domain)-1] == ']' && isAddressLiteral(domain[1:len(domain)-1])
	}
	return isDomain(domain)
}

// localPart returns the length of the dot-string or quoted string that b begins with, or -1. The at sign ends a
// dot-string, but may stand inside a quoted string, so the first one is not always the border.
func localPart(b []byte) int {
	if len(b) > 0 && b[0] == '"' {
		return quotedString(b)
	}
	dot := true // a dot may not come first, come last, or follow a dot
	for i, c := range b {
		switch {
		case c == '@':
			if dot {
				return none
			}
			return i
		case c == '.':
			if dot {
				return none
			}
			dot = true
		case classOf[c]&atext != 0:
			dot = false
		default:
			return none
		}
	}
	return none
}

// quotedString returns the position after the closing quote of the string that b begins with, or -1. The text
// is printable ASCII, and a backslash takes any printable character after it.
func quotedString(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			if i++; i == len(b) || b[i] < ' ' || b[i] > '~' {
				return none
			}
		case c < ' ' || c > '~':
			return none
		}
	}
	return none
}

// isDomain accepts labels of letters, digits and inner hyphens, of 63 octets each. One label is enough. The caller
// bounds the whole.
func isDomain(b []byte) bool {
	start := 0
	for i := 0; i <= len(b); i++ {
		if i < len(b) && b[i] != '.' {
			if classOf[b[i]]&alnum == 0 && b[i] != '-' {
				return false
			}
			continue
		}
		if n := i - start; n == 0 || n > 63 || b[start] == '-' || b[i-1] == '-' {
			return false
		}
		start = i + 1
	}
	return true
}

// isAddressLiteral reads the text between the brackets: 192.0.2.1 or IPv6:2001:db8::1. The general form of
// section 4.1.3, with another tag, is not accepted.
func isAddressLiteral(b []byte) bool {
	const tag = "ipv6:"
	if len(b) > len(tag) && bytes.EqualFold(b[:len(tag)], []byte(tag)) {
		return isIPv6(b[len(tag):])
	}
	return isIPv4(b)
}
