package agenttest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// Agent is one coding agent: where it is, and how a test starts it.
type Agent struct {
	Host  string // as `elicit hook` names it
	Shell string // its tool that runs a command

	program  string // below node_modules; SYSTEM stands for the system and its processor
	settings string // the file of settings below the home, and its text without hooks
	text     object
	env      func(model string) []string
	prompt   []string // starts a turn without anybody there
	typed    []string // starts a turn in a terminal
	trust    string   // a file that says that a person has seen the first screens, "" if there are none
	trusts   string   // its text; PROJECT stands for the project
}

// Agents lists the agents. Codex has a package of its own.
func Agents() []Agent {
	quiet := object{"privacy": object{"usageStatisticsEnabled": false}, "telemetry": object{"enabled": false},
		"general": object{"disableAutoUpdate": true, "enableAutoUpdate": false}}
	signedIn := func(how string) object {
		return object{"auth": object{"selectedType": how}, "folderTrust": object{"enabled": false}}
	}
	gemini, qwen := object{"security": signedIn("gemini-api-key")}, object{"security": signedIn("openai")}
	for key, value := range quiet {
		gemini[key], qwen[key] = value, value
	}
	return []Agent{
		{Host: "claude-code", Shell: "Bash", program: "@anthropic-ai/claude-code-SYSTEM/claude",
			settings: ".claude/settings.json", text: object{},
			env: func(model string) []string {
				return []string{"ANTHROPIC_BASE_URL=" + model, "ANTHROPIC_API_KEY=x", "ANTHROPIC_MODEL=claude-opus-4-5",
					"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
					"IS_SANDBOX=1"} // else it refuses to skip permissions for root
			},
			prompt: []string{"-p", "Go."}, typed: []string{"Go."},
			trust: ".claude.json", trusts: `{"hasCompletedOnboarding":true,"theme":"dark",` +
				`"bypassPermissionsModeAccepted":true,"customApiKeyResponses":{"approved":["x"],"rejected":[]},` +
				`"projects":{"PROJECT":{"hasTrustDialogAccepted":true,"hasCompletedProjectOnboarding":true}}}`},
		{Host: "gemini", Shell: "run_shell_command", program: "@google/gemini-cli/bundle/gemini.js",
			settings: ".gemini/settings.json", text: gemini,
			env: func(model string) []string {
				return []string{"GEMINI_API_KEY=x", "GOOGLE_GEMINI_BASE_URL=" + model, "GEMINI_MODEL=gemini-2.5-flash",
					"GEMINI_CLI_NO_RELAUNCH=1"} // the second process, for more memory, takes as long to start as the first
			},
			prompt: []string{"--skip-trust", "-p", "Go."}, typed: []string{"--skip-trust", "Go."}},
		{Host: "copilot", Shell: "bash", program: "@github/copilot-SYSTEM/copilot",
			settings: ".copilot/config.json", text: object{}, typed: []string{"-i", "Go."},
			trust: ".copilot/config.json", trusts: `{"trusted_folders":["PROJECT"],"trustedFolders":["PROJECT"]}`,
			env: func(model string) []string {
				return []string{"COPILOT_PROVIDER_BASE_URL=" + model + "/v1", "COPILOT_PROVIDER_TYPE=openai",
					"COPILOT_PROVIDER_API_KEY=x", "COPILOT_MODEL=scripted", "COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false"}
			},
			prompt: []string{"-p", "Go."}},
		{Host: "qwen", Shell: "run_shell_command", program: "@qwen-code/qwen-code/cli-entry.js",
			settings: ".qwen/settings.json", text: qwen,
			env: func(model string) []string {
				return []string{"OPENAI_API_KEY=x", "OPENAI_BASE_URL=" + model + "/v1", "OPENAI_MODEL=scripted",
					"QWEN_CODE_NO_RELAUNCH=1"}
			},
			prompt: []string{"-p", "Go."}, typed: []string{"-i", "Go."}},
	}
}

// Opencode is an agent that has no gate, and that a test finds on the path.
func Opencode() *Agent {
	return &Agent{Host: "opencode", Shell: "bash", settings: ".config/opencode/opencode.json",
		text: object{"autoupdate": false, "share": "disabled", "model": "scripted/scripted",
			"small_model": "scripted/scripted", "permission": object{"bash": "ask", "edit": "ask"},
			"provider": object{"scripted": object{"npm": "@ai-sdk/openai-compatible", "name": "Scripted",
				"options": object{"baseURL": "{env:MODEL_URL}", "apiKey": "x"},
				"models":  object{"scripted": object{"name": "Scripted", "tool_call": true}}}}},
		env: func(model string) []string {
			return []string{"MODEL_URL=" + model + "/v1", "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1",
				"OPENCODE_DISABLE_LSP_DOWNLOAD=1"}
		},
		prompt: []string{"run", "Go."}, typed: []string{"--prompt", "Go."}}
}

