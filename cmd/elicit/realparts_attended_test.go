package main_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/agenttest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/codextest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/terminaltest"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// The size of the terminals is such that no name of a file is broken.
const wide, high = 220, 60

// attended is a turn of an agent in a terminal before which a person sits.
type attended struct {
	t        *testing.T
	terminal *terminaltest.Terminal
	told     func() []string // what the model was told
	project  string
	pressed  time.Time // when a key was pressed last
}

// attend starts an agent in a terminal.
func attend(t *testing.T, h *agenttest.Home, flags ...string) *attended {
	t.Helper()
	if h.Agent.Host == "qwen" && len(flags) == 0 {
		flags = []string{"--approval-mode", "default"} // else a model would classify the commands
	}
	line, err := h.Attended(flags...)
	must.OK(t, err)
	return sit(t, line, h.Told, h.Project)
}

func sit(t *testing.T, line string, told func() []string, project string) *attended {
	t.Helper()
	a := &attended{t: t, terminal: terminaltest.Open(t, wide, high, line), told: told, project: project}
	t.Cleanup(a.terminal.Kill) // an agent that still runs would write into its home while that is removed
	return a
}

// yes is the first choice of the prompt of an agent. Enter takes it, and Escape says no.
var yes = regexp.MustCompile(`[❯●›] 1\. (Yes|Allow)`)

// promptOf is the file about which the prompt on a screen asks, "" if there is no prompt.
func promptOf(screen string) string {
	at := yes.FindStringIndex(screen)
	if at == nil {
		return ""
	}
	names := madeFile.FindAllStringSubmatch(screen[:at[0]], -1)
	if names == nil {
		return "" // it is not yet drawn to its end
	}
	return names[len(names)-1][1]
}

var madeFile = regexp.MustCompile(`made-([a-z]+)`)

// asks waits for step number i, which makes a file, and reports whether the agent asks the person about it. If not, the
// model has been told what came of it.
func (a *attended) asks(i int, file string) bool {
	a.t.Helper()
	asked := false
	a.terminal.Until("asks about "+file+" or goes on", func(screen string) bool {
		asked = promptOf(screen) == file
		return asked || len(a.told()) > i
	})
	return asked
}

// accepts says yes to the prompts about step number i until the model was told what came of it. An agent may ask twice.
func (a *attended) accepts(i int, file string) {
	a.t.Helper()
	a.terminal.Until("goes on", func(screen string) bool {
		a.presses("Enter", screen, file)
		return len(a.told()) > i
	})
}

// declines says no, after which an agent waits for what the person types.
func (a *attended) declines(file string) {
	a.t.Helper()
	a.terminal.Until("asks no longer", func(screen string) bool { return !a.presses("Escape", screen, file) })
}

// presses answers a prompt about a file, if there is one. It presses the key again after a second, because an agent may
// draw a prompt before it takes a key.
func (a *attended) presses(key, screen, file string) bool {
	a.t.Helper()
	asks := promptOf(screen) == file
	if asks && time.Since(a.pressed) > time.Second {
		a.terminal.KeysNow(key)
		a.pressed = time.Now()
	}
	return asks
}

// TestRealGatesAttended makes the rows of hooks.Gates for agents in a terminal. By day they ask the person, and
// TestRealRulesAttended runs them freely. At night both run both, and Qwen Code too, which takes 21 seconds of a
// processor here.
func TestRealGatesAttended(t *testing.T) {
	t.Parallel()
	dir := realParts(t)
	for _, agent := range agenttest.Agents() {
		for name, flags := range map[string][]string{"asking": nil, "free": freely[agent.Host]} {
			t.Run(agent.Host+"/"+name, func(t *testing.T) {
				if name != "asking" || agent.Host == "qwen" {
					vectors.Night(t)
				}
				t.Parallel()
				row := gateOf(t, hooks.Host(agent.Host), false)
				h := probing(t, &agent, agentIn(t, dir, &agent), row, columns)
				gatesHeld(t, attend(t, h, flags...), row, name == "asking")
			})
		}
	}
}

