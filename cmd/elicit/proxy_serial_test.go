package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
)

// serialServer asks about each call of one of its tools, and answers the call once it has the answer.
const serialServer = `{"when":{"tool":"restart"},"times":0,"say":[` + serialQuestion + `]}
{"when":{"tool":"remove"},"times":0,"say":[` + serialQuestion + `]}
{"when":{"tool":"status"},"times":0,"say":[` + serialQuestion + `]}
{"when":{"tool":"late"},"times":0,"say":[{"jsonrpc":"2.0","id":"$id","result":{"content":[]}},` + serialQuestion + `]}
{"when":{"answer":"*"},"times":0,"say":[{"jsonrpc":"2.0","id":"$call","result":{"content":[]}}]}
`

const serialQuestion = `{"jsonrpc":"2.0","id":"$id","method":"elicitation/create",` +
	`"params":{"message":"Go on?","requestedSchema":{"type":"object","properties":{}}}}`

// serialCalls calls the tools one right after the other, through a proxy that leaves the questions to the client. It
// returns the journal.
func serialCalls(t *testing.T, tools []string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	script, journal := filepath.Join(dir, "script"), filepath.Join(dir, "journal")
	if err := os.WriteFile(script, []byte(serialServer), 0o600); err != nil {
		t.Fatal(err)
	}
	words := append([]string{"proxy", "--name", "crm", "--ui", "client", "--journal", journal}, flags...)
	words = append(words, "--", programtest.Built(t, "./testdata/rawserver"), script)
	now := ""                      // the tool that is called
	answered := make(chan bool, 1) // of the tool that asks late
	client := mcp.NewClient(&mcp.Implementation{Name: "serial", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			if now == "late" {
				answered <- true
			}
			if now == "remove" {
				return &mcp.ElicitResult{Action: "decline"}, nil
			}
			return &mcp.ElicitResult{Action: "accept"}, nil
		}})
	cmd := exec.Command(programtest.Built(t, "./cmd/elicit"), words...)
	var notes bytes.Buffer
	cmd.Stderr = &notes
	session, err := client.Connect(context.Background(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, tool := range tools {
		now = tool
		if _, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool}); err != nil {
			t.Fatalf("call %d, of %s: %v\n%s", i, tool, err, notes.String())
		}
		if tool == "late" { // its question comes behind its result
			<-answered
		}
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	return journal
}

// toolsAsked lists the tool of each question in a journal, "" for none.
func toolsAsked(t *testing.T, journal string) (tools []string) {
	t.Helper()
	text, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if record := gjson.Parse(line); record.Get("event.event").Str == "asked" {
			tools = append(tools, record.Get("event.tool").Str)
		}
	}
	return tools
}

// TestSerialCallsHaveTheirQuestions: a client that makes one call right after the other has each question with its
// tool, and a policy can be learned from the answers.
func TestSerialCallsHaveTheirQuestions(t *testing.T) {
	t.Parallel()
	var tools []string
	for i := range 40 {
		tools = append(tools, []string{"restart", "remove", "status"}[i%3])
	}
	journal := serialCalls(t, tools)
	if got := toolsAsked(t, journal); fmt.Sprint(got) != fmt.Sprint(tools) {
		t.Errorf("the questions have the tools\n%q, want\n%q", got, tools)
	}
	out, err := exec.Command(programtest.Built(t, "./cmd/elicit"), "learn", journal).Output()
	if err != nil {
		t.Fatalf("learn: %v", err)
	}
	rules := gjson.GetBytes(out, "rules").Array()
	found := map[string]string{}
	for _, rule := range rules {
		found[rule.Get("when.tool").Str] = rule.Get("then").Str
	}
	if len(rules) != 3 || found["remove"] != "decline" || found["restart"] != "accept" || found["status"] != "accept" {
		t.Errorf("learned\n%s", out)
	}
}

// TestARuleHoldsRightAfterAnotherTool: a rule for one tool answers the question of a call that follows another.
func TestARuleHoldsRightAfterAnotherTool(t *testing.T) {
	t.Parallel()
	policy := filepath.Join(t.TempDir(), "policy.json")
	text := `{"version":1,"rules":[{"name":"again","when":{"tool":"restart"},"then":"accept"},` +
		`{"name":"rest","when":{},"then":"decline"}]}`
	if err := os.WriteFile(policy, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	journal := serialCalls(t, []string{"remove", "restart", "status", "restart"}, "--policy", policy)
	out, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	var outcomes []string
	for line := range strings.Lines(string(out)) {
		if reply := gjson.Get(line, `effects.#(effect=="reply")`); reply.Exists() {
			outcomes = append(outcomes, reply.Get("outcome").Str)
		}
	}
	if fmt.Sprint(outcomes) != "[decline accept decline accept]" {
		t.Errorf("outcomes %q\n%s", outcomes, out)
	}
}

// TestAServerThatAsksLateIsRemembered: after a question that came behind the answer to its call, a question right after
// another tool's answer names no tool.
func TestAServerThatAsksLateIsRemembered(t *testing.T) {
	t.Parallel()
	got := toolsAsked(t, serialCalls(t, []string{"remove", "restart", "late", "restart"}))
	if len(got) != 4 || got[0] != "remove" || got[1] != "restart" || got[2] != "" || got[3] != "" {
		t.Errorf("the questions have the tools %q, want only the first two to have one", got)
	}
}
