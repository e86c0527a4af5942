package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/codextest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
)

// asksAll is a policy that leaves everything to the front end, and lets it remember.
const asksAll = `{"version":1,"grants":"always"}`

// proxied puts the proxy between Codex and its front end, and returns its journal.
func (r codexRig) proxied(t *testing.T, policy string, flags ...string) (codexRig, string) {
	t.Helper()
	dir := t.TempDir()
	file, journal := filepath.Join(dir, "policy.json"), filepath.Join(dir, "journal.jsonl")
	if err := os.WriteFile(file, []byte(policy), 0o600); err != nil {
		t.Fatal(err)
	}
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
// Codex notice nothing of it, except for errors, and the journal has each answer.
func TestRealCodexProxied(t *testing.T) {
	t.Parallel()
	direct := newCodexRig(t)
	for _, c := range slices.Concat(codexCases(), quietCases(), governedCases()) {
		if told := toldBehindProxy[c.name]; told != nil {
			c.told = told
		}
		t.Run(c.name, func(t *testing.T) {
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
