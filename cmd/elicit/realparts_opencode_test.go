package main_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/agenttest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
)

// TestRealOpencode sits before the real opencode and at `elicit answer`. Its questions are answered there, and rules
// decide what it wants to be allowed. It skips the test if opencode is not on the path, because setup.sh does not
// install it.
func TestRealOpencode(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("opencode")
	if err != nil {
		t.Skip("opencode is not on the path; npm has it as opencode-ai")
	}
	elicit := programtest.Built(t, "./cmd/elicit")
	h := agenttest.Opencode().NewHome(t, []string{program})
	question := asksPerson()
	question.Tool = "question"
	for _, one := range question.Arguments.(map[string]any)["questions"].([]map[string]any) {
		one["multiple"] = one["multiSelect"]
	}
	h.Runtime = runtimeDir(t)
	h.Model = agenttest.NewModel(t, question, question, h.Agent.Step("touch "+h.Project+"/made-yes"),
		h.Agent.Step("mkdir "+h.Project+"/made-no"), question)
	plugin, err := exec.Command(elicit, "hook", "--print-config", "opencode").Output()
	if err == nil {
		err = h.Write(".config/opencode/plugin/elicit.js", string(plugin))
	}
	if err == nil {
		err = h.Write(".config/elicit/policy.json", `{"version":1,"rules":[
			{"name":"no-mkdir","when":{"command":"mkdir *"},"then":"decline"},
			{"when":{"command":"touch *"},"then":"accept"},{"when":{"tool":"question"},"then":"ask"}]}`)
	}
	if err != nil {
		t.Fatal(err)
	}
	desk := deskOf(t, elicit, h.Project, h.Environ())
	a := attend(t, h)
	answer := func(keys ...string) {
		desk.Wait("opencode asks, running question", "Friday: about Friday", "Let the agent decide")
		desk.Keys(keys...)
		desk.Gone("opencode asks")
	}
	answer("Down", "Tab", "Tab", "Space", "Down", "Space", "C-s")
	answer("Down", "Down", "Down", "Tab", "Tab", "Space", "C-s")
	answer("C-x")
	a.terminal.Gone("esc dismiss")
	told := strings.ReplaceAll(strings.Join(a.told(), "\n"), `\"`, `"`)
	for _, words := range []string{`"Which day?"="Monday", "Which parts?"="client, data, and logs"`,
		`"Which day?"="Unanswered", "Which parts?"="client"`, "no-mkdir"} {
		if !strings.Contains(told, words) {
			t.Errorf("the model was not told %s", words)
		}
	}
	if found := made(t, h.Project); !found["yes"] || found["no"] || strings.Contains(told, "Friday") {
		t.Errorf("these were made: %v; the model was told %s", found, told)
	}
}
