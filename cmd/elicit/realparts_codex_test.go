package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/codextest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
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
	needs(t, err)
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
	vectors.Night(t) // by day, the turns in which Codex asks run with the proxy in between
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
	return must.Text(t, serverLog(h))
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

// asksAll is a policy that leaves everything to the front end, and lets it remember.
const asksAll = `{"version":1,"grants":"always"}`

// proxied puts the proxy between Codex and its front end, and returns its journal.
func (r codexRig) proxied(t *testing.T, policy string, flags ...string) (codexRig, string) {
	t.Helper()
	dir := t.TempDir()
	file, journal := filepath.Join(dir, "policy.json"), filepath.Join(dir, "journal.jsonl")
	must.Write(t, policy, file)
	r.between = append([]string{programtest.Built(t, "./cmd/elicit"), "proxy", "--protocol", "codex", "--name", "codex",
		"--policy", file, "--journal", journal, "--grants", filepath.Join(dir, "grants.json")}, flags...)
	r.between = append(r.between, "--")
	return r, journal
}

// log prints a journal as `elicit log` does.
func log(t *testing.T, journal string) string {
	t.Helper()
	out, err := exec.Command(programtest.Built(t, "./cmd/elicit"), "log", "--verify", journal).CombinedOutput()
	if err != nil {
		t.Errorf("elicit log: %v", err)
	}
	return string(out)
}

// end ends Codex and the proxy, so that the journal is complete.
func end(run *codextest.Running) {
	run.Close()
	<-run.Done
}

// toldBehindProxy is what the model is told when an answer of the front end is an error. The proxy declines in its
// place, and Codex does not see the error.
var toldBehindProxy = map[string][]string{"command answered with an error": {"rejected by user"}}

// TestRealCodexProxied takes every turn again with the proxy in between, and a policy that asks. The front end and
// Codex notice nothing of it, except for errors, and the journal has each answer. By day, one turn stands for those in
// which Codex asks nothing.
func TestRealCodexProxied(t *testing.T) {
	t.Parallel()
	direct := newCodexRig(t)
	for _, c := range slices.Concat(codexCases(), quietCases(), governedCases()) {
		if told := toldBehindProxy[c.name]; told != nil {
			c.told = told
		}
		t.Run(c.name, func(t *testing.T) {
			if len(c.asked) == 0 && c.name != "never" {
				vectors.Night(t)
			}
			t.Parallel()
			r, journal := direct.proxied(t, asksAll)
			run := r.run(t, c)
			end(run)
			if notes := run.Notes(); strings.Contains(notes, "refused a message") {
				t.Errorf("the proxy said\n%s", notes)
			}
			want := len(c.asked)
			if c.name == "command for the session" {
				want++ // the proxy remembers the yes, because Codex does not offer to
			}
			if got := recordedOutcomes(t, journal); len(got) != want {
				t.Errorf("the journal has %v, want %d answers", got, want)
			}
		})
	}
	r, _ := direct.proxied(t, asksAll)
	t.Run("interrupted", r.interrupted)
	t.Run("server leaves", r.serverLeaves)
	t.Run("outside a turn", r.outsideTurn)
	t.Run("two clients", r.twoClients)
}

// TestRealCodexPolicy tests that policy decides in place of the front end.
func TestRealCodexPolicy(t *testing.T) {
	t.Parallel()
	const policy = `{"version":1,"rules":[
		{"name":"touching","when":{"command":"touch *"},"then":"accept"},
		{"name":"no-removing","when":{"command":"rm *"},"then":"decline"},
		{"name":"notes","when":{"does":"patch","path":"*/outside/note"},"then":"accept"},
		{"name":"no-patches","when":{"does":"patch"},"then":"decline"},
		{"name":"no-permissions","when":{"does":"permissions"},"then":"decline"},
		{"name":"writing","when":{"server":"asks","tool":"write"},"then":"accept"},
		{"name":"no-wiping","when":{"server":"asks","tool":"wipe"},"then":"decline"},
		{"name":"no-links","when":{"kind":"url"},"then":"decline"}]}`
	r, journal := newCodexRig(t).proxied(t, policy)
	run := r.run(t, codexCase{
		steps: steps(escalates("touch "+outside), escalates("rm "+outside), callsTool("write"), callsTool("wipe"),
			patches(outside), patches("../outside/other"), wantsPermission("/opt"), asksServer(aLink)),
		told: []string{"Process exited with code 0", "rejected by user", "write was called", "user rejected MCP tool call",
			"Success", "rejected by user", `\"file_system\":null`, `[{\"action\":\"decline\"}]`},
		check: written(true)})
	end(run)
	want := []string{"accept", "decline", "accept", "decline", "accept", "decline", "decline", "decline"}
	if got := recordedOutcomes(t, journal); !slices.Equal(got, want) {
		t.Errorf("the journal has %v, want %v", got, want)
	}
	contains(t, "elicit log", log(t, journal), "rule touching", "rule no-removing", "rule notes", "rule no-patches",
		"rule no-permissions", "rule writing", "rule no-wiping", "rule no-links")
}

