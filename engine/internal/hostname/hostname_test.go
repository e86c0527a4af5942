package hostname

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/vectors"
)

// punycodes are the lower-case samples of RFC 3492 §7.1, and a few names in use.
var punycodes = map[string]string{
	"ليهمابتكلموشعربي؟":            "egbpdaj6bu4bxfgehfvwxn",
	"他们为什么不说中文":                    "ihqwcrb4cv8a8dqg056pqjye",
	"почемужеонинеговорятпорусски": "b1abfaaepdrnnbgefbadotcwatmq2g4l",
	"3年b組金八先生":                     "3b-ww4c5e180e575a65lsy2b",
	"そのスピードで":                      "d9juau41awczczp",
	"bücher":                       "bcher-kva",
	"münchen":                      "mnchen-3ya",
}

func TestPunycode(t *testing.T) {
	for text, code := range punycodes {
		if got, ok := decodePunycode(code); !ok || got != text {
			t.Errorf("decode %q = %q, %v; want %q", code, got, ok, text)
		}
		if got := encodePunycode(text); got != code {
			t.Errorf("encode %q = %q; want %q", text, got, code)
		}
	}
	for _, bad := range []string{"", "a", "a-", "-", "99999999", "ü", "a!", strings.Repeat("9", 63),
		strings.Repeat("a", 64)} {
		if got, ok := decodePunycode(bad); ok && encodePunycode(got) != bad {
			t.Errorf("decode %q = %q; want refused", bad, got)
		}
	}
}

// FuzzIPv6 compares the reader and the canonical spelling with the standard library's.
func FuzzIPv6(f *testing.F) {
	for _, s := range []string{"::", "::1", "1::", "2001:db8::1:0:0:1", "::ffff:10.0.0.1", "1:2:3:4:5:6:7:8", "fe80::1",
		"::127.0.0.1", "::0127.0.0.1", "::0x7f.0.0.1", "::1.2.3.",
		"0:0:1:0:0:0:1:0"} {
		f.Add(s)
	}
	f.Fuzz(readsIPv6)
}

// TestEveryShortIPv6 reads every text of a few symbols.
func TestEveryShortIPv6(t *testing.T) {
	for text := range vectors.Short(t, 5, 8, "0", "1", "f", ":", "::", ".", "10.0.0.", "fffe", "25", "g") {
		readsIPv6(t, text)
	}
}

func readsIPv6(t *testing.T, s string) {
	if strings.Contains(s, "%") || !strings.Contains(s, ":") {
		return
	}
	got, ok := parseIPv6(s)
	want, err := netip.ParseAddr(s)
	if ok != (err == nil) {
		t.Fatalf("%q: %v; netip says %v", s, ok, err)
	}
	if ok && !want.Is4In6() && got.String() != "["+want.String()+"]" {
		t.Fatalf("%q: %s; netip says %s", s, got.String(), want)
	}
}

// TestForPeopleKeepsNames checks that what people see of a name is the same name.
func TestForPeopleKeepsNames(t *testing.T) {
	for host, want := range map[string]string{"xn--bcher-kva.example": "bücher.example",
		"xn--xn---epa.example": "xn--xn---epa.example"} {
		got := ForPeople(host)
		if again, ok := ASCII(got); got != want || !ok || again != host {
			t.Errorf("people see %s as %s, which is the name %s", host, got, again)
		}
	}
}
