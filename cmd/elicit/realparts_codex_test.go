package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/codextest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
)

// codexRig is the real Codex, the server whose tools ask, and what stands between Codex and its front end.
type codexRig struct {
	codex, asks string
	between     []string // a command that the app-server's command is appended to; empty for none
}

// newCodexRig skips the test if Codex is missing, but never in CI.
func newCodexRig(t *testing.T) codexRig {
	t.Helper()
	return codexRig{codex: codexIn(t, realParts(t)), asks: programtest.Built(t, "./testdata/askserver")}
}

// codexIn returns the Codex in a directory of packages.
func codexIn(t *testing.T, dir string) string {
	t.Helper()
	codex, err := codextest.Binary(dir)
	if err != nil {
		why := fmt.Sprintf("%v; run testdata/realparts/setup.sh", err)
		if os.Getenv("CI") == "true" {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	return codex
}

// serverLog is the file in which the asking server keeps what Codex sent to it.
func serverLog(h *codextest.Home) string { return filepath.Join(filepath.Dir(h.Dir), "server.jsonl") }

// home makes a home of Codex with the asking server. The settings are lines of config.toml.
func (r codexRig) home(t *testing.T, settings string) *codextest.Home {
	t.Helper()
	if settings == "" {
		settings = asksOnRequest
	}
	h := codextest.NewHome(t, settings)
	h.AddMCPServer(t, "asks", r.asks, "-log", serverLog(h))
	return h
}

// start starts Codex with a front end that has shaken hands.
func (r codexRig) start(t *testing.T, h *codextest.Home, answer answerer) *codextest.Running {
	t.Helper()
	return r.startWith(t, h, answer, nil)
}

// startWith is start for a front end with more capabilities.
func (r codexRig) startWith(t *testing.T, h *codextest.Home, answer answerer, has map[string]any) *codextest.Running {
	t.Helper()
	run := h.Start(t, answer, append(slices.Clone(r.between), r.codex, "app-server")...)
	run.Initialize(has)
	return run
}

// Settings of Codex. The flags of granular say which kinds of prompts may be shown.
const (
	asksOnRequest = "approval_policy = \"on-request\"\nsandbox_mode = \"workspace-write\""
	asksNever     = "approval_policy = \"never\"\nsandbox_mode = \"workspace-write\""
	fullAccess    = "approval_policy = \"never\"\nsandbox_mode = \"danger-full-access\""
	asksGranular  = `sandbox_mode = "workspace-write"
approval_policy = { granular = { sandbox_approval = false, rules = false, mcp_elicitations = false } }`
	promptsGranular = `sandbox_mode = "workspace-write"
approval_policy = { granular = { sandbox_approval = true, rules = true, mcp_elicitations = true, ` +
		`request_permissions = true } }`
)

// codexCase is one turn of Codex: what the model does, what the front end answers, and what comes of it.
type codexCase struct {
	name     string
	settings string         // of Codex, "" for asksOnRequest
	rules    string         // of Codex about commands
	managed  string         // what an administrator demands, "" for nothing
	review   string         // what the model says as the reviewer of Codex
	declares map[string]any // capabilities of the front end
	steps    []codextest.Step
	answers  map[string]any // of the front end, by what it is asked; without one it answers with an error
	asked    []string       // what the front end is asked, as spelled by asking
	told     []string       // a part of what each step's result tells the model
	turn     string         // how the turn ends, "" for completed
	check    func(*testing.T, *codextest.Running)
}

// asking spells what Codex asks for.
func asking(m codextest.Message) string {
	switch {
	case m.Method != "mcpServer/elicitation/request":
		return strings.TrimSuffix(strings.TrimPrefix(m.Method, "item/"), "/requestApproval")
	case m.Param("_meta.codex_approval_kind") != "":
		return m.Param("_meta.codex_approval_kind")
	default:
		return m.Param("mode")
	}
}

// answerer is how a front end answers.
type answerer = func(codextest.Message) codextest.Answer

// answers is a front end that knows one result for each kind of request.
func answers(results map[string]any) answerer {
	return func(m codextest.Message) codextest.Answer {
		if result, ok := results[asking(m)]; ok {
			return codextest.Answer{Result: result}
		}
		return codextest.Answer{Error: -32601}
	}
}

// run runs a case and checks what came of it.
func (r codexRig) run(t *testing.T, c codexCase) *codextest.Running {
	t.Helper()
	h := r.home(t, c.settings)
	if c.rules != "" {
		h.Write(t, "rules/default.rules", c.rules)
	}
	if c.managed != "" {
		r.between = append(managed(t, c.managed), r.between...)
	}
	h.Model.Reviews(c.review)
	run := r.startWith(t, h, answers(c.answers), c.declares)
	c.follow(t, run)
	return run
}

// follow lets Codex take the turn, and checks what came of it.
func (c codexCase) follow(t *testing.T, run *codextest.Running) {
	t.Helper()
	turn := run.Turn(run.Thread(nil), c.steps...)
	want := c.turn
	if want == "" {
		want = "completed"
	}
	if got := run.TurnEnds(turn); got != want {
		t.Errorf("the turn is %s, want %s", got, want)
	}
	var asked []string
	for _, m := range run.Requests() {
		asked = append(asked, asking(m))
	}
	if !slices.Equal(asked, c.asked) {
		t.Errorf("the front end was asked %q, want %q", asked, c.asked)
	}
	told := run.Home.Model.Told()
	if len(told) != len(c.told) {
		t.Errorf("the model was told %q, want %q", told, c.told)
	}
	for i := range min(len(told), len(c.told)) {
		if !strings.Contains(told[i], c.told[i]) {
			t.Errorf("step %d told the model %s, want it to contain %s", i+1, told[i], c.told[i])
		}
	}
	if c.check != nil {
		c.check(t, run)
	}
	if strange := run.Home.Model.Strange(); len(strange) > 0 {
		t.Errorf("Codex tried to reach %q", strange)
	}
}

// TestRealCodex shows what the real Codex asks its front end, and what it makes of the answers. The relay's tests
// expect the same of it.
func TestRealCodex(t *testing.T) {
	t.Parallel()
	r := newCodexRig(t)
	for _, c := range slices.Concat(codexCases(), quietCases(), governedCases()) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r.run(t, c)
		})
	}
}

