package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// acpPolicy decides two kinds of tool calls and leaves the others to the client.
const acpPolicy = `{"version":1,"rules":[
	{"name":"reads","when":{"server":"agent","tool":"read"},"then":"accept"},
	{"name":"no-delete","when":{"server":"agent","tool":"delete"},"then":"decline"}]}`

// TestRealAgent tests the proxy between an agent and a client on the official TypeScript SDK of the Agent Client
// Protocol. What the agent does not ask passes, and what it asks is decided by policy or by the client.
func TestRealAgent(t *testing.T) {
	t.Parallel()
	p := agentParts(t)
	const allSteps = "permit read a.txt\npermit delete b.txt\npermit execute make\nask\nread"
	for _, test := range []struct {
		name, answer, prompt string
		grants               string // of the policy; "" for the default
		want                 []string
		outcomes             []string // in the journal
	}{
		{name: "yes", answer: "yes", prompt: allSteps, want: []string{
			`{"said":{"outcome":"selected","optionId":"yes"}}`, `{"said":{"outcome":"selected","optionId":"no"}}`,
			`{"asked":"make"}`, `{"said":{"outcome":"selected","optionId":"yes"}}`,
			`{"asked":"Which day?"}`, `{"said":{"action":"accept","content":{"day":"Monday"}}}`, `{"said":{"content":"/a"}}`},
			outcomes: []string{"accept", "decline", "accept", "accept"}},
		{name: "no", answer: "no", prompt: allSteps, want: []string{
			`{"said":{"outcome":"selected","optionId":"yes"}}`, `{"said":{"outcome":"selected","optionId":"no"}}`,
			`{"asked":"make"}`, `{"said":{"outcome":"selected","optionId":"no"}}`,
			`{"asked":"Which day?"}`, `{"said":{"action":"decline"}}`, `{"said":{"content":"/a"}}`},
			outcomes: []string{"accept", "decline", "decline", "decline"}},
		{name: "always is lowered, and asked once", answer: "always", prompt: "permit execute make\npermit execute make",
			want: []string{`{"asked":"make"}`, `{"said":{"outcome":"selected","optionId":"yes"}}`,
				`{"said":{"outcome":"selected","optionId":"yes"}}`},
			outcomes: []string{"accept", "accept"}},
		{name: "always", answer: "always", grants: "always", prompt: "permit execute make",
			want:     []string{`{"asked":"make"}`, `{"said":{"outcome":"selected","optionId":"always"}}`},
			outcomes: []string{"accept"}},
		{name: "announced", answer: "yes", prompt: "announce delete b.txt\nannounce read a.txt",
			want: []string{`{"said":{"outcome":"selected","optionId":"no"}}`,
				`{"said":{"outcome":"selected","optionId":"yes"}}`},
			outcomes: []string{"decline", "accept"}},
		{name: "unknown option", answer: "maybe", prompt: "permit execute make",
			want: []string{`{"asked":"make"}`, `{"said":{"outcome":"cancelled"}}`}, outcomes: []string{"cancel"}},
		{name: "agent withdraws", answer: "wait", prompt: "withdraw execute make",
			want: []string{`{"asked":"make"}`, `{"withdrawn":"make"}`, `{"said":{"outcome":"cancelled"}}`}},
		{name: "client cancels the turn", answer: "cancel", prompt: "permit execute make\npermit read a.txt",
			want: []string{`{"asked":"make"}`, `{"said":{"outcome":"cancelled"}}`, `{"said":{"outcome":"cancelled"}}`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			policy, journal := filepath.Join(dir, "policy.json"), filepath.Join(dir, "journal.jsonl")
			text := acpPolicy
			if test.grants != "" {
				text = strings.Replace(text, `"version":1,`, `"version":1,"grants":"`+test.grants+`",`, 1)
			}
			if err := os.WriteFile(policy, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			got := p.runAgent(t, "", test.answer, test.prompt, p.elicit, "proxy", "--protocol", "acp", "--name", "agent",
				"--policy", policy, "--journal", journal, "--grants", filepath.Join(dir, "grants.json"), "--")
			want := append(test.want, `{"stopReason":"end_turn"}`)
			slices.Sort(got) // because the SDK gives messages to their handlers in no fixed order
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if outcomes := recordedOutcomes(t, journal); test.outcomes != nil && !slices.Equal(outcomes, test.outcomes) {
				t.Errorf("the journal has %v, want %v", outcomes, test.outcomes)
			}
		})
	}
	t.Run("without the proxy", func(t *testing.T) { // so that the parts themselves do what the other runs expect of them
		t.Parallel()
		got := p.runAgent(t, "", "yes", "permit delete b.txt")
		want := []string{`{"asked":"b.txt"}`, `{"said":{"outcome":"selected","optionId":"yes"}}`, `{"stopReason":"end_turn"}`}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("got %v", got)
		}
	})
}

// agentParts builds the command and finds the agents and clients that run in Node.
func agentParts(t *testing.T) parts {
	t.Helper()
	root := realParts(t)
	p := buildElicit(t)
	p.drivers, p.node = root, nodeReady(root)
	p.needNode(t)
	return p
}

// runAgent runs the client and the agent of a version, with a command in between, and returns the lines that the client
// printed.
func (p parts) runAgent(t *testing.T, version, answer, prompt string, between ...string) []string {
	t.Helper()
	agent := filepath.Join(p.drivers, "acp/agent"+version+".mjs")
	return p.runClient(t, version, answer, prompt, append(between, "node", agent)...)
}

// runClient runs the client of a version with the command of an agent.
func (p parts) runClient(t *testing.T, version, answer, prompt string, command ...string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	line := append([]string{filepath.Join(p.drivers, "acp/client"+version+".mjs"), answer, prompt}, command...)
	cmd := exec.CommandContext(ctx, "node", line...)
	var out, notes bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &notes
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, out.String(), notes.String())
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}

// recordedOutcomes lists the outcomes of all replies in a journal.
func recordedOutcomes(t *testing.T, journal string) (list []string) {
	t.Helper()
	text, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var record struct {
			Effects []struct{ Effect, Outcome string }
		}
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatal(err)
		}
		for _, e := range record.Effects {
			if e.Effect == "reply" {
				list = append(list, e.Outcome)
			}
		}
	}
	return list
}
