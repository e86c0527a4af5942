package journalfile

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/elicit-engine/elicit/engine/journal"
)

func TestLinesAreThoseOfTheFile(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	for _, text := range []string{"", "a", "a\n", "a\nb", "\n\n", long + "\n" + long, strings.Repeat("abc\n", 50_000)} {
		for _, from := range []io.Reader{strings.NewReader(text), iotest.HalfReader(strings.NewReader(text))} {
			var got []string
			for line := range Lines(from, func(err error) { t.Error(err) }) {
				got = append(got, string(line))
			}
			if want := slices.Collect(strings.Lines(text)); !slices.Equal(got, want) {
				t.Errorf("%.20q: %d lines, want %d", text, len(got), len(want))
			}
		}
	}
}

// TestLineTooLongIsNotHeld: a line without an end uses no more memory than the longest record.
func TestLineTooLongIsNotHeld(t *testing.T) {
	lines := 0
	for line := range Lines(io.LimitReader(zeros{}, 1<<40), func(err error) { t.Error(err) }) {
		if lines++; len(line) > journal.MaxRecord+1<<20 || line[len(line)-1] == '\n' {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
	if lines != 1 {
		t.Errorf("%d lines", lines)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestLinesTellWhyTheyEnd(t *testing.T) {
	var got error
	why := errors.New("unplugged")
	lines := 0
	for range Lines(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(why)), func(err error) { got = err }) {
		lines++
	}
	if lines != 2 || !errors.Is(got, why) {
		t.Errorf("%d lines, then %v", lines, got)
	}
}
