package journalfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/internal/must"
)

// twoRecords returns a journal with the records {"a":1} and {"b":2}, and the path of its file.
func twoRecords(t *testing.T) (*File, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "j")
	j, err := Create(path, nil)
	must.OK(t, err)
	for _, r := range []string{`{"a":1}`, `{"b":2}`} {
		must.OK(t, j.Append([]byte(r)))
	}
	return j, path
}

func TestRecordsAreLinesOfAPrivateFile(t *testing.T) {
	j, path := twoRecords(t)
	must.OK(t, j.Close())
	if err := j.Append([]byte("x")); err == nil {
		t.Error("a record after Close was accepted")
	}
	if got, _ := os.ReadFile(path); string(got) != "{\"a\":1}\n{\"b\":2}\n" {
		t.Errorf("got %q", got)
	}
	if s, _ := os.Stat(path); s.Mode().Perm() != 0o600 {
		t.Errorf("permissions: got %v want 0600", s.Mode().Perm())
	}
}

// TestLostRecordsEndAJournal: nothing is appended to a file that was removed or cut.
func TestLostRecordsEndAJournal(t *testing.T) {
	for name, lose := range map[string]func(path string) error{
		"removed": os.Remove,
		"cut":     func(path string) error { return os.Truncate(path, 3) },
		"emptied": func(path string) error { return os.WriteFile(path, nil, 0o600) },
	} {
		path := filepath.Join(t.TempDir(), "j")
		j, err := Create(path, nil)
		must.OK(t, err)
		defer j.Close()
		must.OK(t, j.Append([]byte(`{"a":1}`)))
		if err := lose(path); err != nil {
			t.Skipf("%s: this system does not allow it: %v", name, err)
		}
		for range 2 {
			if err := j.Append([]byte(`{"b":2}`)); err == nil || !strings.Contains(err.Error(), "while it is written") {
				t.Errorf("%s: got %v", name, err)
			}
		}
		if text, _ := os.ReadFile(path); strings.Contains(string(text), "b") {
			t.Errorf("%s: a record was written: %s", name, text)
		}
	}
}

func TestEarlierRunsAreNeverTouched(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	before := []string{"{\"a\":1}\n", "{\"a\":1}\n{\"cut"}
	for i, text := range before {
		must.Write(t, text, path+[]string{"", ".2"}[i])
	}
	first, err := Create(path, nil)
	must.OK(t, err)
	second, err := Create(path, nil) // before the first has written a record
	must.OK(t, err)
	if first.Name() != path+".3" || second.Name() != path+".4" {
		t.Errorf("names: got %s and %s, want .3 and .4", first.Name(), second.Name())
	}
	first.Close()
	second.Close()
	for i, text := range before {
		if got, _ := os.ReadFile(path + []string{"", ".2"}[i]); string(got) != text {
			t.Errorf("journal %d changed: %q", i, got)
		}
	}
}

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	for _, path := range []string{t.TempDir(), "/nonexistent/j", os.DevNull} {
		j, err := Create(path, nil)
		if err == nil {
			j.Close()
			t.Errorf("%s was accepted", path)
		} else if !strings.Contains(err.Error(), "give --journal") {
			t.Errorf("%s: %v does not say what to do", path, err)
		}
	}
}

func TestEmptyFileIsUsed(t *testing.T) {
	path := must.Write(t, "", t.TempDir(), "j")
	j, err := Create(path, nil)
	if err != nil || j.Name() != path {
		t.Fatalf("got %v, %v", j, err)
	}
	j.Close()
}

func TestRecordThatMayNotBeOnTheDiskIsCut(t *testing.T) {
	j, path := twoRecords(t)
	j.cut() // as after a sync that failed
	j.Close()
	if got, _ := os.ReadFile(path); string(got) != "{\"a\":1}\n{\"b\":2}" {
		t.Errorf("got %q, want the last record without its line end", got)
	}
}

func TestOnlyPlacesThatMayNotBeWrittenAreUnwritable(t *testing.T) {
	cases := []struct {
		why  error
		want bool
	}{
		{syscall.ENOSPC, true}, {syscall.EROFS, true}, {syscall.EACCES, true}, {syscall.EDQUOT, true},
		{syscall.ENOENT, false}, {syscall.EISDIR, false},
	}
	for _, tt := range cases {
		err := fmt.Errorf("around: %w", &os.PathError{Op: "open", Path: "j", Err: tt.why})
		why := Unwritable(err)
		if (why != nil) != tt.want {
			t.Errorf("%v: got %v", tt.why, why)
		}
		if why == nil {
			continue
		}
		lost := Lost(why)
		if got := lost.Append([]byte("{}")); !errors.Is(got, tt.why) {
			t.Errorf("Append: got %v want %v", got, tt.why)
		}
		if err := lost.Close(); err != nil {
			t.Error(err)
		}
	}
}

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
