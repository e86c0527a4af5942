package main_test

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/agenttest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/codextest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
	"github.com/elicit-engine/elicit/internal/must"
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
	file := must.Write(t, policy, dir, "policy.json")
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

// TestRealDailyUnattended lets each agent work under the policy that `elicit policy init` writes, with nobody there. In
// each mode, what reads and edits in the project runs, unless the host heeds no hook that allows. What leaves the
// project or deletes work does not run.
func TestRealDailyUnattended(t *testing.T) {
	t.Parallel()
	dir, elicit := realParts(t), programtest.Built(t, "./cmd/elicit")
	steps := []string{"ls -a && echo looked", "touch $PROJECT/made-inside && echo edited", "touch ~/made-outside",
		"rm -rf $PROJECT/kept"}
	for _, agent := range agenttest.Agents() {
		for _, flags := range [][]string{nil, freely[agent.Host]} {
			t.Run(agent.Host+strings.Join(flags, " "), func(t *testing.T) {
				t.Parallel()
				h := agent.NewHome(t, agentIn(t, dir, &agent), steps...)
				install(t, elicit, h.Environ(), h.Project)
				first := exec.Command(elicit, "policy", "init")
				first.Env = h.Environ()
				must.Run(t, first)
				kept := filepath.Join(h.Project, "kept", "work")
				must.OK(t, os.MkdirAll(kept, 0o700))
				out, err := h.Turn(flags...)
				runs := flags != nil || gateOf(t, hooks.Host(agent.Host), true).Allow == hooks.Runs
				if found := made(t, h.Project); found["inside"] != runs || len(found) > 1 {
					t.Errorf("these were made in the project: %v; the host obeys an allow: %t", found, runs)
				}
				if found := made(t, h.Dir); len(found) > 0 {
					t.Errorf("these were made elsewhere: %v", found)
				}
				if _, err := os.Stat(kept); err != nil {
					t.Errorf("the work is gone: %v", err)
				}
				told := strings.Join(h.Told(), "\n")
				for _, words := range []string{"looked", "edited", "the-rest"} {
					if runs && !strings.Contains(told, words) {
						t.Errorf("the model was not told %s", words)
					}
				}
				if err != nil || t.Failed() {
					t.Fail()
					t.Logf("%v\n%s\n%s", err, out, told)
				}
			})
		}
	}
}

// TestRealDoctorLive: the program of each agent makes a marked call, and `elicit doctor --live` sees the hook fire.
// With the hooks switched off in the agent's own settings, it says that none did.
func TestRealDoctorLive(t *testing.T) {
	t.Parallel()
	dir, elicit := realParts(t), programtest.Built(t, "./cmd/elicit")
	off := map[string]map[string]any{"claude-code": {"disableAllHooks": true}, "qwen": {"disableAllHooks": true},
		"gemini": {"hooksConfig": map[string]any{"enabled": false}}}
	for _, agent := range agenttest.Agents() {
		t.Run(agent.Host, func(t *testing.T) {
			t.Parallel()
			program := agentIn(t, dir, &agent)
			h := agent.NewHome(t, program)
			name := map[string]string{"claude-code": "claude"}[agent.Host]
			bin := filepath.Join(h.Dir, "bin")
			err := h.Write("bin/"+cmp.Or(name, agent.Host), "#!/bin/sh\nexec '"+strings.Join(program, "' '")+"' \"$@\"\n")
			must.OK(t, err)
			live := func() string {
				cmd := exec.Command(elicit, "doctor", "--live")
				cmd.Dir = h.Project
				cmd.Env = append(h.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
				out, _ := cmd.CombinedOutput() // the exit code tells of displays too
				return string(out)
			}
			install(t, elicit, h.Environ(), h.Project)
			if out := live(); !strings.Contains(out, "itself started its hook for a marked call") {
				t.Errorf("with hooks:\n%s", out)
			}
			if off[agent.Host] == nil {
				return
			}
			must.OK(t, h.Configure(off[agent.Host]))
			install(t, elicit, h.Environ(), h.Project)
			if out := live(); !strings.Contains(out, "made a marked call, and no hook of Elicit fired") {
				t.Errorf("without hooks:\n%s", out)
			}
		})
	}
}

// The policy of the tests of exported rules, and the commands of the model there. A rule declines some and asks about
// others. The program of the honest one begins with the same letters as a forbidden one.
const exportedPolicy = `{"version":1,"rules":[
	{"name":"no-touching","when":{"command":"touch *"},"then":"decline","why":"files are \"made\" by hand, <not> \\ ü"},
	{"name":"ask-mkdir","when":{"runs":"mkdir"},"then":"ask"},
	{"name":"secret","when":{"reads":["*/.env","~/.ssh/*"]},"then":"decline"},
	{"name":"honest","when":{"command":"echo *"},"then":"accept"}]}`

var exportedSteps = []string{"touch $PROJECT/made-plain", "echo a && touch $PROJECT/made-second",
	"mkdir $PROJECT/made-asked", "echo touch honest words"}

// exported are the own rules of an agent for the policy.
func exported(t *testing.T, host string) string {
	t.Helper()
	file := must.Write(t, exportedPolicy, t.TempDir(), "policy.json")
	text, err := exec.Command(programtest.Built(t, "./cmd/elicit"), "policy", "export", "--host", host, "--policy",
		file).Output()
	must.OK(t, err)
	return string(text)
}

// exportHeld checks what came of exportedSteps without a hook.
func exportHeld(t *testing.T, project string, told []string) {
	t.Helper()
	if found := made(t, project); len(found) > 0 {
		t.Errorf("these were made: %v", found)
	}
	if len(told) != len(exportedSteps) || !strings.Contains(told[len(told)-1], "honest words") {
		t.Errorf("the model was told %q", told)
	}
}

// TestRealExportedRules gives agents the rules that were exported. They run every call and have no hook. A command that
// the policy declines or asks about does not run. An honest command runs as before.
func TestRealExportedRules(t *testing.T) {
	t.Parallel()
	dir := realParts(t)
	places := map[string]string{"claude-code": ".claude/settings.json", "gemini": ".gemini/policies/elicit.toml"}
	for _, agent := range agenttest.Agents() {
		place, has := places[agent.Host]
		if !has {
			continue
		}
		t.Run(agent.Host, func(t *testing.T) {
			t.Parallel()
			command := agentIn(t, dir, &agent)
			for _, with := range []bool{true, false} {
				h := agent.NewHome(t, command, exportedSteps...)
				if with {
					must.OK(t, h.Write(place, exported(t, agent.Host)))
				}
				out, err := h.Turn(freely[agent.Host]...)
				if with {
					exportHeld(t, h.Project, h.Told())
				} else if found := made(t, h.Project); len(found) != 3 {
					t.Errorf("without rules these were made: %v", found)
				}
				if err != nil || t.Failed() {
					t.Fail()
					t.Logf("%v\n%s\n%q", err, out, h.Told())
				}
			}
		})
	}
}

// TestRealCodexExportedRules is TestRealExportedRules for Codex, which reads its rules in each mode.
func TestRealCodexExportedRules(t *testing.T) {
	t.Parallel()
	newCodexRig(t).eachMode(t, exportedSteps, func(t *testing.T, h *codextest.Home) {
		h.Write(t, "rules/elicit.rules", exported(t, "codex"))
	}, exportHeld)
}