// serverSaw returns what Codex sent to the asking server.
func serverSaw(t *testing.T, h *codextest.Home) string {
	t.Helper()
	b, err := os.ReadFile(serverLog(h))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// asksServer is a step in which the server sends requests, given by their parameters.
func asksServer(params ...string) codextest.Step {
	var requests []map[string]any
	for _, p := range params {
		requests = append(requests, map[string]any{"params": json.RawMessage(p)})
	}
	return codextest.Step{Tool: "ask", Namespace: "mcp__asks", Arguments: map[string]any{"requests": requests}}
}

// callsTool is a step in which the model calls a tool of the server.
func callsTool(name string) codextest.Step {
	return codextest.Step{Tool: name, Namespace: "mcp__asks", Arguments: map[string]any{"note": "hello"}}
}

// escalates is a step in which the model wants to run a command outside the sandbox.
func escalates(command string) codextest.Step {
	return codextest.Step{Tool: "exec_command", Arguments: map[string]any{"cmd": command,
		"sandbox_permissions": "require_escalated", "justification": "May I?"}}
}

// patches is a step in which the model adds a file.
func patches(file string) codextest.Step { return patchesWith(file, "+hello\n") }

// patchesWith is patches with the lines of the file, each after a plus sign.
func patchesWith(file, lines string) codextest.Step {
	return codextest.Step{Tool: "exec_command", Arguments: map[string]any{
		"cmd": "apply_patch <<'END'\n*** Begin Patch\n*** Add File: " + file + "\n" + lines + "*** End Patch\nEND"}}
}

// wantsPermission is a step in which the model asks to write in a directory.
func wantsPermission(dir string) codextest.Step {
	return codextest.Step{Tool: "request_permissions", Arguments: map[string]any{"reason": "for notes",
		"permissions": map[string]any{"file_system": map[string]any{"write": []string{dir}}}}}
}

// asksUser is a step in which the model asks the person.
func asksUser() codextest.Step {
	option := func(label string) map[string]any { return map[string]any{"label": label, "description": label} }
	return codextest.Step{Tool: "request_user_input", Arguments: map[string]any{"questions": []map[string]any{{
		"id": "day", "header": "Day", "question": "Which day?",
		"options": []map[string]any{option("Monday"), option("Tuesday")}}}}}
}
