package safelog

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

// clock is a time that a test sets.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func (c *clock) pass(d time.Duration) { c.at = c.at.Add(d) }

func newClock() *clock { return &clock{time.Unix(1_700_000_000, 0)} }

func TestValuesArePlain(t *testing.T) {
	type name string
	for _, c := range []struct {
		why, format string
		values      []any
		want        string
	}{
		{"bare words", "the server ended", nil, "the server ended"},
		{"numbers", "%d of %d, %.1f %v", []any{3, int64(4), 2.5, true}, "3 of 4, 2.5 true"},
		{"width from a value", "%*d|", []any{4, 7}, "   7|"},
		{"C1 control", "id %s", []any{"\u009b31m"}, "id <U+009B>31m"},
		{"direction override", "id %s", []any{"a\u202eb"}, "id a<U+202E>b"},
		{"invisible", "id %v", []any{"a\u3164\u200bb"}, "id a<U+3164><U+200B>b"},
		{"line feed", "id %s", []any{"a\nelicit proxy: all is well"}, "id a elicit proxy: all is well"},
		{"escape in bytes", "%s", []any{[]byte("\x1b[2J")}, "<U+001B>[2J"},
		{"named string", "%s", []any{name("\x07")}, "<U+0007>"},
		{"error", "%v", []any{errors.New("bad\rgood")}, "bad<U+000D>good"},
		{"struct", "%+v", []any{struct{ A string }{"\u0085"}}, "{A:<U+0085>}"},
		{"list", "%v", []any{[]string{"\x1b"}}, "[<U+001B>]"},
		{"quoted", "%q", []any{"a\nb"}, `"a\nb"`},
		{"nil", "%v", []any{nil}, "<nil>"},
		{"broken UTF-8", "%s", []any{"a\xffb"}, "a\ufffdb"},
		{"the format itself", "a\x1bb\nc", nil, "a<U+001B>b c"},
	} {
		t.Run(c.why, func(t *testing.T) {
			var out bytes.Buffer
			New(&out, "x: ", newClock().now).Notef(c.format, c.values...)
			if got, want := out.String(), "x: "+c.want+"\n"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestLinesAreBounded(t *testing.T) {
	var out bytes.Buffer
	n := New(&out, "", newClock().now)
	long := "begin" + strings.Repeat("é", 1<<20) + "end"
	n.Notef("%s and then", long)
	if got := out.String(); !strings.HasPrefix(got, "begin") || !strings.HasSuffix(got, "end and then\n") ||
		utf8.RuneCountInString(got) != MaxValue+len(" and then\n") || !utf8.ValidString(got) {
		t.Errorf("got %d characters: %.80s", utf8.RuneCountInString(got), got)
	}
	out.Reset()
	n.Notef("%s %s %s %s %s %s", long, long, long, long, long, strings.Repeat("\u202e", 1000))
	if got := utf8.RuneCountInString(out.String()); got != MaxLine+1 {
		t.Errorf("got %d characters, want %d", got, MaxLine+1)
	}
}

func TestRateIsLimited(t *testing.T) {
	var out bytes.Buffer
	at := newClock()
	n := New(&out, "", at.now)
	lines := func() []string {
		defer out.Reset()
		return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	}
	flood := func(count int) {
		for i := range count {
			n.Notef("note %d", i)
		}
	}
	flood(10_000)
	if got := lines(); len(got) != Burst || got[Burst-1] != "note 19" {
		t.Errorf("a flood: got %d lines, the last %q", len(got), got[len(got)-1])
	}
	at.pass(Interval)
	flood(100)
	if got := strings.Join(lines(), "|"); got != "9980 more notes left out|note 0" {
		t.Errorf("after a second: got %s", got)
	}
	at.pass(Interval / 2)
	flood(1)
	n.Close()
	if got := strings.Join(lines(), "|"); got != "100 more notes left out" {
		t.Errorf("at the end: got %s", got)
	}
	n.Close()
	if out.Len() != 0 {
		t.Errorf("told twice: %s", out.String())
	}
	at.pass(time.Hour)
	flood(2 * Burst)
	if got := lines(); len(got) != Burst || got[0] != "note 0" {
		t.Errorf("after an hour: got %d lines, the first %q", len(got), got[0])
	}
	at.pass(-time.Hour)
	flood(1)
	at.pass(Interval)
	flood(2)
	n.Close()
	if got := strings.Join(lines(), "|"); got != "21 more notes left out|note 0|1 more note left out" {
		t.Errorf("after the clock went back: got %s", got)
	}
}

func TestFromManyGoroutines(t *testing.T) {
	var out bytes.Buffer
	at := newClock()
	n := New(&out, "", at.now)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 100 {
				n.Notef("from %d", i)
			}
		})
	}
	all.Wait()
	n.Close()
	last := fmt.Sprintf("%d more notes left out\n", 800-Burst)
	if got := out.String(); strings.Count(got, "from ") != Burst || !strings.HasSuffix(got, last) {
		t.Errorf("got %s", got)
	}
}
