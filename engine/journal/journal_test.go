package journal

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// chain makes n records of distinct events.
func chain(n int) (lines []string, head Head) {
	for i := range n {
		var line []byte
		line, head = Append(nil, head, Record{At: int64(1000 * i), Event: fmt.Appendf(nil, `{"event":"ticked","n":%d}`, i),
			Effects: []byte(`[]`), Sum: "00"})
		lines = append(lines, string(line))
	}
	return lines, head
}

func text(lines ...string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }

func TestReaderReadsWhatAppendWrote(t *testing.T) {
	lines, head := chain(3)
	r := NewReader(text(lines...))
	for i := 0; ; i++ {
		rec, ok := r.Next()
		if !ok {
			if i != 3 || r.Problem() != nil || r.Head() != head || r.Offset() != len(text(lines...)) {
				t.Fatalf("%d records, problem %v, offset %d", i, r.Problem(), r.Offset())
			}
			return
		}
		if want := fmt.Sprintf(`{"event":"ticked","n":%d}`, i); rec.Seq != int64(i+1) || rec.At != int64(1000*i) ||
			string(rec.Event) != want {
			t.Errorf("record %d: %+v", i+1, rec)
		}
	}
}

func TestReaderNamesWhatIsWrong(t *testing.T) {
	lines, _ := chain(4)
	other, _ := Append(nil, Head{Seq: 1, Hash: [32]byte{9}}, Record{Event: []byte(`{}`), Effects: []byte(`[]`)})
	version, _ := Append(nil, Head{}, Record{Event: []byte(`{}`), Effects: []byte(`[]`)})
	version = bytes.Replace(version, []byte(`{"v":2`), []byte(`{"v":[1]`), 1)
	tests := map[string]struct {
		journal []byte
		code    string
		record  int
	}{
		"cut":            {text(lines...)[:len(lines[0])+50], "journal_cut", 2},
		"no newline":     {bytes.TrimSuffix(text(lines...), []byte("\n")), "journal_cut", 4},
		"edited":         {text(lines[0], strings.Replace(lines[1], `"n":1`, `"n":7`, 1)), "journal_edited", 2},
		"hash edited":    {text(lines[0][:len(lines[0])-3] + `g"}`), "journal_edited", 1},
		"removed":        {text(lines[0], lines[2]), "journal_gap", 2},
		"swapped":        {text(lines[1], lines[0]), "journal_gap", 1},
		"foreign":        {text(lines[0], string(other)), "journal_unchained", 2},
		"version":        {text(string(version)), "journal_version", 1},
		"garbage":        {[]byte("\x00\n"), "journal_unreadable", 1},
		"an array":       {[]byte("[]\n"), "journal_unreadable", 1},
		"short tail":     {[]byte(`{"hash":"x"}` + "\n"), "journal_unreadable", 1},
		"trailing space": {text(lines[0] + " "), "journal_unreadable", 1},
		"two in a line":  {text(lines[0] + lines[1]), "journal_unreadable", 1},
		"too long":       {[]byte(strings.Repeat(" ", MaxRecord+1) + "\n"), "journal_unreadable", 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := NewReader(test.journal)
			read := 0
			for _, ok := r.Next(); ok; _, ok = r.Next() {
				read++
			}
			if r.Problem() == nil || r.Problem().Code != test.code || read != test.record-1 {
				t.Fatalf("got %v after %d records, want %s of record %d", r.Problem(), read, test.code, test.record)
			}
			if want := fmt.Sprint(test.record); r.Problem().Args[0].Name != "record" || r.Problem().Args[0].Raw != want {
				t.Errorf("args %v, want record %s first", r.Problem().Args, want)
			}
			if _, ok := r.Next(); ok {
				t.Error("the reader goes on after a problem")
			}
		})
	}
}

// TestEveryByteCounts flips each byte of a record in turn. No changed record may be accepted.
func TestEveryByteCounts(t *testing.T) {
	lines, _ := chain(1)
	for i := range lines[0] {
		changed := []byte(lines[0])
		changed[i] ^= 1
		if _, _, problem := Read(changed, Head{}); problem == nil {
			t.Errorf("byte %d changed from %q to %q, and nobody noticed", i, lines[0][i], changed[i])
		}
	}
}

// FuzzReader checks that a reader stays within any input and counts its records.
func FuzzReader(f *testing.F) {
	lines, _ := chain(3)
	f.Add(text(lines...))
	f.Add(text(lines...)[:300])
	f.Fuzz(func(t *testing.T, journal []byte) {
		r := NewReader(journal)
		for rec, ok := r.Next(); ok; rec, ok = r.Next() {
			if rec.Seq != r.Head().Seq || r.Offset() > len(journal) {
				t.Fatalf("record %d at head %d, offset %d of %d", rec.Seq, r.Head().Seq, r.Offset(), len(journal))
			}
		}
	})
}

// FuzzRecord checks that a record is read as it was written, and that no changed record is accepted.
func FuzzRecord(f *testing.F) {
	f.Add(int64(0), `{"event":"ticked"}`, "00", 5, 1, "x")
	f.Add(int64(-1), `{"hash":"","prev":""}`, "", 30, 0, " ")
	f.Add(int64(1)<<60, `[{"v":1.0,"\u00e9":[]}]`, `"}`, 90, 9, `,"v":1`)
	f.Fuzz(func(t *testing.T, at int64, event, sum string, place, cut int, with string) {
		if jsontext.Check([]byte(event), jsontext.Limits{}) != nil {
			return
		}
		was := Record{At: at, Event: []byte(strings.Trim(event, " \t\r\n")), Effects: []byte(`[]`),
			Sum: hex.EncodeToString([]byte(sum))}
		line, head := Append(nil, Head{}, was)
		is, after, problem := Read(line, Head{})
		if was.Seq, was.Version = 1, usual; problem != nil || after != head || !reflect.DeepEqual(is, was) {
			t.Fatalf("%+v is read as %+v, problem %v", was, is, problem)
		}
		place = abs(place) % len(line)
		cut = abs(cut) % (len(line) - place)
		changed := slices.Concat(line[:place], []byte(with), line[place+cut:])
		if _, _, found := Read(changed, Head{}); found == nil && !bytes.Equal(changed, line) {
			t.Fatalf("%s\nbecame %s\nand nobody noticed", line, changed)
		}
	})
}

func abs(n int) int { return max(n, -(n + 1)) }

// TestLastGoesOn goes on with a journal from its last line alone, with a code of its writer and without.
func TestLastGoesOn(t *testing.T) {
	lines, head := chain(3)
	coded := string(WithMAC(nil, []byte(lines[2]), [32]byte{7}))
	for line, ok := range map[string]bool{
		lines[2] + "\n": true, coded + "\n": true, lines[2]: false, "{\n": false, "\n": false,
		strings.Replace(lines[2], "ticked", "tocked", 1) + "\n":      false,
		strings.Replace(lines[2], `"prev":"`, `"prev":"z`, 1) + "\n": false,
	} {
		rec, after, is := Last([]byte(line))
		if is != ok || ok && (after != head || rec.Seq != 3 || (rec.MAC != "") != (line == coded+"\n")) {
			t.Errorf("%q: %v, %+v, %+v", line, is, rec, after)
		}
	}
	if record, mac := SplitMAC([]byte(strings.Replace(coded, `"mac":"0`, `"mac":"\`, 1))); mac != nil {
		t.Errorf("the code %s behind %s", mac, record)
	}
}
