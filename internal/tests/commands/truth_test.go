// Package commands measures what engine/impact says about lines for a shell. The truth about lines of our own comes
// from a sandbox that ran them. Sets of lines that others wrote are not here: a directory has them, or the test is
// skipped.
package commands

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "run the lines in a sandbox and write testdata/truth.json again")

const truthFile = "testdata/truth.json"

// lines reads the lines of our own. A row with a blank before it continues the line.
func lines(t *testing.T) (all []string) {
	t.Helper()
	text, err := os.ReadFile("testdata/lines.txt")
	must(t, err)
	for row := range strings.Lines(string(text)) {
		row = strings.TrimSuffix(row, "\n")
		switch {
		case strings.HasPrefix(row, "# rm"):
			all = append(all, row) // a comment that looks like a command
		case row == "" || strings.HasPrefix(row, "#"):
		case row[0] == ' ':
			all[len(all)-1] += "\n" + row[1:]
		default:
			all = append(all, row)
		}
	}
	return all
}

// TestTruth runs every line in a sandbox with -update, and otherwise checks that the truth is about these lines.
func TestTruth(t *testing.T) {
	rows := lines(t)
	if *update {
		box := newSandbox(t)
		var out bytes.Buffer
		for i, line := range rows {
			out.WriteString(map[bool]string{true: "[\n", false: ",\n"}[i == 0])
			enc := json.NewEncoder(&out)
			enc.SetEscapeHTML(false)
			must(t, enc.Encode(box.run(t, line)))
			out.Truncate(out.Len() - 1)
		}
		out.WriteString("\n]\n")
		must(t, os.WriteFile(truthFile, out.Bytes(), 0o644))
	}
	truth := truths(t)
	if len(truth) < 200 {
		t.Fatalf("%d lines, and 200 were promised", len(truth))
	}
	if len(truth) != len(rows) {
		t.Fatalf("%d lines and the truth about %d: run TestTruth with -update", len(rows), len(truth))
	}
	for i, line := range rows {
		if truth[i].Line != line {
			t.Fatalf("the truth is about %q, and the line is %q: run with -update", truth[i].Line, line)
		}
	}
}

func truths(t *testing.T) (all []observed) {
	t.Helper()
	text, err := os.ReadFile(truthFile)
	must(t, err)
	must(t, json.Unmarshal(text, &all))
	return all
}
