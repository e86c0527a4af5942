package policy

import (
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/internal/hostname"
)

// A host has several spellings: bücher.example is xn--bcher-kva.example, ::1 is [0:0::1], [::ffff:127.0.0.1] is
// 127.0.0.1. A pattern without wildcards names one host, so it is converted to the spelling that requests have. A
// pattern with wildcards is compared with the ASCII spelling, or with the Unicode spelling if it has letters beyond
// ASCII. Rules that tighten are compared with both.

// spelledHost is the host of a request. Its spellings are made when a rule first needs them. host is the spelling of
// package risk for URLs, and the last dot is cut off. other has no value for a plain name.
type spelledHost struct {
	host  string // as asked of DNS, IPv4 in dotted decimal, IPv6 in brackets
	other string // the Unicode spelling, or the IPv6 spelling of an IPv4 address; "" when there is none
	done  bool
}

// of spells the host once. An address of IPv4 in IPv6 has both spellings, and a name with xn-- both alphabets. A host
// that has no spelling in ASCII stays as it is, so that "*" still matches it.
func (s *spelledHost) of(host string) *spelledHost {
	if s.done {
		return s
	}
	s.host, s.done = fold(strings.TrimSuffix(host, ".")), true
	if ip, ok := address(s.host); ok {
		s.host = ip.Unmapped().String()
		if spelled := ip.String(); spelled != s.host {
			s.other = spelled
		}
		return s
	}
	if !ascii(s.host) {
		if name, ok := hostname.ASCII(s.host); ok {
			s.host = name
		}
	}
	if strings.Contains(s.host, "xn--") {
		s.other = fold(hostname.Unicode(s.host))
	}
	return s
}

// A wide pattern has letters beyond ASCII beside a wildcard, as bü*.example, and "xn--" spells no part of a label. So
// it is compared with the Unicode spelling alone, if the host has one.
func (s *spelledHost) match(c *criterion) bool {
	for i := range c.globs {
		g := &c.globs[i]
		if text := s.host; g.wide && s.other != "" && g.match(s.other) || !(g.wide && s.other != "") && g.match(text) {
			return true
		}
	}
	return false
}

// address reads a literal IP address, IPv6 with or without brackets.
func address(host string) (hostname.IP, bool) {
	if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
		return hostname.ParseIP("[" + host + "]")
	}
	return hostname.ParseIP(host)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// compileHost compiles a pattern for hosts. fault says why the pattern is invalid. dead says why it can match no host,
// and what to write instead: a rule that declines by a host that never occurs would protect no one. Examples:
// "Bücher.example" becomes xn--bcher-kva.example, "::1" stays, "https://a.example" is dead, and so is ".a.example". A
// dead pattern breaks its rule, so the rule tightens more than it was meant to.
func compileHost(pattern string) (g glob, fault, dead string) {
	text := fold(strings.TrimSuffix(pattern, "."))
	bare := strings.ReplaceAll(text, `\`, "")
	if !strings.ContainsAny(text, "*?") {
		// An address without wildcards is exact after it is spelled as requests have it: 0x7f.1 becomes 127.0.0.1.
		if ip, ok := address(bare); ok {
			return glob{text: ip.Unmapped().String()}, "", ""
		}
		if bare == "" {
			return glob{}, "", ""
		}
		// No set is in the pattern, so it is one name.
		if !strings.Contains(strings.ReplaceAll(text, `\[`, ""), "[") {
			name, ok := hostname.ASCII(bare)
			if !ok {
				return g, "", advice(bare)
			}
			return glob{text: name}, "", ""
		}
	}
	text, wide, ok := spellLabels(text)
	if !ok {
		return g, "", advice(bare)
	}
	g, fault = compileGlob(text, anyCase)
	if fault == "" && !meetsHosts(text) {
		dead = advice(bare)
	}
	g.wide = wide
	return g, fault, dead
}

// spellLabels spells the labels of a pattern that have no wildcards in ASCII. A label with both wildcards and letters
// beyond ASCII has no ASCII spelling; then all labels are spelled in Unicode.
func spellLabels(text string) (spelled string, wide, ok bool) {
	if ascii(text) {
		return text, false, true
	}
	if strings.Contains(text, "[") { // a set may hold a dot
		return text, true, true
	}
	labels := strings.Split(text, ".")
	inASCII := make([]string, len(labels))
	for i, label := range labels {
		switch {
		case ascii(label):
			inASCII[i], labels[i] = label, hostname.Unicode(label)
		case strings.ContainsAny(label, `*?\`):
			wide = true
		default:
			if inASCII[i], ok = hostname.ASCII(label); !ok {
				return "", false, false
			}
		}
	}
	if wide {
		return strings.Join(labels, "."), true, true
	}
	return strings.Join(inASCII, "."), false, true
}

// meetsHosts reports whether every character of a valid pattern can occur in hosts. Colons occur only in IPv6
// addresses. A pattern with a colon must be one of an IPv6 address: "[" may come first, "]" last, and no letter beyond
// a to f may stand in it. "a.example:443" is dead for that reason: hosts have no port.
func meetsHosts(text string) bool {
	first, last := element{any: true}, element{any: true}
	started, colon, name := false, false, false
	for rest := text; rest != ""; {
		var e element
		if rest[0] == '*' {
			e, rest = element{any: true}, rest[1:]
		} else {
			e, rest, _ = readElement(rest, anyCase)
		}
		// For example "a b" has a blank, which no host has.
		if !occurs(&e) {
			return false
		}
		if !started {
			first, started = e, true
		}
		last = e
		name = name || e.literal() && !strings.ContainsRune("[]0123456789abcdef:.", e.lo)
		colon = colon || e.literal() && e.lo == ':' || e.set != nil && !e.negate && !e.match('a', true) && e.match(':', true)
	}
	return !colon || !name && first.match('[', true) && last.match(']', true)
}

// occurs reports whether an element can match a character of some host. A negated set can always.
func occurs(e *element) bool {
	if e.literal() && e.lo >= utf8.RuneSelf || e.set != nil && (e.negate || e.set[len(e.set)-1].hi >= utf8.RuneSelf) {
		return true
	}
	for _, r := range "abcdefghijklmnopqrstuvwxyz0123456789-_.[]:" {
		if e.match(r, true) {
			return true
		}
	}
	return false
}

// advice says what to write instead of a pattern that matches no host.
func advice(text string) string {
	if !ascii(text) {
		return "programs read these letters in different ways; write the name that begins with xn--"
	}
	if rest, ok := strings.CutPrefix(text, "."); ok {
		return "no host begins with a dot; write *." + rest
	}
	host := text
	if _, rest, ok := strings.Cut(host, "://"); ok {
		host = rest
	}
	host, _, _ = strings.Cut(strings.ReplaceAll(host, "#", "/"), "/")
	host = host[strings.LastIndexByte(host, '@')+1:]
	if name, port, ok := strings.Cut(host, ":"); ok && !strings.Contains(port, ":") {
		host = name
	}
	host = strings.TrimSpace(host)
	if strings.Contains(host, ":") {
		return `an IPv6 address is written whole, as ::1, or with wildcards as \[2001:db8:*`
	}
	if host != text && host != "" {
		return "a host is a name alone, without scheme, user, port or path; write " + host
	}
	return "this is no host name; write one such as example.com or *.example.com"
}
