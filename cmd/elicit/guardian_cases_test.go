package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestApart holds that a long difference is shown where it is, and a short one whole.
func TestApart(t *testing.T) {
	long := strings.Repeat("ü", 400)
	for _, c := range []struct{ a, b, wantA, wantB string }{
		{"a", "b", "a", "b"},
		{long + "x" + long, long + "y" + long, "üx", "üy"},
		{long, long + "end", "ü", "end"},
		{"", long, "", "ü"},
	} {
		a, b := apart(c.a, c.b)
		for _, s := range []string{a, b} {
			if len(s) > longestTold+12 || !utf8.ValidString(s) {
				t.Errorf("%d bytes: %q", len(s), s)
			}
		}
		if !strings.Contains(a, c.wantA) || !strings.Contains(b, c.wantB) {
			t.Errorf("%q\n%q\nwant %q and %q in them", a, b, c.wantA, c.wantB)
		}
	}
}
