package main_test

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/agenttest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
)

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
			if err != nil {
				t.Fatal(err)
			}
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
			if err := h.Configure(off[agent.Host]); err != nil {
				t.Fatal(err)
			}
			install(t, elicit, h.Environ(), h.Project)
			if out := live(); !strings.Contains(out, "made a marked call, and no hook of Elicit fired") {
				t.Errorf("without hooks:\n%s", out)
			}
		})
	}
}
