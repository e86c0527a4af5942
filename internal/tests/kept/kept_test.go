// Package kept reads what earlier commits left behind in testdata/kept: their journals, saved states, policies, tokens,
// stores and programs. Each must go on working, or be refused with a clear word.
package kept

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/internal/must"
)

const dir = root + "/testdata/kept"

// changed has what is answered differently on purpose since then, by the name of the example, with the reason.
func changed(t *testing.T) map[string]struct{ Want, Why string } {
	t.Helper()
	out := map[string]struct{ Want, Why string }{}
	must.Unmarshal(t, read(t, "changed.json"), &out)
	return out
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	must.OK(t, err)
	return text
}

// each gives the lines of a file to a test, and fails when there are fewer than there were.
func each(t *testing.T, name string, least int, test func(t *testing.T, name string, line gjson.Result)) {
	t.Helper()
	n := 0
	of := bufio.NewScanner(bytes.NewReader(read(t, name)))
	for of.Buffer(nil, 1<<20); of.Scan(); n++ {
		line := gjson.Parse(string(of.Bytes()))
		t.Run(line.Get("name").Str, func(t *testing.T) { test(t, line.Get("name").Str, line) })
	}
	must.OK(t, of.Err())
	if n < least {
		t.Errorf("%s has %d examples; there were %d", name, n, least)
	}
}

// TestJournals replays each journal to the byte.
func TestJournals(t *testing.T) {
	archive := txtar.Parse(read(t, "journals.txtar"))
	for _, journal := range archive.Files {
		r := engine.Replay(journal.Data, nil)
		if r.Problem != nil || r.Records != bytes.Count(journal.Data, []byte("\n")) {
			t.Errorf("%s replays %d records, then %+v\nwant %s\n got %s", journal.Name, r.Records, r.Problem, r.Want, r.Got)
		}
	}
	if len(archive.Files) < 150 {
		t.Errorf("%d journals; there were 150", len(archive.Files))
	}
}

// TestStates resumes each saved session and compares what happens to each of its questions.
func TestStates(t *testing.T) {
	changed := changed(t)
	each(t, "states.jsonl", 138, func(t *testing.T, name string, line gjson.Result) {
		var want []string
		must.Unmarshal(t, []byte(line.Get("want").Raw), &want)
		if now, is := changed[name]; is {
			must.Unmarshal(t, []byte(now.Want), &want)
		}
		if got := resume(line); !slices.Equal(got, want) {
			t.Errorf("resuming gives %q, and gave %q", got, want)
		}
	})
}

// TestCalls decides again by each policy, and opens each sealed token again.
func TestCalls(t *testing.T) {
	changed := changed(t)
	each(t, "calls.jsonl", 368, func(t *testing.T, name string, line gjson.Result) {
		out := gjson.ParseBytes(abi.Eval(line.Get("op").Str, []byte(line.Get("in").Raw), nil))
		got := answer(t, func(member string) gjson.Result { return out.Get(member) })
		want := line.Get("want").Raw
		if now, is := changed[name]; is {
			want = now.Want
		}
		if text, err := json.Marshal(got); err != nil || string(text) != want {
			t.Errorf("got %s, and it was %s (%v)", text, want, err)
		}
	})
}
