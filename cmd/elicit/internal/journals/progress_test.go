package journals

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestReadingProgress checks when a reading shows how far it is, with a clock that each line moves.
func TestReadingProgress(t *testing.T) {
	all := [][]byte{[]byte("12345\n"), []byte("12345\n"), []byte("123456789\n")}
	for _, c := range []struct {
		name string
		step time.Duration
		want string
	}{
		{"a quick one shows nothing", 300 * time.Millisecond, ""},
		{"a slow one shows every line and clears it", time.Second, "\r\x1b[2K 27 % of j, 1 records" +
			"\r\x1b[2K 54 % of j, 2 records\r\x1b[2K100 % of j, 3 records\r\x1b[2K"},
		{"one that becomes slow", 400 * time.Millisecond, "\r\x1b[2K100 % of j, 3 records\r\x1b[2K"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			at := time.Unix(0, 0)
			p := readingProgress{to: &out, name: "j", whole: 22, now: func() time.Time {
				now := at
				at = at.Add(c.step)
				return now
			}}
			if got := slices.Collect(p.lines(slices.Values(all))); len(got) != len(all) {
				t.Errorf("%d lines, want %d", len(got), len(all))
			}
			if out.String() != c.want {
				t.Errorf("got %q, want %q", out.String(), c.want)
			}
		})
	}
}
