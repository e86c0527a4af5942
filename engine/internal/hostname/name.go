// Package hostname spells hosts: names in ASCII and in Unicode (RFC 3492, and UTS 46 as far as software agrees), and
// literal addresses as browsers read them (WHATWG URL, host parsing). It imports no other package of this module.
//
// Three questions are answered here, and each has its own function. ASCII gives the name that DNS is asked for, and
// refuses what software spells in different ways. Unicode and ForPeople (punycode.go) give a name for a screen. ParseIP
// (ip.go) reads an address as a browser does:
//
//	ASCII("BÜCHER.example")             refused: a capital beyond ASCII is mapped, and not by all software in one way
//	ASCII("bücher.example")             xn--bcher-kva.example
//	Unicode("xn--bcher-kva.example")    bücher.example
//	ParseIP("0x7f.1")                   127.0.0.1
//	ParseIP("[::ffff:127.0.0.1]")       [::ffff:7f00:1], and Unmapped gives 127.0.0.1
//
// All functions are pure, and their work is bounded by the lengths that they accept: 1,024 bytes for a host.
package hostname

import (
	"strings"
	"unicode"
)

// ASCII returns the name that DNS is asked for, without a final dot. It refuses an empty label, a label of more than 63
// bytes, a name of more than 253, and a name whose last label is a number: a browser reads that as IPv4 (WHATWG URL,
// ends in a number checker). "_" is allowed, because names of services have it.
//
// The result is a fixed point: ASCII of it gives it again.
func ASCII(host string) (string, bool) {
	host = strings.TrimSuffix(host, ".")
	if host == "" || len(host) > 1024 {
		return "", false
	}
	out := make([]byte, 0, len(host)+16)
	for label := range strings.SplitSeq(host, ".") {
		ascii, ok := asciiLabel(label)
		if !ok {
			return "", false
		}
		out = append(append(out, ascii...), '.')
	}
	out = out[:len(out)-1]
	last := string(out[strings.LastIndexByte(string(out), '.')+1:])
	if len(out) > 253 || numeric(last) {
		return "", false
	}
	return string(out), true
}

// asciiLabel spells one label in small letters, in punycode if it has letters beyond ASCII. An empty label is refused,
// so a name with two dots in a row is no name.
func asciiLabel(label string) (string, bool) {
	ascii := true
	for _, r := range label {
		switch {
		case r >= 0x80:
			// A letter that UTS 46 maps, such as a full-width one, would give another name in software that does not
			// map it.
			if ascii = false; !stable(r) {
				return "", false
			}
		case !IsLetter(byte(r)) && !IsDigit(byte(r)) && r != '-' && r != '_':
			return "", false
		}
	}
	label = Lower(label)
	if !ascii {
		// A label cannot be both encoded and beyond ASCII.
		if strings.HasPrefix(label, "xn--") {
			return "", false
		}
		label = "xn--" + encodePunycode(label)
	} else if strings.HasPrefix(label, "xn--") {
		// "xn--" with a text that no encoder makes is refused by browsers and accepted by plain resolvers.
		if text, ok := decodePunycode(label[4:]); !ok || strings.ContainsFunc(text, unnamed) {
			return "", false
		}
	}
	if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
		return "", false
	}
	return label, true
}

// unnamed reports what no label has when it is decoded: what UTS 46 maps to something else, and what shows nothing.
func unnamed(r rune) bool {
	return !unicode.IsGraphic(r) || unicode.In(r, unicode.Lu, unicode.Lt, unicode.Zs)
}

// stableRanges are letters that IDNA (UTS 46) maps to themselves. With step 2, every second letter counts, because the
// block alternates capitals and small letters. Everything else is refused and not mapped: capitals, ligatures,
// full-width forms, and ß and ς, which software treats differently.
var stableRanges = [...]struct{ lo, hi, step rune }{
	{0xE0, 0xF6, 1}, {0xF8, 0xFF, 1}, {0x101, 0x131, 2}, {0x135, 0x137, 2}, {0x13A, 0x13E, 2}, {0x142, 0x148, 2},
	{0x14B, 0x177, 2}, {0x17A, 0x17E, 2}, {0x1A1, 0x1A1, 1}, {0x1B0, 0x1B0, 1}, {0x219, 0x21B, 2}, {0x390, 0x390, 1},
	{0x3AC, 0x3C1, 1}, {0x3C3, 0x3CE, 1}, {0x430, 0x45F, 1}, {0x461, 0x481, 2}, {0x48B, 0x4BF, 2}, {0x4C2, 0x4CE, 2},
	{0x4CF, 0x52F, 2}, {0x561, 0x586, 1}, {0x5D0, 0x5EA, 1}, {0x620, 0x64A, 1}, {0x660, 0x669, 1}, {0x671, 0x674, 1},
	{0x679, 0x6D3, 1}, {0x6F0, 0x6F9, 1}, {0x904, 0x939, 1}, {0x93E, 0x94D, 1}, {0xE01, 0xE32, 1}, {0xE34, 0xE3A, 1},
	{0xE40, 0xE4E, 1}, {0x10D0, 0x10FA, 1}, {0x1EA1, 0x1EFF, 2}, {0x3005, 0x3005, 1}, {0x3041, 0x3096, 1},
	{0x30A1, 0x30FA, 1}, {0x30FC, 0x30FC, 1}, {0x3105, 0x312F, 1}, {0x3400, 0x4DBF, 1}, {0x4E00, 0x9FFF, 1},
	{0xAC00, 0xD7A3, 1},
}

// The ranges are few, and hosts are short, so a linear search is enough.
func stable(r rune) bool {
	for _, s := range stableRanges {
		if r >= s.lo && r <= s.hi {
			return (r-s.lo)%s.step == 0
		}
	}
	return false
}

// IsLetter reports whether a byte is a letter of ASCII.
func IsLetter(c byte) bool { return LowerByte(c) >= 'a' && LowerByte(c) <= 'z' }

// IsDigit reports whether a byte is a digit of ASCII.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// LowerByte returns a letter of ASCII in lower case, and any other byte as it is.
func LowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 32
	}
	return c
}

// Lower returns a text with the letters of ASCII in lower case. The bytes stay in their places, unlike with
// strings.ToLower: U+212A, the Kelvin sign, stays as it is and does not become a k. s itself is returned if nothing
// changes.
func Lower(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				b[i] = LowerByte(b[i])
			}
			return string(b)
		}
	}
	return s
}
