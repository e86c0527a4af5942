package journalfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

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
