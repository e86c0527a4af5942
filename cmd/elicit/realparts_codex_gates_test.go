package main_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/codextest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

// runsShell is a step in which the model runs a command, and lets the sandbox be as it is.
func runsShell(command string) codextest.Step {
	return codextest.Step{Tool: "exec_command", Arguments: map[string]any{"cmd": command}}
}

// turn starts a turn of `codex exec`, which nobody attends, and returns what Codex printed.
func turn(t *testing.T, codex string, h *codextest.Home, script string, flags ...string) string {
	t.Helper()
	cmd := exec.Command(codex, append(append([]string{"exec", "--skip-git-repo-check"}, flags...), script)...)
	cmd.Dir, cmd.Env = h.Project, h.Environ(t)
	out, _ := cmd.CombinedOutput() // the files and what the model was told say how it went
	return string(out)
}

// unattended are the modes of `codex exec`.
var unattended = [][]string{{"-s", "workspace-write"}, {"-s", "danger-full-access"},
	{"--dangerously-bypass-approvals-and-sandbox"}}

// TestRealCodexGateUnattended makes the row of hooks.Gates for `codex exec`.
func TestRealCodexGateUnattended(t *testing.T) {
	t.Parallel()
	r := newCodexRig(t)
	row := gateOf(t, hooks.Codex, true)
	h := codextest.NewHome(t, "")
	var steps []codextest.Step
	for _, word := range columns {
		steps = append(steps, runsShell("touch "+filepath.Join(h.Project, "made-"+word)))
	}
	program := filepath.Join(h.Project, "probe.sh")
	config, err := json.Marshal(probed(t, row.Host, row.Event, program))
	if err := errors.Join(err, os.WriteFile(program, []byte(probe(row.Host)), 0o700)); err != nil {
		t.Fatal(err)
	}
	h.Write(t, "hooks.json", string(config))
	out := turn(t, r.codex, h, h.Model.Script(steps...), "-s", "workspace-write", "--dangerously-bypass-hook-trust")
	want, found := cells(row), made(t, h.Project)
	for _, word := range columns {
		if found[word] != (want[word] == hooks.OwnRules) {
			t.Errorf("%s: the file was made: %t; the table says %s", word, found[word], want[word])
		}
	}
	if t.Failed() {
		t.Logf("%s\n%q", out, h.Model.Told())
	}
}

// installed installs the hooks in a home of Codex as a person does, with a policy, and trusts them.
func (r codexRig) installed(t *testing.T, h *codextest.Home, policy string) {
	t.Helper()
	install(t, programtest.Built(t, "./cmd/elicit"), h.Environ(t), h.Project)
	h.Write(t, ".config/elicit/policy.json", policy)
	run := r.start(t, h, answers(nil))
	trustHooks(t, run)
	run.Close()
	<-run.Done
}

// shellSteps let a model run each command, in which $PROJECT is the project of the home.
func shellSteps(h *codextest.Home, commands []string) (steps []codextest.Step) {
	for _, command := range commands {
		steps = append(steps, runsShell(os.Expand(command, func(string) string { return h.Project })))
	}
	return steps
}

// TestRealCodexRulesUnattended is TestRealRulesUnattended for Codex.
func TestRealCodexRulesUnattended(t *testing.T) {
	t.Parallel()
	r := newCodexRig(t)
	for _, flags := range unattended {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			t.Parallel()
			h := codextest.NewHome(t, "")
			r.installed(t, h, ruledPolicy)
			out := turn(t, r.codex, h, h.Model.Script(shellSteps(h, ruledSteps)...), flags...)
			rulesHeld(t, h.Project, h.Model.Told())
			if t.Failed() {
				t.Logf("%s\n%q", out, h.Model.Told())
			}
		})
	}
}

// TestRealCodexPatchUnattended tests that a rule about files holds for a patch that Codex applies without asking. Codex
// offers the other tool for patches to no scripted model.
func TestRealCodexPatchUnattended(t *testing.T) {
	t.Parallel()
	r := newCodexRig(t)
	h := codextest.NewHome(t, "")
	r.installed(t, h, `{"version":1,"rules":[{"name":"closed","when":{"path":"*/made-*"},"then":"decline"}]}`)
	out := turn(t, r.codex, h, h.Model.Script(patches("made-closed"), patches("open")), "-s", "workspace-write")
	if found := made(t, h.Project); len(found) > 0 {
		t.Errorf("these were made: %v", found)
	}
	if _, err := os.Stat(filepath.Join(h.Project, "open")); err != nil {
		t.Error(err)
	}
	if t.Failed() {
		t.Logf("%s\n%q", out, h.Model.Told())
	}
}
