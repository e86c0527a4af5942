package schema

import "bytes"

// These are the character classes of RFC 3986, section 2, and RFC 5322 atext.
const (
	alpha uint8 = 1 << iota
	digit
	hexa
	schemeChar // after the first letter of a scheme
	pathChar   // pchar of RFC 3986 without percent, and "/"
	hostChar   // unreserved and sub-delims
	atext

	alnum = alpha | digit
)

var classOf = classes()

func classes() (table [256]uint8) {
	set := func(chars string, class uint8) {
		for i := range len(chars) {
			table[chars[i]] |= class
		}
	}
	set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", alpha|schemeChar|pathChar|hostChar|atext)
	set("0123456789", digit|hexa|schemeChar|pathChar|hostChar|atext)
	set("abcdefABCDEF", hexa)
	set("+-.", schemeChar)
	set("-._~!$&'()*+,;=", pathChar|hostChar)
	set(":@/", pathChar)
	set("!#$%&'*+-/=?^_`{|}~", atext)
	return table
}

// isURI accepts a URI of RFC 3986. A scheme is required, so a relative reference is not enough. Characters beyond ASCII
// must be percent-encoded.
//
//	URI       = scheme ":" hier-part [ "?" query ] [ "#" fragment ]     (appendix A)
//	hier-part = "//" authority path-abempty / path-absolute / path-rootless / path-empty
//
// https://example.com/a?b#c, mailto:ann@example.com and file:///etc/hosts pass. //example.com/a and /a have no
// scheme. The format is about the spelling. It says nothing of where the link leads.
func isURI(b []byte) bool {
	colon := bytes.IndexByte(b, ':')
	if colon <= 0 || classOf[b[0]]&alpha == 0 || !only(b[1:colon], schemeChar, "") {
		return false
	}
	rest := b[colon+1:]
	// The fragment is cut off first, since it may contain "?" but not "#".
	if i := bytes.IndexByte(rest, '#'); i >= 0 {
		if !only(rest[i+1:], pathChar, "%?") {
			return false
		}
		rest = rest[:i]
	}
	if i := bytes.IndexByte(rest, '?'); i >= 0 {
		if !only(rest[i+1:], pathChar, "%?") {
			return false
		}
		rest = rest[:i]
	}
	if len(rest) < 2 || rest[0] != '/' || rest[1] != '/' {
		return only(rest, pathChar, "%")
	}
	rest = rest[2:]
	if i := bytes.IndexByte(rest, '/'); i >= 0 {
		return isAuthority(rest[:i]) && only(rest[i:], pathChar, "%")
	}
	return isAuthority(rest)
}

// only reports whether b consists of one class and the extra characters. A percent sign must begin a whole
// encoding. extra has at most two characters. A lone percent sign, and one with a digit that is missing, are
// refused: %2 and %zz.
func only(b []byte, class uint8, extra string) bool {
	for i := 0; i < len(b); i++ {
		c := b[i]
		if classOf[c]&class != 0 {
			continue
		}
		if len(extra) == 0 || c != extra[0] && c != extra[len(extra)-1] {
			return false
		}
		if c == '%' {
			if i+2 >= len(b) || classOf[b[i+1]]&classOf[b[i+2]]&hexa == 0 {
				return false
			}
			i += 2
		}
	}
	return true
}

// isAuthority reads [ userinfo "@" ] host [ ":" port ] of section 3.2. The host may be empty, as in
// file:///etc/hosts. A second at sign finds no place in a host, so it is refused.
func isAuthority(b []byte) bool {
	if i := bytes.IndexByte(b, '@'); i >= 0 {
		if !only(b[:i], hostChar, "%:") {
			return false
		}
		b = b[i+1:]
	}
	if len(b) > 0 && b[0] == '[' {
		end := bytes.IndexByte(b, ']')
		return end > 0 && (isIPv6(b[1:end]) || isIPFuture(b[1:end])) && isPort(b[end+1:])
	}
	if i := bytes.LastIndexByte(b, ':'); i >= 0 {
		return only(b[:i], hostChar, "%") && isPort(b[i:])
	}
	return only(b, hostChar, "%")
}

// isPort accepts the empty text, or a colon and any number of digits, as RFC 3986, section 3.2.3 does.
func isPort(b []byte) bool { return len(b) == 0 || b[0] == ':' && only(b[1:], digit, "") }

// isIPFuture accepts an IPvFuture of section 3.2.2. It begins with v, at least one hexadecimal digit and a dot:
// v1.fe80.
func isIPFuture(b []byte) bool {
	dot := bytes.IndexByte(b, '.')
	return dot > 1 && b[0]|0x20 == 'v' && only(b[1:dot], hexa, "") &&
		dot+1 < len(b) && only(b[dot+1:], hostChar, ":")
}

// isIPv4 reads four decimal numbers from 0 to 255 with dots between them. A leading zero is refused, because
// some readers take 010.0.0.1 for the octal 8.0.0.1.
func isIPv4(b []byte) bool {
	for part := 0; ; part++ {
		n := 0
		for n < len(b) && b[n] != '.' {
			n++
		}
		value, ok := digits(b[:min(n, 3)])
		if !ok || n > 3 || value > 255 || n > 1 && b[0] == '0' {
			return false
		}
		if b = b[n:]; part == 3 {
			return len(b) == 0
		}
		if len(b) == 0 {
			return false
		}
		b = b[1:]
	}
}

// isIPv6 accepts an IPv6address of section 3.2.2: eight groups, of which at most one "::" stands for one or
// more, and of which an IPv4 address may replace the last two. 2001:db8::1, :: and ::ffff:192.0.2.1 pass. A
// zone, as in fe80::1%eth0, does not.
//
// groups counts the groups so far, on both sides of the gap.
func isIPv6(b []byte) bool {
	groups, gap := 0, false
	if bytes.HasPrefix(b, []byte("::")) {
		b, gap = b[2:], true
		if len(b) == 0 {
			return true
		}
	}
	for {
		n := 0
		for n < len(b) && classOf[b[n]]&hexa != 0 {
			n++
		}
		if n < len(b) && b[n] == '.' {
			return isIPv4(b) && fills(groups, 6, gap)
		}
		if n == 0 || n > 4 {
			return false
		}
		groups++
		if b = b[n:]; len(b) == 0 {
			return fills(groups, 8, gap)
		}
		if b[0] != ':' || len(b) == 1 {
			return false
		}
		if b = b[1:]; b[0] == ':' {
			if gap {
				return false
			}
			if b, gap = b[1:], true; len(b) == 0 {
				return groups < 8
			}
		}
	}
}

// fills reports whether groups, and a gap that stands for at least one group, make a whole address.
func fills(groups, all int, gap bool) bool {
	if gap {
		return groups < all
	}
	return groups == all
}
