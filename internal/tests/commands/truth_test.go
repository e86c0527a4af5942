// Package commands measures what engine/impact says about lines for a shell. The truth about lines of our own comes
// from a sandbox that ran them. Sets of lines that others wrote are not here: a directory has them, or the test is
// skipped.
package commands

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/internal/must"
)

var update = flag.Bool("update", false, "run the lines in a sandbox and write testdata/truth.json again")

const truthFile = "testdata/truth.json"

// lines reads the lines of our own. A row with a blank before it continues the line.
func lines(t *testing.T) (all []string) {
	t.Helper()
	text, err := os.ReadFile("testdata/lines.txt")
	must.OK(t, err)
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
			must.OK(t, enc.Encode(box.run(t, line)))
			out.Truncate(out.Len() - 1)
		}
		out.WriteString("\n]\n")
		must.OK(t, os.WriteFile(truthFile, out.Bytes(), 0o644))
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
	must.OK(t, err)
	must.Unmarshal(t, text, &all)
	return all
}

// TestNothingMissed compares what the reader says about each line with what the line did: the reader may say more, and
// it may say that it does not know. It must not miss anything.
func TestNothingMissed(t *testing.T) {
	more, unknown := 0, 0
	for _, o := range truths(t) {
		r := impact.Read(o.Line, impact.Options{})
		if r.Unknown {
			unknown++
			continue
		}
		missed := misses(o, r)
		if why, known := open[o.Line]; known {
			if missed == nil {
				t.Errorf("%s: the reader sees it now, take it off the list of what it misses: %s", o.Line, why)
			}
			continue
		}
		for _, miss := range missed {
			t.Errorf("%s\n   the reader misses %s\n   it says %v", o.Line, miss, r.Impacts)
		}
		for _, in := range r.Impacts {
			if (in.Kind == impact.Writes || in.Kind == impact.Deletes) && in.How != impact.Mode && !happened(o, in) {
				more++
			}
		}
	}
	t.Logf("%d lines, %d unknown, %d writes and deletes that did not happen", len(truths(t)), unknown, more)
}

// open has what the reader misses, with the reason.
var open = map[string]string{
	"cd nowhere || touch stayed.txt": "behind a cd that failed, paths still belong to the directory before",
}

// misses lists what a line did and the reader does not say.
func misses(o observed, r impact.Report) (all []string) {
	runsCode, network := false, false
	for _, in := range r.Impacts {
		runsCode = runsCode || in.Kind == impact.Executes // whatever the code does
		network = network || in.Kind == impact.Sends || in.Kind == impact.Fetches || in.Kind == impact.Publishes
	}
	if runsCode {
		return nil
	}
	if network { // the remote repository is a directory here
		o.Writes, o.Reads = slices.DeleteFunc(o.Writes, remote), slices.DeleteFunc(o.Reads, remote)
	}
	says := func(target string, kinds ...impact.Kind) bool {
		return slices.ContainsFunc(r.Impacts, func(in impact.Impact) bool {
			return slices.Contains(kinds, in.Kind) && covers(in, target)
		})
	}
	for _, target := range o.Writes {
		if !insideGit(target) && target != "~/.npm" && !says(target, impact.Writes) {
			all = append(all, "writes "+target)
		}
	}
	for _, target := range o.Deletes {
		if !insideGit(target) && !says(target, impact.Deletes) {
			all = append(all, "deletes "+target)
		}
	}
	for _, target := range o.Reads {
		if !insideGit(target) && target != "~/.gitconfig" && !says(target, impact.Reads, impact.Writes, impact.Deletes) {
			all = append(all, "reads "+target)
		}
	}
	runs := func(program string) bool {
		return slices.ContainsFunc(r.Impacts, func(in impact.Impact) bool {
			return in.Kind == impact.Runs && in.Target == program
		})
	}
	for _, program := range o.Programs {
		if !runs(program) && !slices.Contains(helpers[program], "*") && !slices.ContainsFunc(helpers[program], runs) {
			all = append(all, "runs "+program)
		}
	}
	if o.Network && !network && !slices.Contains(o.Programs, "npm") { // it asks for a newer version of itself
		all = append(all, "the network")
	}
	return all
}

func remote(path string) bool { return strings.HasPrefix(path, "~/remote.git/") }

// helpers are programs that others start to do their work.
var helpers = map[string][]string{
	"gzip": {"tar", "zcat", "gunzip", "zgrep"}, "xz": {"tar"}, "git-bisect": {"git"},
	"sh": {"tar", "git", "awk", "make", "script"}, "ssh": {"scp", "git"},
	"grep": {"egrep", "fgrep", "zgrep"},
	"as":   {"gcc"}, "cc1": {"gcc"}, "collect2": {"gcc"}, "ld": {"gcc"}, "git-receive-pack": {"git"},
	"git-upload-pack":  {"git"},
	"git-remote-https": {"git"}, "bash": {"git"}, "git-submodule": {"git"}, "uname": {"git"}, "basename": {"git"},
	"sed": {"git"}, "gettext": {"git"}, "envsubst": {"git"}, "node": {"npm"},
}

// covers reports whether the target of an impact is a path, above it, or a pattern for it.
func covers(in impact.Impact, target string) bool {
	says := strings.Replace(in.Target, home, "~", 1)
	if outside, is := strings.CutPrefix(says, "../"); is {
		says = "~/" + outside
	}
	if says == target || strings.HasPrefix(target, says+"/") && (in.How == impact.Tree || in.Kind != impact.Deletes) {
		return true
	}
	if in.How == impact.Tree && (says == "." && target[0] != '/' && target[0] != '~' || says == "/") {
		return true
	}
	if in.Kind == impact.Writes && path.Dir(says) == path.Dir(target) &&
		(strings.HasPrefix(target, says) || strings.HasPrefix(says, target)) {
		return true // another ending: a backup, a compressed file, a part
	}
	// A new directory may have been made above the path.
	if in.Kind == impact.Writes && strings.HasPrefix(says, target+"/") {
		return true
	}
	if in.Kind == impact.Writes && says == "." && target[0] != '/' && target[0] != '~' {
		return true
	}
	return in.Open && pattern(says).MatchString(target) || in.Open && pattern(says+"/*").MatchString(target)
}

// pattern is that of a shell, whose "*" also matches slashes.
func pattern(glob string) *regexp.Regexp {
	quoted := regexp.QuoteMeta(path.Clean(glob))
	quoted = strings.NewReplacer(`\*`, `.*`, `\?`, `.`, `\[`, `[`, `\]`, `]`).Replace(quoted)
	re, err := regexp.Compile("^" + quoted + "$")
	if err != nil {
		return regexp.MustCompile(`^$`)
	}
	return re
}

// happened reports whether an impact was observed.
func happened(o observed, in impact.Impact) bool {
	targets := o.Writes
	if in.Kind == impact.Deletes {
		targets = o.Deletes
	}
	return slices.ContainsFunc(targets, func(target string) bool {
		return covers(in, target) || strings.HasPrefix(in.Target, target)
	})
}
