package install

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/scripted"
	"github.com/elicit-engine/elicit/engine/wire/hooks"
)

// agentWithin is how long an agent may take for one turn.
const agentWithin = 90 * time.Second

// liveAgent is how the program of a host works for one turn before a model on loopback, with the person's own settings.
// Gemini and Qwen send a call to no hook that their own rules refuse, so they get an option that allows all.
type liveAgent struct {
	program, shell string
	args, env      []string // MODEL stands for the address
}

var liveAgents = map[hooks.Host]liveAgent{
	hooks.ClaudeCode: {"claude", "Bash", []string{"-p"}, []string{"ANTHROPIC_BASE_URL=MODEL", "ANTHROPIC_API_KEY=x",
		"ANTHROPIC_MODEL=claude-opus-4-5", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1"}},
	hooks.Gemini: {"gemini", "run_shell_command", []string{"--skip-trust", "--yolo", "-p"}, []string{"GEMINI_API_KEY=x",
		"GOOGLE_GEMINI_BASE_URL=MODEL", "GEMINI_MODEL=gemini-2.5-flash"}},
	hooks.Copilot: {"copilot", "bash", []string{"-p"}, []string{"COPILOT_PROVIDER_BASE_URL=MODEL/v1",
		"COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_API_KEY=x", "COPILOT_MODEL=scripted", "COPILOT_OFFLINE=true",
		"COPILOT_AUTO_UPDATE=false"}},
	hooks.Qwen: {"qwen", "run_shell_command", []string{"--yolo", "-p"}, []string{"OPENAI_API_KEY=x",
		"OPENAI_BASE_URL=MODEL/v1",
		"OPENAI_MODEL=scripted"}},
}

// runAgent lets the real program of a host make a marked call, and looks whether its hook fired. Everything that is not
// on loopback leads to the scripted model and ends there, so nothing leaves the machine.
func (d *doctor) runAgent(f *hostHooks) {
	agent, known := liveAgents[hooks.Host(f.Host)]
	notProved := func(why string) {
		d.warn("live", "let it run a command, then look at `elicit log`", "not proved: whether %s starts its hooks: %s",
			f.Title, why)
	}
	path, err := exec.LookPath(agent.program)
	switch {
	case !known:
		notProved("its program does not work without its service")
		return
	case err != nil:
		notProved("there is no program " + agent.program + " in PATH")
		return
	}
	mark, begun := newMark(), time.Now()
	arguments := map[string]any{"command": "true " + mark, "description": "A harmless call of elicit doctor",
		"is_background": false}
	if f.Host != string(hooks.Qwen) {
		delete(arguments, "is_background")
	}
	model, err := scripted.Start(scripted.Step{Tool: agent.shell, Arguments: arguments})
	if err != nil {
		notProved(err.Error())
		return
	}
	defer model.Close()
	ctx, cancel := context.WithTimeout(context.Background(), agentWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, append(agent.args, "Run one harmless command.")...)
	cmd.Env = append(os.Environ(), "NO_PROXY=127.0.0.1,localhost", "HTTP_PROXY="+model.URL(), "HTTPS_PROXY="+model.URL())
	for _, variable := range agent.env {
		cmd.Env = append(cmd.Env, strings.ReplaceAll(variable, "MODEL", model.URL()))
	}
	_, err = output(ctx, cmd, nil)
	switch {
	case takeMarked(mark, begun):
		d.fine("live", "%s itself started its hook for a marked call", f.Title)
	case len(model.Told()) > 0:
		d.problem("live", "look at the modes in which it starts no hook, and at its own settings",
			"%s made a marked call, and no hook of Elicit fired", f.Title)
	default:
		why := "it ended before it called a tool"
		if err != nil {
			why = errors.Join(errors.New(why), err).Error()
		}
		notProved(strings.ReplaceAll(why, "\n", ": "))
	}
}
