//go:build unix

package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/internal/must"
)

// hookCall runs one hook of a session, and returns its answer.
func hookCall(t *testing.T, dir, session, command string) string {
	t.Helper()
	in := fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":%s,"cwd":"/","transcript_path":"/t",`+
		`"tool_name":"Bash","tool_input":{"command":%s}}`, cli.Quoted(session), cli.Quoted(command))
	var out, notes bytes.Buffer
	args := []string{"hook", "--ui", "host", "--policy", filepath.Join(filepath.Dir(dir), "policy.json"), "--journal", dir,
		"claude-code"}
	if code := run(args, strings.NewReader(in), &out, &notes); code != cli.Fine || notes.Len() > 0 {
		t.Errorf("exit %d: %s", code, &notes)
	}
	return out.String()
}

func hookJournals(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	policy := `{"version":1,"rules":[{"when":{"command":"rm *"},"then":"decline"},` +
		`{"when":{"command":"*"},"then":"accept"}]}`
	must.Write(t, policy, dir, "policy.json")
	return filepath.Join(dir, "journal")
}

// filesOf lists the journals of a directory, each of which must replay.
func filesOf(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must.OK(t, err)
	for _, entry := range entries {
		names = append(names, entry.Name())
		var out bytes.Buffer
		if code := run([]string{"replay", filepath.Join(dir, entry.Name())}, strings.NewReader(""), &out, &out); code != 0 {
			t.Errorf("%s: %s", entry.Name(), &out)
		}
	}
	return names
}

// TestASessionIsOneJournal: calls one after the other are one file. Calls at the same time are few files, each of which
// replays, and no call is lost.
func TestASessionIsOneJournal(t *testing.T) {
	dir := hookJournals(t)
	for range 30 {
		if said := hookCall(t, dir, "s", "rm x"); !strings.Contains(said, "deny") {
			t.Fatalf("got %s", said)
		}
	}
	if names := filesOf(t, dir); len(names) != 1 {
		t.Errorf("30 calls made %q", names)
	}
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			for range 5 {
				hookCall(t, dir, "s", "ls")
			}
		})
	}
	calls.Wait()
	names, asked := filesOf(t, dir), 0
	for _, name := range names {
		asked += bytes.Count(must.Read(t, dir, name), []byte(`"event":"asked"`))
	}
	if asked != 70 || len(names) > 8 {
		t.Errorf("%d questions in %d files, want 70 in at most 8", asked, len(names))
	}
}

// TestSessionNames: the agent chooses the name of its session, and never that of a file.
func TestSessionNames(t *testing.T) {
	dir := hookJournals(t)
	sessions := []string{"a", "b", "A", "../../../etc/x", "/etc/x", "..", strings.Repeat("x", 900), "a\nb", "ä", " ", ""}
	for _, session := range sessions {
		hookCall(t, dir, session, "ls")
		hookCall(t, dir, session, "ls")
	}
	names := filesOf(t, dir)
	if len(names) != len(sessions) {
		t.Errorf("%d sessions made %d files", len(sessions), len(names))
	}
	for _, name := range names {
		if !regexp.MustCompile(`^session-claude-code-[0-9a-f]{24}\.jsonl$`).MatchString(name) {
			t.Errorf("a file is called %q", name)
		}
	}
}

// TestABrokenJournalLosesNoDecision: the call is decided, and its records are in the next file.
func TestABrokenJournalLosesNoDecision(t *testing.T) {
	texts := map[string]string{"foreign": "hello", "zeros": strings.Repeat("\x00", 9000), "cut": `{"v":2,"seq"`}
	for name, text := range texts {
		dir := hookJournals(t)
		hookCall(t, dir, "s", "ls")
		path := must.Write(t, text, dir, filesOf(t, dir)[0])
		for range 2 {
			if said := hookCall(t, dir, "s", "rm x"); !strings.Contains(said, "deny") {
				t.Errorf("%s: got %s", name, said)
			}
		}
		next, err := os.ReadFile(path + ".2")
		if err != nil || bytes.Count(next, []byte(`"event":"asked"`)) != 2 {
			t.Errorf("%s: the next file has %s, %v", name, next, err)
		}
		if same, err := os.ReadFile(path); err != nil || string(same) != text {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

// TestTheLogOfADayIsShort: one line for each decision. Alike ones are one line, also when others stand between them.
// The proof is there with --verify alone.
func TestTheLogOfADayIsShort(t *testing.T) {
	dir := hookJournals(t)
	for range 60 {
		for _, command := range []string{"ls -la", "rm x", "git status", "cat a", "make"} {
			hookCall(t, dir, "s", command)
		}
	}
	journal := filepath.Join(dir, filesOf(t, dir)[0])
	var brief, whole bytes.Buffer
	if run([]string{"log", "--utc", journal}, strings.NewReader(""), &brief, &brief) != cli.Fine ||
		run([]string{"log", "--utc", "--verify", journal}, strings.NewReader(""), &whole, &whole) != cli.Fine {
		t.Fatalf("%s%s", &brief, &whole)
	}
	// A run over midnight has each line twice.
	if lines := strings.Count(brief.String(), "\n"); lines > 13 {
		t.Errorf("%d lines:\n%s", lines, &brief)
	}
	decided := regexp.MustCompile(`(?m)^\d\d:\d\d:\d\d  (accept|decline) +claude-code Bash  “(.*?)”  ` +
		`user rule #([12]), .* s  × `)
	found := map[string]string{}
	for _, m := range decided.FindAllStringSubmatch(brief.String(), -1) {
		found[strings.Fields(m[2])[0]] = m[1] + m[3]
	}
	want := map[string]string{"ls": "accept2", "rm": "decline1", "git": "accept2", "cat": "accept2", "make": "accept2"}
	if !maps.Equal(found, want) {
		t.Errorf("got %v in\n%s", found, &brief)
	}
	for _, proof := range []string{"head ", "configured", "disconnects"} {
		if strings.Contains(brief.String(), proof) || !strings.Contains(whole.String(), proof) {
			t.Errorf("%q belongs to --verify alone:\n%s", proof, &brief)
		}
	}
	if !strings.Contains(brief.String(), "300 questions; times are UTC;") {
		t.Errorf("got\n%s", &brief)
	}
}
