package hostname

import (
	"strconv"
	"strings"
)

// IP is a literal address: IPv4 in the last four bytes if v4 is set, otherwise IPv6. Values are compared by "==". The
// same address as IPv4 and as mapped IPv6 are two values; Unmapped makes them one. The zero value is the IPv6 address
// [::].
type IP struct {
	b  [16]byte
	v4 bool
}

// Reach says how far away an address is. A near address is more dangerous: an outside server has no reason to name it.
// The value decides how a finding about the address is judged. Public is the zero value.
type Reach byte

const (
	Public Reach = iota
	Loopback
	Private
	LinkLocal // clouds also keep their metadata and its credentials there
	Reserved
)

func (r Reach) String() string {
	return [...]string{"public", "loopback", "private", "link_local", "reserved"}[r]
}

// ParseIP reads a host as a browser does (WHATWG URL, host parsing). [IPv6] is IPv6. A host whose last part is a number
// is IPv4, with one to four parts in decimal, octal or hexadecimal. false means that host is no address, which is so
// for most names. "1.2.3.4.5" and "256.1" are no addresses either: a browser refuses these hosts, and ASCII does too.
func ParseIP(host string) (IP, bool) {
	if n := len(host); n > 2 && host[0] == '[' && host[n-1] == ']' {
		return parseIPv6(host[1 : n-1])
	}
	return parseIPv4(host)
}

// numeric reports a final label that makes a browser read the whole host as IPv4. "0x" alone counts as a number, as in
// the standard.
func numeric(label string) bool {
	if label == "" {
		return false
	}
	hex, ok := strings.CutPrefix(Lower(label), "0x")
	return ok && strings.Trim(hex, "0123456789abcdef") == "" || strings.Trim(label, "0123456789") == ""
}

// A leading zero means octal, so 010 is 8 and 08 is no number. An empty hexadecimal part, "0x", is 0.
func ipv4Part(s string) (uint64, bool) {
	base := 10
	switch {
	case len(s) >= 2 && s[0] == '0' && LowerByte(s[1]) == 'x':
		base, s = 16, s[2:]
		if s == "" {
			return 0, true
		}
	// One zero alone is decimal, and gives the same number.
	case len(s) >= 2 && s[0] == '0':
		base = 8
	}
	if s == "" || strings.ContainsAny(s, "+-_") {
		return 0, false
	}
	n, err := strconv.ParseUint(s, base, 64)
	return n, err == nil
}

// The last part fills all bytes that are left: 127.1 is 127.0.0.1, and 2130706433 is that, too. 64 bytes bound the
// length, because leading zeros could make a part of any length.
func parseIPv4(host string) (IP, bool) {
	host = strings.TrimSuffix(host, ".")
	if host == "" || len(host) > 64 || strings.Count(host, ".") > 3 {
		return IP{}, false
	}
	var total uint64
	rest := host
	for i := 0; ; i++ {
		part, tail, more := strings.Cut(rest, ".")
		n, ok := ipv4Part(part)
		if !ok {
			return IP{}, false
		}
		if !more {
			// The last of k parts has 5-k bytes.
			if n >= 1<<(8*(4-i)) {
				return IP{}, false
			}
			total |= n
			break
		}
		if n > 255 {
			return IP{}, false
		}
		total |= n << (8 * (3 - i))
		rest = tail
	}
	a := IP{v4: true}
	for i := range 4 {
		a.b[12+i] = byte(total >> (8 * (3 - i)))
	}
	return a, true
}

// parseIPv6 reads an address of RFC 4291 §2.2. It refuses zone identifiers, which have no use in a stranger's URL.
func parseIPv6(s string) (IP, bool) {
	var a IP
	head, tail, gap := strings.Cut(s, "::")
	n, ok := ipv6Groups(head, a.b[:], !gap)
	if !ok {
		return IP{}, false
	}
	if !gap {
		return a, n == 16
	}
	var end [16]byte
	m, ok := ipv6Groups(tail, end[:], true)
	// "::" stands for at least one group, so at most seven others may be there.
	if !ok || n+m > 14 {
		return IP{}, false
	}
	copy(a.b[16-m:], end[:m])
	return a, true
}

