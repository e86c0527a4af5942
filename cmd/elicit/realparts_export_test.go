package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/agenttest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/codextest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
)

// The policy of the tests of exported rules, and what the model does there: what a rule declines, what a rule asks
// about, and an honest command whose program begins with the same letters as a forbidden one.
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
	file := filepath.Join(t.TempDir(), "policy.json")
	if err := os.WriteFile(file, []byte(exportedPolicy), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command(programtest.Built(t, "./cmd/elicit"), "policy", "export", "--host", host, "--policy",
		file).Output()
	if err != nil {
		t.Fatal(err)
	}
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

// TestRealExportedRules gives agents that run every call, and have no hook, the rules that were exported: what the
// policy declines or asks about does not run, and an honest command runs as before.
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
					if err := h.Write(place, exported(t, agent.Host)); err != nil {
						t.Fatal(err)
					}
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
	r := newCodexRig(t)
	for _, flags := range unattended {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			t.Parallel()
			h := codextest.NewHome(t, "")
			h.Write(t, "rules/elicit.rules", exported(t, "codex"))
			out := turn(t, r.codex, h, h.Model.Script(shellSteps(h, exportedSteps)...), flags...)
			exportHeld(t, h.Project, h.Model.Told())
			if t.Failed() {
				t.Logf("%s\n%q", out, h.Model.Told())
			}
		})
	}
}
