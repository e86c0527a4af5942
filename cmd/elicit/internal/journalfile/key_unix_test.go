//go:build unix

package journalfile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/internal/must"
)

// written writes a journal of n records to a file, and returns its lines.
func written(t *testing.T, key Key, n int) [][]byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "j")
	j, err := Create(path, key)
	must.OK(t, err)
	defer j.Close()
	var head journal.Head
	for i := range n {
		var record []byte
		record, head = journal.Append(nil, head, journal.Record{
			At: int64(i), Event: fmt.Appendf(nil, `{"n":%d}`, i), Effects: []byte(`[]`)})
		must.OK(t, j.Append(record))
	}
	return slices.Collect(bytes.Lines(must.Read(t, path)))
}

// verify reads lines as `elicit log` does. It returns the number of records that Verify yielded, and what was wrong
// with the codes.
func verify(key Key, lines [][]byte) (records int, seen Codes, failed error) {
	var chain journal.Chain
	for line := range key.Verify(slices.Values(lines), &seen, func(err error) { failed = err }) {
		if _, ok := chain.Next(line); !ok {
			break
		}
		records++
	}
	return records, seen, failed
}

func TestKeyedJournal(t *testing.T) {
	key, other := Key(bytes.Repeat([]byte{1}, 32)), Key(bytes.Repeat([]byte{2}, 32))
	keyed, plain, foreign := written(t, key, 4), written(t, nil, 4), written(t, other, 4)
	noCode := bytes.Replace(keyed[2], []byte(`,"mac":"`), []byte(`,"max":"`), 1)
	cases := map[string]struct {
		key     Key
		lines   [][]byte
		records int
		keyed   bool
		want    string // what is wrong with the codes
	}{
		"as written":         {key, keyed, 4, true, ""},
		"without the key":    {nil, keyed, 4, true, ""},
		"not keyed":          {nil, plain, 4, false, ""},
		"written anew":       {key, plain, 0, false, "record 1 has no code of a key"},
		"written by another": {key, foreign, 0, true, "record 1 was not written with this key"},
		"end written by another": {key, slices.Concat(keyed[:2], foreign[2:]), 2, true,
			"record 3 was not written with this key"},
		"end without codes": {key, slices.Concat(keyed[:3], plain[3:]), 3, true, "record 4 has no code"},
		// The chain of hashes shows the next two faults, and the missing closing record the third one.
		"a code spoilt":       {key, slices.Concat(keyed[:2], [][]byte{noCode}, keyed[3:]), 2, true, ""},
		"cut in a code":       {key, [][]byte{keyed[0], keyed[1][:len(keyed[1])-20]}, 1, true, ""},
		"cut between records": {key, keyed[:3], 3, true, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			records, seen, failed := verify(c.key, c.lines)
			if records != c.records || seen.Keyed != c.keyed || seen.Failed != (c.want != "") {
				t.Errorf("%d records, %+v, %v", records, seen, failed)
			}
			if (failed != nil) != (c.want != "") || failed != nil && !strings.Contains(failed.Error(), c.want) {
				t.Errorf("got %v, want %q", failed, c.want)
			}
		})
	}
}

// TestCodesAreBesideTheRecord: a keyed journal without its codes has the same bytes as the journal without a key.
func TestCodesAreBesideTheRecord(t *testing.T) {
	key := Key(bytes.Repeat([]byte{1}, 32))
	keyed, plain := written(t, key, 3), written(t, nil, 3)
	for i := range keyed {
		record, code := journal.SplitMAC(bytes.TrimSuffix(keyed[i], []byte{'\n'}))
		if len(code) != 64 || !bytes.Equal(record, bytes.TrimSuffix(plain[i], []byte{'\n'})) {
			t.Errorf("record %d: %s with code %s", i+1, record, code)
		}
	}
}

func TestReadKey(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, size int, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		must.OK(t, os.WriteFile(path, bytes.Repeat([]byte{7}, size), 0o600))
		must.OK(t, os.Chmod(path, mode))
		return path
	}
	good := file("good", 32, 0o600)
	if key, err := ReadKey(good); err != nil || len(key) != 32 {
		t.Errorf("got %v, %v", key, err)
	}
	if key, err := ReadKey(""); err != nil || key != nil {
		t.Errorf("no key: got %v, %v", key, err)
	}
	link := filepath.Join(dir, "link")
	must.OK(t, os.Symlink(good, link))
	for path, want := range map[string]string{
		file("short", 31, 0o600): "has 31 bytes", file("long", 4097, 0o600): "32 to 4096 are needed",
		file("open", 32, 0o644): "has the mode 0644", link: "is a symbolic link", dir: "is not a regular file",
		filepath.Join(dir, "none"): "head -c 32 /dev/urandom",
	} {
		if key, err := ReadKey(path); err == nil || key != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", path, err, want)
		}
	}
}
