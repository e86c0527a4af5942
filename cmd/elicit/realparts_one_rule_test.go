package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
)

// TestOneRule tests that one rule for commands decides three cases in the same way: a command of the real Codex, a
// permission of an ACP agent, and a hook of Claude Code. `elicit log` tells of all three in the same words.
func TestOneRule(t *testing.T) {
	codex := newCodexRig(t)
	p := agentParts(t)
	const policy = `{"version":1,"rules":[{"name":"touching","when":{"command":"touch *"},"then":"accept"},
		{"name":"no-removing","when":{"command":"rm *"},"then":"decline"}]}`
	commands := []string{"touch " + outside, "rm " + outside}

	dir := t.TempDir()
	file := filepath.Join(dir, "policy.json")
	if err := os.WriteFile(file, []byte(policy), 0o600); err != nil {
		t.Fatal(err)
	}
	stories := map[string][]string{}

	behind, journal := codex.proxied(t, policy)
	run := behind.run(t, codexCase{steps: steps(escalates(commands[0]), escalates(commands[1])), check: written(true),
		told: []string{"Process exited with code 0", "rejected by user"}})
	end(run)
	stories["codex"] = story(log(t, journal))

	journal = filepath.Join(dir, "acp.jsonl")
	prompt := "permit execute " + commands[0] + "\npermit execute " + commands[1]
	said := p.runAgent(t, "", "maybe", prompt, p.elicit, "proxy", "--protocol", "acp", "--name", "agent", "--policy", file,
		"--journal", journal, "--grants", filepath.Join(dir, "grants.json"), "--")
	want := []string{`{"said":{"outcome":"selected","optionId":"no"}}`, `{"said":{"outcome":"selected","optionId":"yes"}}`,
		`{"stopReason":"end_turn"}`}
	if slices.Sort(said); !slices.Equal(said, want) {
		t.Errorf("the client saw\n%s", strings.Join(said, "\n"))
	}
	stories["acp"] = story(log(t, journal))

	for i, permission := range []string{"allow", "deny"} {
		journal := filepath.Join(dir, "hook"+permission)
		hook := exec.Command(programtest.Built(t, "./cmd/elicit"), "hook", "--policy", file, "--journal", journal,
			"claude-code")
		hook.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"s","transcript_path":"/t","cwd":"/project",
			"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":%q}}`, commands[i]))
		out, err := hook.Output()
		if err != nil || !strings.Contains(string(out), `"permissionDecision":"`+permission+`"`) {
			t.Errorf("the hook gave %s, %v", out, err)
		}
		files, _ := filepath.Glob(filepath.Join(journal, "*"))
		if len(files) != 1 {
			t.Fatalf("the hook wrote %q", files)
		}
		stories["hook"] = append(stories["hook"], story(log(t, files[0]))...)
	}
	told := []string{
		"replied accept: policy decided; nobody was asked", "why: Your rule touching accepts this.",
		"replied decline: policy decided; nobody was asked", "why: Your rule no-removing declines this."}
	for who, lines := range stories {
		var asked, decided []string
		for _, line := range lines {
			if _, question, is := strings.Cut(line, " asks: "); is {
				asked = append(asked, question)
			} else {
				decided = append(decided, line)
			}
		}
		if !slices.Equal(decided, told) {
			t.Errorf("elicit log tells of %s\n%s\nwant\n%s", who, strings.Join(decided, "\n"), strings.Join(told, "\n"))
		}
		for i, command := range commands {
			if len(asked) != len(commands) || !strings.Contains(asked[i], command) {
				t.Errorf("elicit log tells that %s asked %q, want %q", who, asked, commands)
				break
			}
		}
	}
}

// story lists what a printed journal tells of questions and decisions.
func story(text string) (lines []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.Contains(line, " asks: ") || strings.HasPrefix(line, "replied ") || strings.HasPrefix(line, "why: ") {
			lines = append(lines, line)
		}
	}
	return lines
}
