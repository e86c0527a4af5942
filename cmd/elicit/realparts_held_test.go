package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// heldCall is what the server of testdata/realparts/held wrote about one tools/call, or about one deletion.
type heldCall struct {
	Call, Done json.RawMessage
	State      string
	Task       json.RawMessage
}

// TestHeldCallsRunAsTheyWereAccepted: with official SDKs of 2026-07-28 as clients, the server gets what the person
// accepted or typed, in every round. The outcome is read in the log of the server.
func TestHeldCallsRunAsTheyWereAccepted(t *testing.T) {
	t.Parallel()
	p := parts{elicit: buildElicit(t).elicit, drivers: realParts(t)}
	p.node = nodeReady(p.drivers)
	p.needNode(t)
	clients := map[string][]string{"ts2": {"node", filepath.Join(p.drivers, "held/client.mjs")}}
	if p.stamped("Python", "venv") == nil {
		clients["python2"] = []string{p.pythonServer()[0], filepath.Join(p.drivers, "held/client.py")}
	} else if os.Getenv("CI") == "true" {
		t.Fatal("the Python packages are not installed; run testdata/realparts/setup.sh")
	}
	for name, client := range clients {
		for _, by := range []string{"none", "roots", "sampling", "form", "url", "twice"} {
			for _, edited := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/edited=%v", name, by, edited), func(t *testing.T) {
					t.Parallel()
					asked := `{"path":"/home/me","by":"` + by + `"}`
					accepted, yes := asked, heldAnswer{Action: "accept"}
					if edited {
						accepted = `{"path":"/tmp/me","by":"` + by + `"}`
						yes.Arguments = json.RawMessage(accepted)
					}
					server, log, journal := p.heldServer(t, yes)
					command := append(append(client[1:len(client):len(client)], "1", asked), server...)
					out, err := exec.Command(client[0], command...).CombinedOutput()
					if err != nil {
						t.Fatalf("%v: %s", err, clip(string(out)))
					}
					calls := readHeld(t, log)
					for _, c := range calls {
						if got := string(c.Call) + string(c.Done); got != accepted {
							t.Errorf("the server got %s, and %s was accepted", got, accepted)
						}
					}
					rounds := map[string]int{"none": 0, "twice": 2}
					want := 2 + 1
					if n, special := rounds[by]; special {
						want = n + 2
					}
					if len(calls) != want || calls[len(calls)-1].Done == nil {
						t.Errorf("the server has %d lines, want %d: %s", len(calls), want, out)
					}
					p.checkRecordedCalls(t, journal, want-1)
				})
			}
		}
	}
}

// checkRecordedCalls checks that the journals replay and have every call that the server got, with one digest. The
// TypeScript SDK starts a server twice, and the second run has a journal of its own.
func (p parts) checkRecordedCalls(t *testing.T, journal string, want int) {
	t.Helper()
	digests, sent := map[string]bool{}, 0
	files, _ := filepath.Glob(journal + "*")
	for _, file := range files {
		if filepath.Ext(file) == ".lock" {
			continue
		}
		if out, err := exec.Command(p.elicit, "replay", file).CombinedOutput(); err != nil {
			t.Errorf("%s does not replay: %v: %s", file, err, out)
		}
		records, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(records)) {
			var record struct {
				Event struct{ Event, Tool, Digest string }
			}
			if json.Unmarshal([]byte(line), &record) == nil && record.Event.Event == "called" {
				sent++
				digests[record.Event.Tool+" "+record.Event.Digest] = true
			}
		}
	}
	if sent != want || len(digests) != 1 {
		t.Errorf("the journal has %d calls with the digests %v, want %d calls with one", sent, digests, want)
	}
}

// heldAnswer is a prepared answer about a held call.
type heldAnswer struct {
	Action    string          `json:"action"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// heldServer is the server behind a proxy that holds calls. It returns the command, the log and the journal.
func (p parts) heldServer(t *testing.T, a heldAnswer) (command []string, log, journal string) {
	dir := t.TempDir()
	log, journal = filepath.Join(dir, "log"), filepath.Join(dir, "journal")
	rules := []rule{{When: map[string]string{"message": "delete:*"}, Answer: a}, {Answer: accept(nil)}}
	server := []string{"node", filepath.Join(p.drivers, "held/server.mjs"), log}
	return p.behind("answers="+answersFile(t, rules), server, "--hold-calls", "--journal", journal), log, journal
}

func readHeld(t *testing.T, log string) (calls []heldCall) {
	t.Helper()
	text, err := os.ReadFile(log)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var c heldCall
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		calls = append(calls, c)
	}
	return calls
}

// TestAnAlteringClientRunsNothingElse: a client that changes its call in the retry, swaps the tokens of two calls,
// leaves out the id or asks for a task gets no other call to the server than those that were accepted.
func TestAnAlteringClientRunsNothingElse(t *testing.T) {
	t.Parallel()
	p := parts{elicit: buildElicit(t).elicit, drivers: realParts(t)}
	p.node = nodeReady(p.drivers)
	p.needNode(t)
	server, log, _ := p.heldServer(t, heldAnswer{Action: "accept"})
	l := openLines(t, server)
	call := func(id, path, more string) string {
		if id != "" {
			id = `"id":` + id + `,`
		}
		return `{"jsonrpc":"2.0",` + id + `"method":"tools/call","params":{"name":"delete","arguments":{"path":"` + path +
			`","by":"roots"},` + more + `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
			`"io.modelcontextprotocol/clientCapabilities":{"roots":{}}}}}`
	}
	token := func(id, path string) string {
		l.say(call(id, path, ""))
		got, _ := l.until(id)
		var r struct{ Result struct{ RequestState string } }
		if err := json.Unmarshal([]byte(got), &r); err != nil || r.Result.RequestState == "" {
			t.Fatalf("no round: %s", got)
		}
		return `"inputResponses":{"k":{"roots":[]}},"requestState":"` + r.Result.RequestState + `",`
	}
	a, b := token("1", "/tmp/a"), token("2", "/tmp/b")
	l.say(call("", "/home/me", ""), call("", "/home/me", a), "["+call("", "/home/me", "")+"]")
	altered := []string{call("3", "/home/me", a), call("4", "/tmp/b", a), call("5", "/tmp/a", b),
		call("6", "/tmp/a", a+`"task":{"ttl":1},`), call("7", "/tmp/a", `"extra":1,`+a)}
	for i, line := range altered {
		l.say(line)
		if got, _ := l.until(fmt.Sprint(3 + i)); !strings.Contains(got, `"round_altered"`) {
			t.Errorf("%s: got %s", line, got)
		}
	}
	l.say(call("10", "/tmp/a", a), call("11", "/tmp/b", b))
	for _, id := range []string{"10", "11"} {
		if got, _ := l.until(id); !strings.Contains(got, "deleted /tmp/") {
			t.Errorf("the honest retry ended in %s", got)
		}
	}
	l.say(call("12", "/tmp/a", a)) // the token is used up
	if got, _ := l.until("12"); !strings.Contains(got, `"unknown_request_state"`) {
		t.Errorf("a token was taken twice: %s", got)
	}
	for _, c := range readHeld(t, log) {
		if got := string(c.Call) + string(c.Done); strings.Contains(got, "/home/me") || c.Task != nil {
			t.Errorf("the server got %s", got)
		}
	}
	if n := len(readHeld(t, log)); n != 6 {
		t.Errorf("the server has %d lines, want 6", n)
	}
}
