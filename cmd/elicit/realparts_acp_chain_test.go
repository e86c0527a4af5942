package main_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRealChain tests the proxy as a part of a chain that the conductor of the ACP project runs, between an agent and a
// client on the official TypeScript SDK.
func TestRealChain(t *testing.T) {
	t.Parallel()
	p := agentParts(t)
	foreign{missing: p.stamped("conductor", "conductor")}.need(t)
	const allSteps = "permit read a.txt\nannounce delete b.txt\npermit execute make\nask\nread"
	const yes, no = `{"said":{"outcome":"selected","optionId":"yes"}}`, `{"said":{"outcome":"selected","optionId":"no"}}`
	const yes2, no2 = `{"said":{"optionId":"yes","outcome":"selected"}}`, `{"said":{"optionId":"no","outcome":"selected"}}`
	const cancelled, end = `{"said":{"outcome":"cancelled"}}`, `{"stopReason":"end_turn"}`
	for _, test := range []struct {
		name, answer, prompt string
		version              string // of the agent and the client
		proxies              int
		want                 []string
		outcomes             [][]string // in the journal of each proxy
	}{
		{name: "one", answer: "yes", prompt: allSteps, proxies: 1, want: []string{yes, no, `{"asked":"make"}`, yes,
			`{"asked":"Which day?"}`, `{"said":{"action":"accept","content":{"day":"Monday"}}}`, `{"said":{"content":"/a"}}`,
			end}, outcomes: [][]string{{"accept", "decline", "accept", "accept"}}},
		{name: "two", answer: "no", prompt: allSteps, proxies: 2, want: []string{yes, no, `{"asked":"make"}`, no,
			`{"asked":"Which day?"}`, `{"said":{"action":"decline"}}`, `{"said":{"content":"/a"}}`, end},
			outcomes: [][]string{{"decline", "decline"}, {"accept", "decline", "decline", "decline"}}},
		{name: "unknown option", answer: "maybe", prompt: "permit execute make", proxies: 1, want: []string{
			`{"asked":"make"}`, cancelled, end}, outcomes: [][]string{{"cancel"}}},
		{name: "agent withdraws", answer: "wait", prompt: "withdraw execute make", proxies: 1, want: []string{
			`{"asked":"make"}`, `{"withdrawn":"make"}`, cancelled, end}},
		{name: "client cancels the turn", answer: "cancel", prompt: "permit execute make\npermit read a.txt", proxies: 1,
			want: []string{`{"asked":"make"}`, cancelled, cancelled, end}},
		{name: "version 2", version: "-v2", answer: "yes", proxies: 2,
			prompt:   "permit read a.txt\npermit delete b.txt\nrun ls",
			want:     []string{yes2, no2, `{"asked":"ls","about":"command","options":3}`, yes2, end},
			outcomes: [][]string{{"accept"}, {"accept", "decline", "accept"}}},
		{name: "version 2, cancelled", version: "-v2", answer: "cancel", prompt: "run ls\npermit read a.txt", proxies: 1,
			want: []string{`{"asked":"ls","about":"command","options":3}`, `{"withdrawn":"ls"}`, cancelled, cancelled,
				`{"stopReason":"cancelled"}`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			policy := filepath.Join(dir, "policy.json")
			if err := os.WriteFile(policy, []byte(acpPolicy), 0o600); err != nil {
				t.Fatal(err)
			}
			line := []string{filepath.Join(p.drivers, "conductor/bin/agent-client-protocol-conductor"), "agent"}
			var journals []string
			for i := range test.proxies {
				journal := filepath.Join(dir, string(rune('a'+i))+".jsonl")
				journals = append(journals, journal)
				proxy := []string{p.elicit, "proxy", "--protocol", "acp", "--acp-chain", "--name", "agent",
					"--journal", journal,
					"--grants", filepath.Join(dir, "grants.json")}
				if i == test.proxies-1 { // the one beside the agent decides
					proxy = append(proxy, "--policy", policy)
				} else {
					proxy = append(proxy, "--policy", "none")
				}
				line = append(line, strings.Join(proxy, " "))
			}
			agent := "node " + filepath.Join(p.drivers, "acp/agent"+test.version+".mjs")
			got := p.runClient(t, test.version, test.answer, test.prompt, append(line, agent)...)
			slices.Sort(got) // because the SDK gives messages to their handlers in no fixed order
			slices.Sort(test.want)
			if !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			for i, want := range test.outcomes {
				if outcomes := recordedOutcomes(t, journals[i]); !slices.Equal(outcomes, want) {
					t.Errorf("journal %d has %v, want %v", i, outcomes, want)
				}
			}
		})
	}
}