// ipv6Groups writes the groups of s and returns how many bytes they fill. Only the last group may be dotted IPv4. A
// dotted part must be in its canonical spelling, so [::ffff:0x7f.1] is refused.
func ipv6Groups(s string, dst []byte, last bool) (int, bool) {
	n := 0
	for s != "" {
		group, rest, more := strings.Cut(s, ":")
		if strings.Contains(group, ".") {
			a, ok := parseIPv4(group)
			if more || !last || !ok || n > 12 || a.String() != group {
				return 0, false
			}
			return n + copy(dst[n:], a.b[12:]), true
		}
		v, err := strconv.ParseUint(group, 16, 16)
		if err != nil || len(group) > 4 || n > 14 || (more && rest == "") {
			return 0, false
		}
		dst[n], dst[n+1] = byte(v>>8), byte(v)
		n += 2
		s = rest
	}
	return n, true
}

// It judges an address by the IPv4 address within it, because packets end there. All that is not 2000::/3 and has no
// other meaning is reserved.
func (a IP) Reach() Reach {
	if v4, ok := a.Inner(); ok {
		return reachIPv4(v4[0], v4[1])
	}
	switch {
	case a.b == [16]byte{15: 1}:
		return Loopback
	case a.b[0] == 0xFE && a.b[1]&0xC0 == 0x80:
		return LinkLocal
	// fc00::/7 is unique local (RFC 4193), and fec0::/10 the old site local.
	case a.b[0]&0xFE == 0xFC, a.b[0] == 0xFE && a.b[1]&0xC0 == 0xC0:
		return Private
	case a.b[0]&0xE0 != 0x20:
		return Reserved
	}
	return Public
}

// Inner returns the IPv4 address that an address is or contains. Mapped, NAT64 and 6to4 addresses reach the same
// machines. The prefixes are ::ffff:0:0/96 (RFC 4291), 64:ff9b::/96 (RFC 6052) and 2002::/16 (RFC 3056).
func (a IP) Inner() (b [4]byte, ok bool) {
	switch {
	case a.v4, [12]byte(a.b[:12]) == [12]byte{10: 0xFF, 11: 0xFF},
		[12]byte(a.b[:12]) == [12]byte{1: 0x64, 2: 0xFF, 3: 0x9B}:
		return [4]byte(a.b[12:]), true
	case a.b[0] == 0x20 && a.b[1] == 0x02:
		return [4]byte(a.b[2:6]), true
	}
	return b, false
}

// Two bytes are enough for all ranges of RFC 6890 that matter here. 100.64.0.0/10 counts as private (RFC 6598), and
// 169.254.0.0/16 has the metadata services of clouds.
func reachIPv4(a, b byte) Reach {
	switch {
	case a == 127:
		return Loopback
	case a == 10, a == 172 && b&0xF0 == 16, a == 192 && b == 168, a == 100 && b&0xC0 == 64:
		return Private
	case a == 169 && b == 254:
		return LinkLocal
	case a == 0, a >= 224, a == 192 && b == 0, a == 198 && b&0xFE == 18:
		return Reserved
	}
	return Public
}

// String returns the canonical spelling: dotted decimal, or RFC 5952 in brackets.
func (a IP) String() string {
	var out []byte
	if a.v4 {
		for i, b := range a.b[12:] {
			if i > 0 {
				out = append(out, '.')
			}
			out = strconv.AppendInt(out, int64(b), 10)
		}
		return string(out)
	}
	from, to := a.zeros()
	out = append(out, '[')
	for i := 0; i < 16; i += 2 {
		if i == from {
			out = append(out, ':', ':')
			i = to - 2
			continue
		}
		if i > 0 && i != to {
			out = append(out, ':')
		}
		out = strconv.AppendUint(out, uint64(a.b[i])<<8|uint64(a.b[i+1]), 16)
	}
	return string(append(out, ']'))
}

// zeros returns the longest run of at least two zero groups, the first of equals. RFC 5952 section 4.2: a single zero
// group is not shortened, and of equal runs the first one is.
func (a IP) zeros() (from, to int) {
	from, to = -1, -1
	for i := 0; i < 16; i += 2 {
		j := i
		for j < 16 && a.b[j] == 0 && a.b[j+1] == 0 {
			j += 2
		}
		if j-i >= 4 && j-i > to-from {
			from, to = i, j
		}
		i = max(i, j-2)
	}
	return from, to
}

// Unmapped returns the IPv4 address of an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2), and any other address
// unchanged.
func (a IP) Unmapped() IP {
	if [12]byte(a.b[:12]) == [12]byte{10: 0xFF, 11: 0xFF} {
		a.v4 = true
	}
	return a
}
