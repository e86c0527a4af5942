package risk

import (
	"net/url"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/internal/hostname"
	"github.com/elicit-engine/elicit/internal/vectors"
)

func TestParseURL(t *testing.T) {
	for _, c := range []struct {
		raw, host, unicode string
		port               int
		hostText, path     string
		query, fragment    string
	}{
		{"https://Example.COM/a?b=c#d", "example.com", "example.com", 0, "Example.COM", "/a", "b=c", "d"},
		{"http://example.com:80", "example.com", "example.com", 0, "example.com", "", "", ""},
		{"https://example.com:8443?x", "example.com", "example.com", 8443, "example.com", "", "x", ""},
		{"https://me:pw@example.com/#", "example.com", "example.com", 0, "example.com", "/", "", ""},
		{"https://bücher.example/", "xn--bcher-kva.example", "bücher.example", 0, "bücher.example", "/", "", ""},
		{"https://XN--BCHER-KVA.example/", "xn--bcher-kva.example", "bücher.example", 0, "XN--BCHER-KVA.example", "/", "",
			""},
		{"https://xn--ls8h.la/", "xn--ls8h.la", "xn--ls8h.la", 0, "xn--ls8h.la", "/", "", ""},
		{"https://0300.0250.1/", "192.168.0.1", "192.168.0.1", 0, "0300.0250.1", "/", "", ""},
		{"https://[2001:DB8:0:0::1]:1/", "[2001:db8::1]", "[2001:db8::1]", 1, "[2001:DB8:0:0::1]", "/", "", ""},
		{"https://example.com/a#b?c", "example.com", "example.com", 0, "example.com", "/a", "", "b?c"},
		{"https://example.com./", "example.com", "example.com", 0, "example.com.", "/", "", ""},
	} {
		u, ok := ParseURL(c.raw)
		if !ok || u.Host != c.host || u.HostUnicode != c.unicode || u.Port != c.port ||
			c.raw[u.HostStart:u.HostEnd] != c.hostText ||
			c.raw[u.PathStart:u.PathEnd] != c.path || c.raw[u.QueryStart:u.QueryEnd] != c.query ||
			c.raw[u.FragStart:u.FragEnd] != c.fragment {
			t.Errorf("ParseURL(%q) = %+v, %v", c.raw, u, ok)
		}
		if u.Userinfo != strings.Contains(c.raw, "@") {
			t.Errorf("ParseURL(%q).Userinfo = %v", c.raw, u.Userinfo)
		}
	}
}

func TestParseURLRefuses(t *testing.T) {
	for _, raw := range []string{"", "https", "https:", "https://", "https:///a", "https:/a", "https:a", "//a", "/a",
		"a.example", "ftp://a", "javascript:1",
		" https://a", "https://a ", "https://a b", "ht\ttps://a", "https://a\n", `https:\\a`, `https://a\b`, "https://a:b",
		"https://a:0", "https://a:65536",
		"https://a:-1", "https://a:80:80", "https://.a", "https://a..b", "https://-a", "https://a-", "https://a%20b",
		"https://a/%", "https://a/%zz",
		"https://[::1", "https://::1", "https://[::1%25eth0]", "https://[1:2:3:4:5:6:7]", "https://[1::2::3]",
		"https://[:::]", "https://1.2.3.4.5", "https://256.1.1.1",
		"https://a.1", "https://a.0x", "https://09.1", "https://ａ.example", "https://STRASSE.ß", "https://a。b",
		"https://Ü.example", "https://xn--google-/", "https://xn--/",
		"https://xn--99999999999/", "https://a\x00", "https://a\xff", "https://a/\u202e", "https://a/\u00a0",
		"https://\u200b", "https://" + strings.Repeat("a.", 130) + "b",
		"https://a\"b", "https://a/<b>", "https://a@b@c", "http://`@a", "https://exa$mple.com", "https://(a)", "https://a,b",
		"https://*.a"} {
		if u, ok := ParseURL(raw); ok {
			t.Errorf("ParseURL(%q) accepted: %+v", raw, u)
		}
	}
}

