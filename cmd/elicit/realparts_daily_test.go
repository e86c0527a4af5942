package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/agenttest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

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
				if out, err := first.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				kept := filepath.Join(h.Project, "kept", "work")
				if err := os.MkdirAll(kept, 0o700); err != nil {
					t.Fatal(err)
				}
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
