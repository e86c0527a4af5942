//go:build unix

package journalfile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/internal/must"
)

// grow continues a journal by one record.
func grow(t *testing.T, path string, key Key) (name string, head journal.Head) {
	t.Helper()
	f, head, err := Continue(path, key)
	must.OK(t, err)
	defer f.Close()
	record, head := journal.Append(nil, head, journal.Record{Event: []byte(`{"event":"ticked"}`), Effects: []byte(`[]`)})
	must.OK(t, f.Append(record))
	return f.Name(), head
}

// TestContinueGoesOnWithOneChain: one file, until its end cannot be continued. Then the next file is taken, and the
// first is left as it is.
func TestContinueGoesOnWithOneChain(t *testing.T) {
	key, other := Key(bytes.Repeat([]byte("k"), 32)), Key(bytes.Repeat([]byte("o"), 32))
	long := append(append([]byte(`{"v":2,"x":"`), bytes.Repeat([]byte("x"), 100_000)...), '"', '}', '\n')
	ends := map[string]struct {
		end func(text []byte) []byte
		key Key
		by  Key // of the next writer
		new bool
	}{
		"whole":             {func(b []byte) []byte { return b }, nil, nil, false},
		"whole, keyed":      {func(b []byte) []byte { return b }, key, key, false},
		"with another key":  {func(b []byte) []byte { return b }, key, other, true},
		"keyed before":      {func(b []byte) []byte { return b }, key, nil, true},
		"keyed from now on": {func(b []byte) []byte { return b }, nil, key, true},
		"cut":               {func(b []byte) []byte { return b[:len(b)-9] }, nil, nil, true},
		"without a newline": {func(b []byte) []byte { return b[:len(b)-1] }, nil, nil, true},
		"an empty line":     {func(b []byte) []byte { return append(b, '\n') }, nil, nil, true},
		"edited": {func(b []byte) []byte {
			at := bytes.LastIndex(b, []byte("ticked"))
			b[at] = 'T'
			return b
		}, nil, nil, true},
		"foreign":       {func([]byte) []byte { return []byte("hello\n") }, nil, nil, true},
		"one long line": {func(b []byte) []byte { return append(b, long...) }, nil, nil, true},
		"zeros":         {func(b []byte) []byte { return append(b, make([]byte, 5000)...) }, nil, nil, true},
	}
	for name, tt := range ends {
		path := filepath.Join(t.TempDir(), "j")
		for seq := int64(1); seq <= 3; seq++ {
			if at, head := grow(t, path, tt.key); at != path || head.Seq != seq {
				t.Fatalf("%s: record %d is in %s", name, head.Seq, at)
			}
		}
		text := must.Read(t, path)
		text = tt.end(text)
		must.Write(t, text, path)
		at, head := grow(t, path, tt.by)
		if tt.new != (at == path+".2") || tt.new != (head.Seq == 1) {
			t.Errorf("%s: record %d is in %s", name, head.Seq, filepath.Base(at))
		}
		now, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(now, text) || tt.new && len(now) != len(text) {
			t.Errorf("%s: the file was changed", name)
		}
		if at, head := grow(t, path, tt.by); tt.new && (at != path+".2" || head.Seq != 2) {
			t.Errorf("%s: the next record is record %d in %s", name, head.Seq, filepath.Base(at))
		}
	}
}

// TestContinueLeavesABusyJournal: while one process has the file, another one takes the next.
func TestContinueLeavesABusyJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	var open []*File
	for n := 1; n <= 3; n++ {
		f, _, err := Continue(path, nil)
		want := path
		if n > 1 {
			want = fmt.Sprintf("%s.%d", path, n)
		}
		if err != nil || f.Name() != want {
			t.Fatalf("got %v, %v", f, err)
		}
		open = append(open, f)
	}
	open[0].Close()
	if f, _, err := Continue(path, nil); err != nil || f.Name() != path {
		t.Errorf("got %v, %v", f, err)
	}
}

// TestContinueRefusesWhatItCannotTrust: a file that others may read is no place for records, and neither is a link.
func TestContinueRefusesWhatItCannotTrust(t *testing.T) {
	dir := t.TempDir()
	path := must.Write(t, "x\n", dir, "j")
	if at, _ := grow(t, path, nil); at != path+".2" {
		t.Errorf("the record is in %s", at)
	}
	link := filepath.Join(dir, "link")
	must.OK(t, os.Symlink(path, link))
	if _, _, err := Continue(link, nil); err == nil {
		t.Error("a link is written to")
	}
	if _, _, err := Continue(filepath.Join(dir, "missing", "j"), nil); err == nil {
		t.Error("no error for a directory that is missing")
	}
}
