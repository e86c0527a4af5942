package policy

import (
	"strings"
	"testing"
)

func TestCompileHost(t *testing.T) {
	for _, c := range []struct {
		pattern, host string
		want          bool
	}{
		{"bücher.example", "xn--bcher-kva.example", true}, {"bücher.example.", "xn--bcher-kva.example", true},
		{"XN--BCHER-KVA.example", "xn--bcher-kva.example", true},
		{"*.bücher.example", "a.xn--bcher-kva.example", true}, {"*.bücher.example", "xn--bcher-kva.example", false},
		{"b?cher.example", "xn--bcher-kva.example", false},
		{"bü*.xn--bcher-kva.example", "xn--bcher-kva.xn--bcher-kva.example", true}, {"[bü]*.example", "xn--bcher-kva.example",
			true},
		{"::1", "[::1]", true}, {"[::1]", "[::1]", true}, {`\[::1\]`, "[::1]", true}, {"0:0::1", "[::1]", true},
		{"::1", "[::2]", false},
		{"::ffff:127.0.0.1", "127.0.0.1", true}, {"127.*", "[::ffff:7f00:1]", true}, {"*:*", "[2001:db8::1]", true},
		{`\[*`, "example.com", false},
		{"[a-c].example", "b.example", true}, {"localhost", "LOCALHOST.", true}, {"*", "", true}, {"", "", true},
		{"2130706433", "127.0.0.1", true},
		{"_dmarc.example", "_dmarc.example", true}, {"*-*", "a-b.example", true},
	} {
		g, fault, dead := compileHost(c.pattern)
		if fault != "" || dead != "" {
			t.Errorf("%q is refused: %s%s", c.pattern, fault, dead)
			continue
		}
		var h spelledHost
		if got := h.of(c.host).match(&criterion{globs: []glob{g}}); got != c.want {
			t.Errorf("%q on %q: got %v, want %v", c.pattern, c.host, got, c.want)
		}
	}
}

func TestDeadHosts(t *testing.T) {
	for pattern, write := range map[string]string{
		"https://example.com": "write example.com", "https://me@example.com:80/x": "write example.com",
		"example.com:443": "write example.com",
		"example.com/*":   "write example.com", "*.example.com:*": "write *.example.com",
		".example.com": "write *.example.com",
		"[2001:db8:*]": `\[2001:db8:*`,
		"2001:db8:*":   `\[2001:db8:*`, "straße.example": "xn--", "ｅxample.com": "xn--", "exa\u00admple.com": "xn--",
		"a b":  "write one such as",
		"a..b": "write one such as", "*%41*": "write one such as", "xn--google-": "write one such as",
	} {
		if _, fault, dead := compileHost(pattern); fault != "" || !strings.Contains(dead, write) {
			t.Errorf("%q: fault %q, dead %q; want %q", pattern, fault, dead, write)
		}
	}
}

// FuzzHost checks that a literal pattern matches the host that it spells.
func FuzzHost(f *testing.F) {
	for _, s := range []string{"bücher.example", "[::1]", "*.a", "a:1", `\[::*`, "[!a]*", "xn--bcher-kva"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		g, fault, dead := compileHost(s)
		if fault != "" || dead != "" || g.sort != globExact {
			return
		}
		var h spelledHost
		if !h.of(g.text).match(&criterion{globs: []glob{g}}) {
			t.Errorf("%q is compiled to %q, which is spelled %q and %q", s, g.text, h.host, h.other)
		}
	})
}
