package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/terminaltest"
)

// callTool is a small MCP client that cannot elicit. `calltool TOOL COMMAND…` prints the tool's text. Its pipes carry
// MCP, so the proxy between it and the server has only the controlling terminal to ask on.
func callTool() {
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "calltool", Version: "1"}, nil)
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stderr = os.Stderr
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		fmt.Println("connect:", err)
		return
	}
	defer session.Close()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: os.Args[1]})
	if err != nil {
		fmt.Println("call:", err)
		return
	}
	for _, c := range result.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			fmt.Println("said:", text.Text)
		}
	}
}

// call runs a tool of the demonstration server behind `elicit proxy --ui terminal`, in a terminal.
func call(t *testing.T, tool string, serverFlags ...string) *terminaltest.Terminal {
	t.Helper()
	return callBehind(t, "elicit proxy --name demo", tool, serverFlags...)
}

// callBehind is call with the command line of the proxy.
func callBehind(t *testing.T, proxy, tool string, serverFlags ...string) *terminaltest.Terminal {
	t.Helper()
	server := programtest.DemoServer(t)
	words := append([]string{"calltool", tool, proxy + " --", server}, serverFlags...)
	return terminaltest.Open(t, 90, 60,
		"export XDG_CONFIG_HOME="+t.TempDir()+"; "+strings.Join(words, " ")+"; echo call ended")
}

func TestProxyAsksOnTheTerminal(t *testing.T) {
	t.Parallel()
	p := call(t, "deploy")
	p.Wait("demo asks, running deploy", "Deploy shop to production?",
		"Accept     Accept for this session     Decline     Cancel     Decline and mute")
	p.Keys("C-x")
	p.Wait("said: Declined: nothing was done.", "call ended")
}

// TestTheTerminalTellsWhatThePersonSaw: the log of a question on the terminal knows when it was drawn.
func TestTheTerminalTellsWhatThePersonSaw(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "journal")
	p := callBehind(t, "elicit proxy --name demo --journal "+journal, "deploy")
	p.Wait("demo asks, running deploy")
	p.Keys("C-x")
	p.Wait("call ended")
	out, err := exec.Command("elicit", "log", "--verify", journal).CombinedOutput()
	want := []string{"the question is on the screen", "the person began to answer", "it was shown for"}
	for _, line := range want {
		if err != nil || !strings.Contains(string(out), line) {
			t.Fatalf("%v: the log does not say %q:\n%s", err, line, out)
		}
	}
}

func TestProxyTakesAWithdrawnQuestionOffTheTerminal(t *testing.T) {
	t.Parallel()
	p := call(t, "slow", "-protocol", "2025-11-25")
	p.Wait("demo asks, running slow")
	// The server's word that it takes the question back may come after the end of the call, and with it our own.
	p.Wait("elicit: the question of demo is gone: ", "call ended")
}

func TestProxyLeavesTheTerminalWhenItsServerDies(t *testing.T) {
	t.Parallel()
	p := call(t, "crash", "-protocol", "2025-11-25")
	screen := p.Wait("call ended")
	if strings.Contains(screen, "demo asks") {
		t.Errorf("the question of a dead server is still there:\n%s", screen)
	}
}

func TestProxyAsksTwoQuestionsInTurn(t *testing.T) {
	t.Parallel()
	p := call(t, "two")
	p.Wait("demo asks, running two", "First question")
	p.Keys("Escape")
	p.Wait("demo asks, running two", "Second question")
	p.Keys("Escape")
	p.Wait("said:", "call ended")
}

// TestProxyRemembersForEver: the person agrees always to a question in one run. The next run does not ask again.
// Another program of the same name that asks the same is asked about. After a revocation the first program asks again.
func TestProxyRemembersForEver(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	policy := filepath.Join(dir, "policy.json")
	if err := os.WriteFile(policy, []byte(`{"version":1,"grants":"always"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	server := programtest.DemoServer(t)
	run := "calltool deploy elicit proxy --name demo --policy " + policy + " -- " + server + " -protocol 2025-11-25"
	other := strings.Replace(run, server, filepath.Join(dir, "other"), 1)
	p := terminaltest.Open(t, 100, 60, "export XDG_CONFIG_HOME="+dir+"; "+
		run+"; echo first ended; "+run+"; echo second ended; read next;"+
		" cp "+server+" "+filepath.Join(dir, "other")+"; "+other+"; echo other ended; elicit grants list | cut -c 1-90;"+
		" elicit grants revoke --all; "+run+"; echo third ended; stat -c %a $XDG_CONFIG_HOME/elicit/grants.json")
	p.Wait("demo asks, running deploy", "Accept for this session     Accept always")
	p.Keys("Right", "Right", "Right")
	p.Wait("[Accept always]")
	p.Keys("Enter")
	p.Wait("first ended", "second ended")
	p.Keys("Enter") // only now, because the next question covers the screen
	p.Wait("demo asks, running deploy")
	p.Keys("C-x")
	p.Wait("other ended", "demo/deploy  always  Deploy shop to production?",
		"answers only "+server[:min(len(server), 40)], "revoked ")
	p.Wait("demo asks, running deploy")
	p.Keys("C-x")
	screen := p.Wait("third ended", "600")
	if n := strings.Count(screen, "Declined: nothing was done."); n != 2 {
		t.Errorf("declined %d times, want twice:\n%s", n, screen)
	}
}
