package schema

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func TestFormats(t *testing.T) {
	long := strings.Repeat("a", 63)
	for _, tc := range []struct {
		format Format
		text   string
		want   bool
	}{
		{Email, "a@b", true},
		{Email, "first.last+tag@sub.example.org", true},
		{Email, "!#$%&'*+-/=?^_`{|}~@example.org", true},
		{Email, `""@example.org`, true},
		{Email, `"a b"@example.org`, true},
		{Email, `"a\"b\\c"@example.org`, true},
		{Email, `"a"b@example.org`, false},
		{Email, `"a@example.org`, false},
		{Email, `"a\`, false},
		{Email, "\"a\tb\"@example.org", false},
		{Email, "a@[127.0.0.1]", true},
		{Email, "a@[ipv6:::1]", true},
		{Email, "a@[IPv6:1::2::3]", false},
		{Email, "a@[::1]", false},
		{Email, "a@[127.0.0.1", false},
		{Email, "a@[]", false},
		{Email, "a@[", false},
		{Email, "a@", false},
		{Email, "@b", false},
		{Email, "", false},
		{Email, "a.@b", false},
		{Email, ".a@b", false},
		{Email, "a..b@c", false},
		{Email, "a@b.", false},
		{Email, "a@.b", false},
		{Email, "a@b..c", false},
		{Email, "a@-b", false},
		{Email, "a@b_c", false},
		{Email, "ä@b", false},
		{Email, "a@ä", false},
		{Email, "Maria <a@b>", false},
		{Email, long + "a@b", true},
		{Email, long + "aa@b", false},
		{Email, "a@" + long + "." + long, true},
		{Email, "a@" + long + "a.b", false},
		{Email, "a@" + long + "." + long + "." + long + "." + strings.Repeat("b", 60), true},
		{Email, "a@" + long + "." + long + "." + long + "." + strings.Repeat("b", 61), false},

		{URI, "a:", true},
		{URI, "http://", true},
		{URI, "http://a", true},
		{URI, "http://user:pw@host:80/p;x?q=/?#f?/", true},
		{URI, "HTTP://A%20B/", true},
		{URI, "x-y.z+1:opaque:part@x", true},
		{URI, "http://[::]", true},
		{URI, "http://[::ffff:1.2.3.4]:1/", true},
		{URI, "http://[v1.a:b]/", true},
		{URI, "http://[v.a]/", false},
		{URI, "http://[v1.]/", false},
		{URI, "http://[v1]/", false},
		{URI, "http://[V9.:]/", true},
		{URI, "http://[w1.a]/", false},
		{URI, "http://[vg.a]/", false},
		{URI, "http://[]/", false},
		{URI, "http://[::1]x/", false},
		{URI, "http://[fe80::1%25eth0]/", false},
		{URI, "http://a:b:c/", false},
		{URI, "http://a@b@c/", false},
		{URI, "http:///path", true},
		{URI, "", false},
		{URI, ":a", false},
		{URI, "1a:b", false},
		{URI, "a b:c", false},
		{URI, "//a/b", false},
		{URI, "a:%", false},
		{URI, "a:%a", false},
		{URI, "a:%ag", false},
		{URI, "a:%41", true},
		{URI, "a:b#c#d", false},
		{URI, "a:b?c%zz", false},
		{URI, "a:<b>", false},
		{URI, `a:\b`, false},
		{URI, "a:\n", false},
		{URI, "a:[b]", false},
		{URI, "a:b|c", false},

		{Date, "9999-12-31", true},
		{Date, "2100-02-29", false},
		{Date, "2023-04-31", false},
		{Date, "2023-00-01", false},
		{Date, "2023-01-00", false},
		{Date, "2023/01/01", false},
		{Date, "+023-01-01", false},
		{Date, "2023-01-011", false},
		{Date, "２023-01-01", false},

		{DateTime, "0000-01-01T00:00:00Z", true},
		{DateTime, "2026-02-30T00:00:00Z", false},
		{DateTime, "2026-01-01T00:60:00Z", false},
		{DateTime, "2026-01-01T00:00:61Z", false},
		{DateTime, "2026-01-01T00:00:00+24:00", false},
		{DateTime, "2026-01-01T00:00:00+23:60", false},
		{DateTime, "2026-01-01T00:00:00+23:59", true},
		{DateTime, "2026-01-01T00:00:00ZZ", false},
		{DateTime, "2026-01-01T00:00:00 Z", false},
		{DateTime, "2026-01-01T00:00:00,5Z", false},
		{DateTime, "2017-01-01T00:59:60+01:00", true},
		{DateTime, "2016-12-31T23:59:60+01:00", false},
		{DateTime, "2016-12-31T23:59:60.5z", true},
	} {
		if got := tc.format.Matches([]byte(tc.text)); got != tc.want {
			t.Errorf("%v %q: got %v, want %v", tc.format, tc.text, got, tc.want)
		}
	}
}

// TestDateAgainstTime compares every text of the form of a day, for some years, with the standard library's calendar.
func TestDateAgainstTime(t *testing.T) {
	for _, year := range []int{0, 1, 4, 100, 400, 1900, 2000, 2023, 2024, 9999} {
		for month := range 14 {
			for day := range 33 {
				text := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
				_, err := time.Parse(time.DateOnly, text)
				if got := isDate([]byte(text)); got != (err == nil) {
					t.Errorf("%s: got %v, want %v", text, got, err == nil)
				}
			}
		}
	}
}

// TestAddressesAgainstNetip compares made-up addresses with the standard library's reader.
func TestAddressesAgainstNetip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{":", "::", "0", "1", "ffff", "12345", "1.2.3.4", "256", "01", ".", "g"}
	agreed := 0
	for range 200_000 {
		var b strings.Builder
		for range r.IntN(16) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		text := b.String()
		addr, err := netip.ParseAddr(text)
		if want := err == nil && addr.Is4(); isIPv4([]byte(text)) != want {
			t.Fatalf("IPv4 %q: got %v, want %v", text, !want, want)
		}
		want := err == nil && addr.Is6()
		if isIPv6([]byte(text)) != want {
			t.Fatalf("IPv6 %q: got %v, want %v", text, !want, want)
		}
		if want {
			agreed++
		}
	}
	if agreed < 100 {
		t.Fatalf("only %d valid addresses were tried", agreed)
	}
}