// gatesHeld checks each cell of a row. asks reports whether the agent itself asks about the commands. Qwen Code does so
// before it starts the hook.
func gatesHeld(t *testing.T, a *attended, row *hooks.Gate, asks bool) {
	want := cells(row)
	for i, word := range columns {
		asked := a.asks(i, word)
		if asked {
			if made(t, a.project)[word] {
				t.Errorf("%s: the command ran before the person said yes", word)
			}
			a.accepts(i, word)
		}
		ran := made(t, a.project)[word]
		conduct := want[word]
		prompts := conduct == hooks.Prompts || asks && (conduct == hooks.OwnRules || row.Host == hooks.Qwen)
		if asked != prompts || ran != (conduct != hooks.Blocked) {
			t.Errorf("%s: the person was asked: %t, the file was made: %t; the table says %s", word, asked, ran, conduct)
		}
	}
	if t.Failed() {
		t.Logf("%s\n%q", a.terminal.Screen(), a.told())
	}
}

// TestRealCodexGateAttended makes the row of hooks.Gates for Codex in a terminal, by day where it asks the person.
func TestRealCodexGateAttended(t *testing.T) {
	t.Parallel()
	r := newCodexRig(t)
	row := gateOf(t, hooks.Codex, false)
	for name, mode := range map[string]struct {
		step  func(string) codextest.Step
		flags []string
	}{"asking": {escalates, []string{"-s", "workspace-write", "-a", "on-request"}},
		"free": {runsShell, []string{"--dangerously-bypass-approvals-and-sandbox"}}} {
		t.Run(name, func(t *testing.T) {
			if name != "asking" {
				vectors.Night(t)
			}
			t.Parallel()
			h := codextest.NewHome(t, "")
			program := filepath.Join(h.Project, "probe.sh")
			config, err := json.Marshal(probed(t, row.Host, row.Event, program))
			must.OK(t, errors.Join(err, os.WriteFile(program, []byte(probe(row.Host)), 0o700)))
			h.Write(t, "hooks.json", string(config))
			var steps []codextest.Step
			for _, word := range columns {
				steps = append(steps, mode.step("touch "+filepath.Join(h.Project, "made-"+word)))
			}
			a := r.attend(t, h, steps, append(mode.flags, "--dangerously-bypass-hook-trust")...)
			gatesHeld(t, a, row, name == "asking")
		})
	}
}

// attend starts Codex in a terminal.
func (r codexRig) attend(t *testing.T, h *codextest.Home, steps []codextest.Step, flags ...string) *attended {
	t.Helper()
	program := slices.Concat([]string{r.codex, "--no-daemon"}, flags, []string{h.Model.Script(steps...)})
	line := agenttest.ShellLine(h.Project, h.Environ(t), program)
	return sit(t, line, h.Model.Told, h.Project)
}

// attendedSteps are what the model does where a person sits: a command that a rule declines, one that a rule wants
// asked, one of which no rule speaks, and another that is asked.
var attendedSteps = []string{"touch $PROJECT/made-declined", "mkdir $PROJECT/made-yes",
	"ln -s nowhere $PROJECT/made-free", "mkdir $PROJECT/made-no"}

// TestRealRulesAttended installs the hooks as a person does, and sits before the agent. A rule that declines needs no
// person. A rule that asks is asked once, by the prompt of the agent, and the answer holds. Of a command without a rule
// the agent asks as without a hook. By day the agents run freely, so that only the hook stops a command.
func TestRealRulesAttended(t *testing.T) {
	t.Parallel()
	dir, elicit := realParts(t), programtest.Built(t, "./cmd/elicit")
	for _, agent := range agenttest.Agents() {
		for name, flags := range map[string][]string{"asking": nil, "free": freely[agent.Host]} {
			t.Run(agent.Host+"/"+name, func(t *testing.T) {
				if name != "free" {
					vectors.Night(t)
				}
				t.Parallel()
				h := agent.NewHome(t, agentIn(t, dir, &agent), attendedSteps...)
				install(t, elicit, h.Environ(), h.Project)
				must.OK(t, h.Write(".config/elicit/policy.json", ruledPolicy))
				a := attend(t, h, flags...)
				asks := gateOf(t, hooks.Host(agent.Host), true).Ask != hooks.Hangs // else the hook says no at once
				for i, step := range []struct {
					file        string
					asked, made bool
				}{{"declined", false, false}, {"yes", asks, asks}, {"free", name == "asking", true}, {"no", asks, false}} {
					asked := a.asks(i, step.file)
					switch {
					case asked != step.asked:
						t.Errorf("%s: the person was asked: %t", step.file, asked)
					case asked && step.made:
						a.accepts(i, step.file)
					case asked:
						a.declines(step.file)
					}
					if made(t, h.Project)[step.file] != step.made {
						t.Errorf("%s was made: %t", step.file, !step.made)
					}
				}
				if t.Failed() {
					t.Logf("%s\n%q", a.terminal.Screen(), a.told())
				}
			})
		}
	}
}