func TestScriptTables(t *testing.T) {
	for i := 1; i < len(scriptRanges); i++ {
		if scriptRanges[i].lo <= scriptRanges[i-1].hi || scriptRanges[i].lo > scriptRanges[i].hi {
			t.Errorf("scriptRanges row %d overlaps or is empty: %+v", i, scriptRanges[i])
		}
	}
	for r, want := range map[rune]script{'a': scriptLatin, 'é': scriptLatin, '1': scriptNone, '-': scriptNone,
		'а': scriptCyrillic, 'α': scriptGreek, '日': scriptHan,
		'の': scriptKana, '한': scriptHangul, 'ա': scriptArmenian, '\u200b': scriptOther, 'ا': scriptArabic, 'א': scriptHebrew,
		'ﬁ': scriptOther, '❤': scriptNone, '∕': scriptOther} {
		if got := scriptOf(r); got != want {
			t.Errorf("scriptOf(%q) = %v; want %v", r, got, want)
		}
	}
	for _, r := range imitators {
		if s := scriptOf(r); s == scriptLatin || s == scriptNone || s == scriptOther {
			t.Errorf("imitator %q is %v", r, s)
		}
	}
}

// isLiteral reports a host that ParseURL spells differently on purpose: an IP address.
func (u URL) isLiteral() bool {
	_, ok := hostname.ParseIP(u.Host)
	return ok
}

// FuzzParseURL compares ParseURL with net/url: for every URL that ParseURL accepts, both must see the same host.
func FuzzParseURL(f *testing.F) {
	for _, u := range ordinaryURLs {
		f.Add(u)
	}
	for _, s := range hostile() {
		f.Add(s.URL)
	}
	f.Add("https://[2001:db8::1]:8080/")
	f.Fuzz(readsAsOthers)
}

// TestEveryShortURL reads every host, port and path of a few symbols.
func TestEveryShortURL(t *testing.T) {
	for text := range vectors.Short(t, 4, 5, "a", "A", "0", "1", ".", ":", "/", "@", "[", "]", "::", "%", "%2e", "?", "#",
		`\`, " ", "\n", "\u00e9", "\uff0e", "xn--", "-", "_", "0x", "255", "\xff") {
		readsAsOthers(t, "https://"+text)
	}
}

func readsAsOthers(t *testing.T, raw string) {
	u, ok := ParseURL(raw)
	if !ok {
		return
	}
	if u.Host == "" || u.HostUnicode == "" || (u.Scheme != "https" && u.Scheme != "http") || u.Port < 0 ||
		u.Port > 65535 {
		t.Fatalf("%q: %+v", raw, u)
	}
	for _, s := range [][2]int{{u.HostStart, u.HostEnd}, {u.PathStart, u.PathEnd}, {u.QueryStart, u.QueryEnd},
		{u.FragStart, u.FragEnd}} {
		if s[0] < 0 || s[0] > s[1] || s[1] > len(raw) {
			t.Fatalf("%q: span %v", raw, s)
		}
	}
	for _, r := range u.Host {
		if r <= ' ' || r >= 0x7F || (r >= 'A' && r <= 'Z') {
			t.Fatalf("%q: host %q", raw, u.Host)
		}
	}
	std, err := url.Parse(raw)
	if err != nil {
		t.Fatalf("%q: accepted, but net/url says %v", raw, err)
	}
	if written := strings.ToLower(strings.TrimSuffix(std.Hostname(), ".")); u.Host == u.HostUnicode && !u.isLiteral() &&
		written != u.Host {
		t.Fatalf("%q: host %q; net/url says %q", raw, u.Host, written)
	}
	if again, ok := ParseURL("https://" + u.Host + "/"); !ok || again.Host != u.Host {
		t.Fatalf("%q: host %q is not a fixed point", raw, u.Host)
	}
}
