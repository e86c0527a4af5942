package main_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/agenttest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/codextest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// agentIn returns the command of an agent. It skips the test if the agent is missing, but never in CI.
func agentIn(t *testing.T, dir string, agent *agenttest.Agent) []string {
	t.Helper()
	command, err := agent.Command(dir)
	if err == nil && command[0] == "node" {
		err = nodeReady(dir)
	}
	needs(t, err)
	return command
}

// endings are the ways in which a hook can end, as a shell script, by the column of the table that tells of them.
// Each is tried by a command that makes a file of this name.
func endings(host hooks.Host) map[string]string {
	says := func(word string) string {
		text := fmt.Sprintf(`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":%q,`+
			`"permissionDecisionReason":"The hook says %s."}}`, word, word)
		switch host {
		case hooks.Gemini:
			text = fmt.Sprintf(`{"decision":%q,"reason":"The hook says %s."}`, word, word)
		case hooks.Copilot:
			text = fmt.Sprintf(`{"permissionDecision":%q,"permissionDecisionReason":"The hook says %s."}`, word, word)
		}
		return "echo '" + text + "'"
	}
	return map[string]string{"allow": says("allow"), "deny": says("deny"), "ask": says("ask"), "silence": "echo '{}'",
		"late": "exec sleep 600", "crash": "exit 1", "missing": "exec /nowhere/elicit", "broken": `echo '{"half'`}
}

// cells are the cells of a row, by the words of endings.
func cells(g *hooks.Gate) map[string]hooks.Conduct {
	return map[string]hooks.Conduct{"allow": g.Allow, "deny": g.Deny, "ask": g.Ask, "silence": g.Silence,
		"late": g.Late, "crash": g.Crash, "missing": g.Missing, "broken": g.Broken}
}

// columns are the words of endings, the one that hangs last.
var columns = []string{"allow", "deny", "silence", "crash", "missing", "broken", "late", "ask"}

// probe is the script of a hook that ends as the name of the file says which the command would make.
func probe(host hooks.Host) string {
	script := "#!/bin/sh\nin=$(cat)\ncase $in in\n"
	for word, ending := range endings(host) {
		script += "*made-" + word + "*) " + ending + " ;;\n"
	}
	return script + "*) echo '{}' ;;\nesac\n"
}

// probed is the configuration that elicit writes for one event, with another program and a short time limit.
func probed(t *testing.T, host hooks.Host, event, program string) map[string]any {
	t.Helper()
	text, err := exec.Command(programtest.Built(t, "./cmd/elicit"), "hook", "--print-config", "--event", event,
		string(host)).Output()
	var config map[string]any
	if err == nil {
		err = json.Unmarshal(text, &config)
	}
	must.OK(t, err)
	var change func(any)
	change = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, in := range v {
				change(in)
			}
		case map[string]any:
			for key, in := range v {
				limit, _ := in.(float64)
				switch key {
				case "command", "bash":
					v[key] = program
				case "timeout", "timeoutSec":
					v[key] = limit / 12 // 5 seconds
				default:
					change(in)
				}
			}
		}
	}
	change(config)
	return config
}

// hook gives a home the hooks of a configuration.
func hookUp(h *agenttest.Home, config map[string]any) error {
	if h.Agent.Host == "copilot" {
		text, err := json.Marshal(config)
		return errors.Join(err, h.Write(".copilot/hooks/elicit.json", string(text)))
	}
	return h.Configure(config)
}

// freely are the flags with which an agent runs every call without asking.
var freely = map[string][]string{"claude-code": {"--dangerously-skip-permissions"}, "copilot": {"--allow-all-tools"},
	"gemini": {"--approval-mode", "yolo"}, "qwen": {"--approval-mode", "yolo"}}

// made lists which of the files exist that the commands of a project would make.
func made(t *testing.T, project string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	files, err := os.ReadDir(project)
	must.OK(t, err)
	for _, f := range files {
		if name, is := strings.CutPrefix(f.Name(), "made-"); is {
			found[name] = true
		}
	}
	return found
}

// TestRealGatesUnattended makes the rows of hooks.Gates for agents that nobody attends: once where the agent runs every
// call, and at night once where it would have to ask somebody. The assertion is the file that a command makes or does
// not make.
func TestRealGatesUnattended(t *testing.T) {
	t.Parallel()
	dir := realParts(t)
	for _, agent := range agenttest.Agents() {
		t.Run(agent.Host, func(t *testing.T) {
			t.Parallel()
			command := agentIn(t, dir, &agent)
			row := gateOf(t, hooks.Host(agent.Host), true)
			want := cells(row)
			words := columns
			if row.Ask == hooks.Hangs {
				words = columns[:len(columns)-1]
				t.Run("hangs", func(t *testing.T) {
					vectors.Night(t)
					t.Parallel()
					hangs(t, &agent, command, row)
				})
			}
			for _, mode := range []struct {
				name  string
				flags []string
				runs  func(hooks.Conduct) bool
			}{
				{"free", freely[agent.Host], func(c hooks.Conduct) bool { return c == hooks.Runs || c == hooks.OwnRules }},
				{"asking", nil, func(c hooks.Conduct) bool { return c == hooks.Runs }},
			} {
				t.Run(mode.name, func(t *testing.T) {
					if mode.flags == nil {
						vectors.Night(t) // by day, the other tests of this file run the agents in this mode
					}
					t.Parallel()
					h := probing(t, &agent, command, row, words)
					out, err := h.Turn(mode.flags...)
					found := made(t, h.Project)
					for _, word := range words {
						if found[word] != mode.runs(want[word]) {
							t.Errorf("%s: the file was made: %t; the table says %s", word, found[word], want[word])
						}
					}
					if t.Failed() {
						t.Logf("%v\n%s\n%q", err, out, h.Told())
					}
					if strange := h.Strange(); len(strange) > 0 {
						t.Logf("it tried to reach %q", strange)
					}
				})
			}
		})
	}
}

