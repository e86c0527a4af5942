package main_test

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/agenttest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
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
			must.Write(t, text, policy)
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
	for line := range strings.Lines(must.Text(t, journal)) {
		var record struct {
			Effects []struct{ Effect, Outcome string }
		}
		must.Unmarshal(t, line, &record)
		for _, e := range record.Effects {
			if e.Effect == "reply" {
				list = append(list, e.Outcome)
			}
		}
	}
	return list
}

// TestRealChain tests the proxy as a part of a chain that the conductor of the ACP project runs, between an agent and a
// client on the official TypeScript SDK.
func TestRealChain(t *testing.T) {
	t.Parallel()
	p := agentParts(t)
	missing := p.stamped("conductor", "conductor")
	if missing != nil && !vectors.Nightly() {
		t.Skipf("./build.sh nightly runs this test, because the conductor takes minutes to compile: %v", missing)
	}
	needs(t, missing)
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
			policy := must.Write(t, acpPolicy, dir, "policy.json")
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
			must.Write(t, acpPolicyV2, policy)
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

// TestRealOpencode sits before the real opencode and at `elicit answer`. Its questions are answered there, and rules
// decide what it wants to be allowed. It skips the test if opencode is not on the path, because setup.sh does not
// install it.
func TestRealOpencode(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("opencode")
	if err != nil {
		t.Skip("opencode is not on the path; npm has it as opencode-ai")
	}
	elicit := programtest.Built(t, "./cmd/elicit")
	h := agenttest.Opencode().NewHome(t, []string{program})
	question := asksPerson()
	question.Tool = "question"
	for _, one := range question.Arguments.(map[string]any)["questions"].([]map[string]any) {
		one["multiple"] = one["multiSelect"]
	}
	h.Runtime = must.ShortDir(t)
	h.Model = agenttest.NewModel(t, question, question, h.Agent.Step("touch "+h.Project+"/made-yes"),
		h.Agent.Step("mkdir "+h.Project+"/made-no"), question)
	plugin, err := exec.Command(elicit, "hook", "--print-config", "opencode").Output()
	if err == nil {
		err = h.Write(".config/opencode/plugin/elicit.js", string(plugin))
	}
	if err == nil {
		err = h.Write(".config/elicit/policy.json", `{"version":1,"rules":[
			{"name":"no-mkdir","when":{"command":"mkdir *"},"then":"decline"},
			{"when":{"command":"touch *"},"then":"accept"},{"when":{"tool":"question"},"then":"ask"}]}`)
	}
	must.OK(t, err)
	desk := deskOf(t, elicit, h.Project, h.Environ())
	a := attend(t, h)
	answer := func(keys ...string) {
		desk.Wait("opencode asks, running question", "Friday: about Friday", "Let the agent decide")
		desk.Keys(keys...)
		desk.Gone("opencode asks")
	}
	answer("Down", "Tab", "Tab", "Space", "Down", "Space", "C-s")
	answer("Down", "Down", "Down", "Tab", "Tab", "Space", "C-s")
	answer("C-x")
	a.terminal.Gone("esc dismiss")
	told := strings.ReplaceAll(strings.Join(a.told(), "\n"), `\"`, `"`)
	for _, words := range []string{`"Which day?"="Monday", "Which parts?"="client, data, and logs"`,
		`"Which day?"="Unanswered", "Which parts?"="client"`, "no-mkdir"} {
		if !strings.Contains(told, words) {
			t.Errorf("the model was not told %s", words)
		}
	}
	if found := made(t, h.Project); !found["yes"] || found["no"] || strings.Contains(told, "Friday") {
		t.Errorf("these were made: %v; the model was told %s", found, told)
	}
}