// Command finds an agent below a directory with node_modules.
func (a *Agent) Command(dir string) ([]string, error) {
	system := map[string]string{"linux": "linux", "darwin": "darwin"}[runtime.GOOS] + "-" +
		map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	name, is := cutSystem(a.program, system)
	path := filepath.Join(dir, "node_modules", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("%s is not installed", a.Host)
	}
	if is {
		return []string{path}, nil
	}
	return []string{"node", path}, nil
}

// Home is a home directory of one agent, with a project below it.
type Home struct {
	*Model
	Agent   *Agent
	Dir     string
	Project string
	Runtime string // the directory for sockets, "" for none

	command []string
}

// Step runs a command with the shell of the agent.
func (a *Agent) Step(command string) Step {
	arguments := object{"command": command, "description": "A step"}
	if a.Host == "qwen" {
		arguments["is_background"] = false
	}
	return Step{Tool: a.Shell, Arguments: arguments}
}

// NewHome makes a home whose model runs commands. The texts are those of the shell, and PROJECT stands for its
// directory.
func (a *Agent) NewHome(t testing.TB, program []string, steps ...string) *Home {
	t.Helper()
	// Not t.TempDir: a helper of an agent that has ended may still write there.
	dir, err := os.MkdirTemp("", "agent")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	h := &Home{Agent: a, Dir: dir, command: program}
	h.Project = filepath.Join(h.Dir, "project")
	err = errors.Join(os.MkdirAll(filepath.Join(h.Project, ".git"), 0o700), os.Mkdir(filepath.Join(h.Dir, "tmp"), 0o700))
	if err == nil {
		err = h.Configure(nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	var list []Step
	for _, command := range steps {
		list = append(list, a.Step(os.Expand(command, func(string) string { return h.Project })))
	}
	h.Model = NewModel(t, list...)
	return h
}

// Configure writes the settings with more members.
func (h *Home) Configure(more map[string]any) error {
	all := object{}
	for _, members := range []object{h.Agent.text, more} {
		maps.Copy(all, members)
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return h.Write(h.Agent.settings, string(text))
}

// Write writes a file below the home.
func (h *Home) Write(name, text string) error {
	file := filepath.Join(h.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o700)
}

// Environ is the environment of the agent and of its hooks. Everything that is not on loopback leads to the model and
// ends there.
func (h *Home) Environ() []string {
	env := []string{"HOME=" + h.Dir, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + filepath.Join(h.Dir, "tmp"),
		"LANG=C.UTF-8", "NO_PROXY=127.0.0.1,localhost", "HTTP_PROXY=" + h.URL(), "HTTPS_PROXY=" + h.URL()}
	if h.Runtime != "" {
		env = append(env, "XDG_RUNTIME_DIR="+h.Runtime)
	}
	return append(env, h.Agent.env(h.URL())...)
}

// patience is the longest that a turn may take. It is long, because a test must not fail on a slow machine.
const patience = 2 * time.Minute

// Turn runs the agent for a turn with nobody there, and returns what it prints. The flags choose its mode. A turn that
// does not end is an error.
func (h *Home) Turn(flags ...string) (string, error) {
	cmd := h.Begin(flags...)
	out, err := os.Create(filepath.Join(h.Dir, "printed"))
	if err != nil {
		return "", err
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out // a file, because a process that stays must not keep a pipe open
	timer := time.AfterFunc(patience, func() { End(cmd) })
	defer timer.Stop()
	err = cmd.Run()
	if !timer.Stop() {
		err = errors.New("the turn did not end")
	}
	said, no := os.ReadFile(out.Name())
	return string(said), errors.Join(err, no)
}

// Attended is a shell command that starts a turn in a terminal, as a person does. The flags choose its mode.
func (h *Home) Attended(flags ...string) (string, error) {
	if h.Agent.trust != "" {
		trusts := strings.ReplaceAll(h.Agent.trusts, "PROJECT", h.Project)
		if err := h.Write(h.Agent.trust, trusts); err != nil {
			return "", err
		}
	}
	return ShellLine(h.Project, h.Environ(), slices.Concat(h.command, flags, h.Agent.typed)), nil
}

// ShellLine is a command for a shell that runs a program in a directory, with an environment and the type of the
// terminal.
func ShellLine(dir string, env, program []string) string {
	return "cd '" + dir + "' && exec env -i TERM=\"$TERM\" '" + strings.Join(slices.Concat(env, program), "' '") + "'"
}

// Begin is the command of a turn with nobody there. It has a process group of its own.
func (h *Home) Begin(flags ...string) *exec.Cmd {
	cmd := exec.Command(h.command[0], slices.Concat(h.command[1:], h.Agent.prompt, flags)...)
	cmd.Dir, cmd.Env = h.Project, h.Environ()
	ownGroup(cmd)
	return cmd
}

// cutSystem puts the system into the name of a program. is reports that it had a place for it.
func cutSystem(name, system string) (string, bool) {
	before, after, is := strings.Cut(name, "SYSTEM")
	return before + map[bool]string{true: system}[is] + after, is
}