// TestRealRulesAtDesk sits before `elicit answer`, beside an agent that cannot ask safely by itself. The answer there
// decides what a rule wants asked, and the rest is as without a desk.
func TestRealRulesAtDesk(t *testing.T) {
	t.Parallel()
	dir, elicit := realParts(t), programtest.Built(t, "./cmd/elicit")
	for _, agent := range agenttest.Agents() {
		if agent.Host == "gemini" {
			t.Run(agent.Host, func(t *testing.T) {
				t.Parallel()
				h := agent.NewHome(t, agentIn(t, dir, &agent), attendedSteps...)
				h.Runtime = must.ShortDir(t)
				install(t, elicit, h.Environ(), h.Project)
				must.OK(t, h.Write(".config/elicit/policy.json", ruledPolicy))
				desk := deskOf(t, elicit, h.Project, h.Environ())
				deskDecides(t, attend(t, h), desk)
			})
		}
	}
	t.Run("codex", func(t *testing.T) {
		t.Parallel()
		r := newCodexRig(t)
		h := codextest.NewHome(t, "")
		r.installed(t, h, ruledPolicy)
		env := append(h.Environ(t), "XDG_RUNTIME_DIR="+must.ShortDir(t))
		var steps []codextest.Step
		for _, command := range attendedSteps {
			steps = append(steps, runsShell(os.Expand(command, func(string) string { return h.Project })))
		}
		desk := deskOf(t, elicit, h.Project, env)
		program := []string{r.codex, "--no-daemon", "-s", "workspace-write", "-a", "on-request", h.Model.Script(steps...)}
		deskDecides(t, sit(t, agenttest.ShellLine(h.Project, env, program), h.Model.Told, h.Project), desk)
	})
}

// install installs the hooks as a person does.
func install(t *testing.T, elicit string, env []string, project string) {
	t.Helper()
	install := exec.Command(elicit, "install", "--hooks", "--yes")
	install.Env, install.Dir = env, project
	must.Run(t, install)
}

// deskOf starts `elicit answer` in a terminal of its own.
func deskOf(t *testing.T, elicit, project string, env []string) *terminaltest.Terminal {
	t.Helper()
	line := agenttest.ShellLine(project, env, []string{elicit, "answer", "--ui", "terminal"})
	desk := terminaltest.Open(t, wide, high, line)
	t.Cleanup(desk.Kill)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the desk:\n%s", desk.Screen())
		}
	})
	desk.Wait("Questions of hooks appear here")
	return desk
}

// deskDecides follows attendedSteps. The agent may ask about a command by itself too, before the hook or after it.
func deskDecides(t *testing.T, a *attended, desk *terminaltest.Terminal) {
	t.Helper()
	for i, step := range []struct{ file, key string }{{"declined", ""}, {"yes", "y"}, {"free", ""}, {"no", "n"}} {
		if step.key != "" {
			a.terminal.Until("waits for the desk", func(screen string) bool {
				a.presses("Enter", screen, step.file)
				return strings.Contains(desk.Screen(), "made-"+step.file)
			})
			desk.Keys(step.key, "Enter")
		}
		a.accepts(i, step.file)
		if found := made(t, a.project)[step.file]; found != (step.file == "yes" || step.file == "free") {
			t.Errorf("%s was made: %t", step.file, found)
		}
	}
	if t.Failed() {
		t.Logf("%s\n%q", a.terminal.Screen(), a.told())
	}
}