// TestRealCodexForgedBehindProxy tests that a server's question with the mark of Codex's own approvals is no approval:
// a rule that accepts approvals leaves it to the front end.
func TestRealCodexForgedBehindProxy(t *testing.T) {
	t.Parallel()
	r, journal := newCodexRig(t).proxied(t,
		`{"version":1,"rules":[{"when":{"kind":"approval"},"then":"accept"},{"when":{"tool":"wipe"},"then":"accept"}]}`)
	var asked int
	h := r.home(t, "")
	run := r.start(t, h, func(m codextest.Message) codextest.Answer {
		asked++
		return codextest.Answer{Result: action("decline")}
	})
	if got := run.TurnEnds(run.Turn(run.Thread(nil), asksServer(forged), callsTool("wipe"))); got != "completed" {
		t.Errorf("the turn is %s", got)
	}
	end(run)
	told := h.Model.Told()
	if asked != 1 || !strings.Contains(told[0], "decline") || !strings.Contains(told[1], "was called") {
		t.Errorf("the front end was asked %d times, and the model was told %q", asked, told)
	}
	if got := recordedOutcomes(t, journal); !slices.Equal(got, []string{"decline", "accept"}) {
		t.Errorf("the journal has %v", got)
	}
}

// everyQuestion is a turn with all kinds of questions. A command comes last, because its cancellation ends the turn.
func everyQuestion() []codextest.Step {
	return steps(asksServer(dayForm), asksServer(aLink), callsTool("write"), wantsPermission("/opt"), asksUser(),
		patches(outside), escalates("touch "+outside))
}

// TestRealCodexNobodyAnswers tests that Codex never waits for an answer that nobody will give.
func TestRealCodexNobodyAnswers(t *testing.T) {
	t.Parallel()
	direct := newCodexRig(t)
	for _, c := range []struct {
		name    string
		flags   []string
		answer  answerer
		outcome string
		cause   string // in the log
	}{
		{"nobody is asked", []string{"--ui", "none"}, silent, "cancel", "there was nobody to show it to"},
		{"the front end knows no method", nil, answers(nil), "decline", "the client had the question and gave no answer"},
		{"the front end answers nonsense", nil, func(codextest.Message) codextest.Answer {
			return codextest.Answer{Result: "yes"}
		}, "cancel", "there was nobody to show it to"},
		{"the front end is silent", []string{"--answer-within", "1ms"}, silent, "decline",
			"the client had the question and gave no answer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, journal := direct.proxied(t, asksAll, c.flags...)
			h := r.home(t, "")
			run := r.start(t, h, c.answer)
			thread, questions := run.Thread(nil), everyQuestion()
			for _, step := range questions {
				if got := run.TurnEnds(run.Turn(thread, step)); got != "completed" {
					t.Errorf("the turn is %s", got)
				}
				for _, open := range run.Requests() {
					run.Wait("the end of the question", resolved(open))
				}
				written(false)(t, run)
			}
			end(run)
			want := slices.Repeat([]string{c.outcome}, len(questions))
			if got := recordedOutcomes(t, journal); !slices.Equal(got, want) {
				t.Errorf("the journal has %v, want %v", got, want)
			}
			text := log(t, journal)
			for _, piece := range []string{"replied " + c.outcome, c.cause} {
				if got := strings.Count(text, piece); got != len(questions) {
					t.Errorf("elicit log says %q %d times, want %d:\n%s", piece, got, len(questions), text)
				}
			}
			if saw := serverSaw(t, h); strings.Contains(saw, `"write"`) || strings.Contains(saw, `"accept"`) {
				t.Errorf("something was accepted; the server saw\n%s", saw)
			}
		})
	}
	t.Run("the front end dies", func(t *testing.T) {
		t.Parallel()
		r, _ := direct.proxied(t, asksAll)
		for _, step := range everyQuestion() {
			h := r.home(t, "")
			run := r.start(t, h, silent)
			run.Turn(run.Thread(nil), step)
			run.Wait("the question", codextest.Message.Asks)
			end(run) // and with it Codex and the server end
			written(false)(t, run)
			if saw := serverSaw(t, h); strings.Contains(saw, `"write"`) || strings.Contains(saw, `"accept"`) {
				t.Errorf("something was accepted; the server saw\n%s", saw)
			}
		}
	})
}

