package main_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// acpPolicyV2 decides a command and a kind of tool call, and leaves the others to the client.
const acpPolicyV2 = `{"version":1,"rules":[
	{"name":"make","when":{"server":"agent","command":"make*","cwd":"/w"},"then":"accept"},
	{"name":"no-delete","when":{"server":"agent","tool":"delete","message":"*.txt*"},"then":"decline"}]}`

// TestRealAgentV2 tests the proxy between an agent and a client on the official TypeScript SDK, whose entry for version
// 2 of the protocol is experimental.
func TestRealAgentV2(t *testing.T) {
	t.Parallel()
	p := agentParts(t)
	const allSteps = "run make\nrun ls\npermit delete b.txt\nannounce delete c.txt\nother\ncustom\nask"
	const yes, no = `{"said":{"optionId":"yes","outcome":"selected"}}`, `{"said":{"optionId":"no","outcome":"selected"}}`
	const cancelled = `{"said":{"outcome":"cancelled"}}`
	asked := []string{`{"asked":"ls","about":"command","options":3}`, `{"asked":"go on","options":3}`,
		`{"asked":"deploy","about":"_deploy","options":3}`, `{"asked":"Which day?"}`}
	for _, test := range []struct {
		name, answer, prompt string
		off                  bool // with --acp-v2=false
		want                 []string
		outcomes             []string // in the journal
	}{
		{name: "yes", answer: "yes", prompt: allSteps, want: slices.Concat(asked, []string{yes, yes, no, no, yes, yes,
			`{"said":{"content":{"day":"Monday"},"action":"accept"}}`, `{"stopReason":"end_turn"}`}),
			outcomes: []string{"accept", "accept", "decline", "decline", "accept", "accept", "accept"}},
		{name: "an outcome of its own", answer: "custom", prompt: allSteps, want: slices.Concat(asked, []string{yes,
			cancelled, no, no, cancelled, cancelled, `{"said":{"action":"decline"}}`, `{"stopReason":"end_turn"}`}),
			outcomes: []string{"accept", "cancel", "decline", "decline", "cancel", "cancel", "decline"}},
		{name: "an option of an unknown kind", answer: "hour", prompt: "run ls", want: []string{asked[0], cancelled,
			`{"stopReason":"end_turn"}`}, outcomes: []string{"cancel"}},
		{name: "cancel", answer: "cancel", prompt: "run ls\nrun make", want: []string{asked[0], `{"withdrawn":"ls"}`,
			cancelled, cancelled, `{"stopReason":"cancelled"}`}},
		{name: "off", answer: "yes", prompt: "run make\nask", off: true, want: []string{`{"said":{"error":-32600}}`,
			`{"said":{"error":-32600}}`, `{"stopReason":"end_turn"}`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			policy, journal := filepath.Join(dir, "policy.json"), filepath.Join(dir, "journal.jsonl")
			if err := os.WriteFile(policy, []byte(acpPolicyV2), 0o600); err != nil {
				t.Fatal(err)
			}
			line := []string{p.elicit, "proxy", "--protocol", "acp", "--name", "agent", "--policy", policy,
				"--journal", journal, "--grants", filepath.Join(dir, "grants.json"), "--"}
			if test.off {
				line = slices.Insert(line, 2, "--acp-v2=false")
			}
			got := p.runAgent(t, "-v2", test.answer, test.prompt, line...)
			slices.Sort(got) // because the SDK gives messages to their handlers in no fixed order
			slices.Sort(test.want)
			if !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			if outcomes := recordedOutcomes(t, journal); test.outcomes != nil && !slices.Equal(outcomes, test.outcomes) {
				t.Errorf("the journal has %v, want %v", outcomes, test.outcomes)
			}
		})
	}
	t.Run("without the proxy", func(t *testing.T) { // so that the parts themselves do what the other runs expect of them
		t.Parallel()
		got := p.runAgent(t, "-v2", "hour", "permit delete b.txt")
		want := []string{`{"asked":"b.txt","about":"tool_call","options":4}`,
			`{"said":{"optionId":"hour","outcome":"selected"}}`, `{"stopReason":"end_turn"}`}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("got %v", got)
		}
	})
}