// gateOf is the row of an agent's first gate.
func gateOf(t *testing.T, host hooks.Host, unattended bool) *hooks.Gate {
	t.Helper()
	for _, g := range hooks.Gates() {
		if g.Host == host && g.Unattended == unattended {
			return &g
		}
	}
	t.Fatalf("no row of %s", host)
	return nil
}

// probing is a home whose hook ends in each of these ways.
func probing(t *testing.T, agent *agenttest.Agent, command []string, row *hooks.Gate, words []string) *agenttest.Home {
	t.Helper()
	var steps []string
	for _, word := range words {
		steps = append(steps, "touch $PROJECT/made-"+word)
	}
	h := agent.NewHome(t, command, steps...)
	err := errors.Join(h.Write("probe.sh", probe(row.Host)),
		hookUp(h, probed(t, row.Host, row.Event, filepath.Join(h.Dir, "probe.sh"))))
	must.OK(t, err)
	return h
}

// hangs checks that an agent does not end by itself after its hook said ask. A slow machine passes this check without
// a proof; an agent that has learned to deny fails it.
func hangs(t *testing.T, agent *agenttest.Agent, command []string, row *hooks.Gate) {
	h := probing(t, agent, command, row, []string{"ask"})
	cmd := h.Begin(freely[agent.Host]...)
	must.OK(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		t.Errorf("it ended with %v, and told the model %q; the table says that it hangs", err, h.Told())
	case <-time.After(8 * time.Second):
		agenttest.End(cmd)
		<-ended
	}
	if len(made(t, h.Project)) > 0 {
		t.Error("the command ran")
	}
}

// The policy of the tests of rules, and what the model does there: two commands that a rule declines, one that a rule
// wants a person to be asked about, and an honest one.
const ruledPolicy = `{"version":1,"rules":[
	{"name":"no-touching","when":{"command":"touch *"},"then":"decline","why":"files are made by hand"},
	{"name":"ask-mkdir","when":{"command":"mkdir *"},"then":"ask"}]}`

var ruledSteps = []string{"touch $PROJECT/made-plain", "sh -c 'touch $PROJECT/made-wrapped'",
	"mkdir $PROJECT/made-asked", "echo honest words"}

// TestRealRulesUnattended installs the hooks as a person does. A rule that declines holds in each mode of each agent, a
// rule that asks neither waits nor lets the call run when nobody is there, and an honest command runs.
func TestRealRulesUnattended(t *testing.T) {
	t.Parallel()
	dir, elicit := realParts(t), programtest.Built(t, "./cmd/elicit")
	modes := map[string][][]string{"claude-code": {{}, {"--permission-mode", "acceptEdits"}}}
	for _, agent := range agenttest.Agents() {
		for _, flags := range append(modes[agent.Host], freely[agent.Host]) {
			t.Run(agent.Host+strings.Join(flags, " "), func(t *testing.T) {
				t.Parallel()
				h := agent.NewHome(t, agentIn(t, dir, &agent), ruledSteps...)
				install(t, elicit, h.Environ(), h.Project)
				must.OK(t, h.Write(".config/elicit/policy.json", ruledPolicy))
				out, err := h.Turn(flags...)
				rulesHeld(t, h.Project, h.Told())
				if err != nil || t.Failed() {
					t.Fail()
					t.Logf("%v\n%s\n%q", err, out, h.Told())
				}
			})
		}
	}
}

// rulesHeld checks what came of ruledSteps.
func rulesHeld(t *testing.T, project string, told []string) {
	t.Helper()
	if found := made(t, project); len(found) > 0 {
		t.Errorf("these were made: %v", found)
	}
	if len(told) != len(ruledSteps) {
		t.Fatalf("the model was told %q", told)
	}
	for i, words := range []string{"no-touching", "no-touching", "ask-mkdir", "honest words"} {
		if !strings.Contains(told[i], words) {
			t.Errorf("step %d told the model %s, want %s", i+1, told[i], words)
		}
	}
}

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
// project or deletes work does not run. By day, only Claude Code also has the mode in which it would ask somebody.
func TestRealDailyUnattended(t *testing.T) {
	t.Parallel()
	dir, elicit := realParts(t), programtest.Built(t, "./cmd/elicit")
	steps := []string{"ls -a && echo looked", "touch $PROJECT/made-inside && echo edited", "touch ~/made-outside",
		"rm -rf $PROJECT/kept"}
	for _, agent := range agenttest.Agents() {
		for _, flags := range [][]string{nil, freely[agent.Host]} {
			t.Run(agent.Host+strings.Join(flags, " "), func(t *testing.T) {
				if flags == nil && agent.Host != "claude-code" {
					vectors.Night(t)
				}
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
// At night, with the hooks switched off in the agent's own settings, it says that none did.
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
			if off[agent.Host] == nil || !vectors.Nightly() {
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
// the policy declines or asks about does not run. An honest command runs as before. At night, all run without rules.
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
				if !with && !vectors.Nightly() {
					continue
				}
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