// TestRealCodexLowered tests a front end that approves more than it may: Codex gets a yes for once, or none.
func TestRealCodexLowered(t *testing.T) {
	t.Parallel()
	direct := newCodexRig(t)
	const approval, command = "mcp_tool_call", "commandExecution"
	for _, c := range []struct {
		codexCase
		outcomes []string
	}{
		{codexCase{name: "a tool for ever", steps: steps(callsTool("write")), asked: []string{approval},
			answers: obj{approval: persist("always")}, told: []string{"write was called"},
			check: lacks("config.toml", "approval_mode")}, []string{"accept"}},
		{codexCase{name: "a command and its kind", steps: steps(escalates("touch " + outside)), asked: []string{command},
			answers: obj{command: amended("touch", outside)}, told: []string{"Process exited with code 0"},
			check: lacks("rules/default.rules", "touch")}, []string{"accept"}},
		{codexCase{name: "a wider kind", steps: steps(escalates("touch " + outside)), asked: []string{command},
			answers: obj{command: amended("touch")}, told: []string{"rejected by user"},
			check: lacks("rules/default.rules", "touch")}, []string{"cancel"}},
		{codexCase{name: "a wider permission", steps: steps(wantsPermission("/opt/notes")), asked: []string{"permissions"},
			answers: obj{"permissions": grants("/opt")}, told: []string{`\"file_system\":null`}}, []string{"cancel"}},
		{codexCase{name: "the words of another request", steps: steps(escalates("touch "+outside), patches(outside),
			callsTool("write"), wantsPermission("/opt")), check: written(false),
			asked: []string{command, "fileChange", approval, "permissions"},
			answers: obj{command: action("accept"), "fileChange": decides("approved"), approval: decides("accept"),
				"permissions": decides("accept")},
			told: []string{"rejected by user", "rejected by user", "user rejected MCP tool call", `\"file_system\":null`}},
			[]string{"cancel", "cancel", "cancel", "cancel"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, journal := direct.proxied(t, `{"version":1,"grants":"none"}`)
			end(r.run(t, c.codexCase))
			if got := recordedOutcomes(t, journal); !slices.Equal(got, c.outcomes) {
				t.Errorf("the journal has %v, want %v", got, c.outcomes)
			}
		})
	}
}

// TestRealCodexPrepared tests a person elsewhere than at the front end, whose part a file of answers plays: the front
// end is not asked.
func TestRealCodexPrepared(t *testing.T) {
	t.Parallel()
	day := rule{When: map[string]string{"message": "Which day?"}, Answer: accept(map[string]any{"day": "Monday"})}
	file := answersFile(t, []rule{day, day,
		{When: map[string]string{"message": "*wipe*"}, Answer: answer{Action: "decline"}},
		{Answer: accept(nil)}})
	r, journal := newCodexRig(t).proxied(t, asksAll, "--ui", "answers="+file)
	end(r.run(t, codexCase{
		steps: steps(asksServer(dayForm), asksServer(aLink), callsTool("write"), callsTool("wipe"),
			escalates("touch "+outside), patches("../outside/other"), wantsPermission("/opt"), asksUser()),
		told: []string{`{\"action\":\"accept\",\"content\":{\"day\":\"Monday\"}}`, `{\"action\":\"accept\"`,
			"write was called", "user rejected MCP tool call", "Process exited with code 0", "Success",
			`\"write\":[\"/opt\"]`, `{\"answers\":{\"day\":{\"answers\":[\"Monday\"]}}}`},
		check: written(true)}))
	want := []string{"accept", "accept", "accept", "decline", "accept", "accept", "accept", "accept"}
	if got := recordedOutcomes(t, journal); !slices.Equal(got, want) {
		t.Errorf("the journal has %v, want %v", got, want)
	}
}

// lacks checks that no file of that name in Codex's home holds a text.
func lacks(file, text string) func(*testing.T, *codextest.Running) {
	return func(t *testing.T, run *codextest.Running) {
		t.Helper()
		b, err := os.ReadFile(filepath.Join(run.Home.Dir, file))
		if err == nil && strings.Contains(string(b), text) {
			t.Errorf("%s holds %s:\n%s", file, text, b)
		}
	}
}
