package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
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
					if !edited {
						vectors.Night(t) // arguments that nobody edits are the easier case
					}
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
		must.Run(t, exec.Command(p.elicit, "replay", file))
		for line := range strings.Lines(must.Text(t, file)) {
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
		must.Unmarshal(t, line, &c)
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

// timing tests clients and servers that do not wait, or that end early.
func (p parts) timing(t *testing.T) {
	t.Run("client-gives-up", func(t *testing.T) {
		for _, client := range []string{"go", "ts1", "ts2"} {
			t.Run(client, func(t *testing.T) {
				t.Parallel()
				// The client gives up the first call while its question is open. The second call gets its answer in
				// the same session, which proves that the first has not blocked the session.
				v := visit{client: client, elicit: "both", tool: "deploy", calls: 2, timeout: 1500 * time.Millisecond,
					rules:  []rule{{Answer: never}, {Answer: accept(nil)}},
					server: p.behind("client", demo(november)(p))}
				r := v.run(t, p)
				if r.Outcomes[0].Error == nil {
					t.Errorf("first call: got %s, want a timeout", r.Outcomes[0].text())
				}
				contains(t, "second call", r.Outcomes[1].text(), "Deployed shop to production.")
			})
		}
	})
	t.Run("keep-alive", p.keptAlive)
	t.Run("server-takes-back", func(t *testing.T) {
		for _, client := range []string{"go", "ts1", "ts2"} {
			t.Run(client, func(t *testing.T) {
				t.Parallel()
				v := visit{client: client, elicit: "both", tool: "slow", rules: []rule{{Answer: never}},
					server: p.behind("client", demo(november)(p))}
				contains(t, "result", v.one(t, p).text(), "the question was taken back")
			})
		}
	})
	t.Run("server-dies", func(t *testing.T) {
		for _, client := range []string{"go", "ts1", "ts2"} {
			t.Run(client, func(t *testing.T) {
				t.Parallel()
				v := visit{client: client, elicit: "both", tool: "crash", rules: []rule{{Answer: never}},
					server: p.behind("client", demo(november)(p))}
				r := v.run(t, p)
				if r.Outcomes[0].Error == nil {
					t.Errorf("got %s, want an error: the server is dead", clip(string(r.Outcomes[0].Result)))
				}
			})
		}
		t.Run("exit-code", func(t *testing.T) {
			t.Parallel()
			l := openLines(t, p.behind("client", p.script("dies")))
			l.greet(helloForm)
			l.say(callTool("1", "go"))
			code, rest := l.end()
			if code != 3 {
				t.Errorf("exit code: got %d, want the server's 3", code)
			}
			if !strings.Contains(strings.Join(rest, "\n"), `"id":1`) {
				t.Errorf("the open call was left without any response: %q", rest)
			}
		})
	})
	t.Run("client-dies", func(t *testing.T) {
		t.Parallel()
		l := openLines(t, p.behind("client", demo(november)(p)))
		l.greet(helloForm)
		l.say(callTool("1", "deploy"))
		if q := l.next(); !strings.Contains(q, "elicitation/create") {
			t.Fatalf("got %s, want the question", clip(q))
		}
		must.OK(t, l.in.Close())
		l.end()
	})
	t.Run("at-once", func(t *testing.T) {
		for _, client := range []string{"go", "ts1", "ts2"} {
			t.Run(client, func(t *testing.T) {
				t.Parallel()
				rules := []rule{
					{When: map[string]string{"message": "First*"}, Answer: accept(nil)},
					{When: map[string]string{"message": "Second*"}, Answer: answer{Action: "decline"}},
				}
				v := visit{client: client, tool: "two", together: 3,
					server: p.behind("answers="+answersFile(t, rules), demo(november)(p))}
				r := v.run(t, p)
				for i, o := range r.Outcomes {
					contains(t, "call", o.text(), "first: accept, second: decline")
					if o.Error != nil {
						t.Errorf("call %d: %s", i, o.Error.Message)
					}
				}
			})
		}
	})
	t.Run("url-required", func(t *testing.T) { p.urlRequired(t) })
}

// keptAlive tests a client with a short timeout, which each progress notification restarts, and a person who takes
// longer: they answer after the sixth notification, which comes after the timeout. The server sends no progress; the
// proxy does.
func (p parts) keptAlive(t *testing.T) {
	for _, client := range []string{"ts1", "ts2"} {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			v := visit{client: client, elicit: "both", tool: "deploy", timeout: 1500 * time.Millisecond, progress: true,
				rules:  []rule{{Answer: accept(nil), AfterProgress: 6}},
				server: p.behind("client", demo(november)(p), "--keep-alive", "400ms")}
			r := v.run(t, p)
			contains(t, "result", r.Outcomes[0].text(), "Deployed shop to production.")
			// The TypeScript client handles a notification only after a result that follows it in the same read.
			r.Complaints = slices.DeleteFunc(r.Complaints, func(c string) bool { return strings.Contains(c, "unknown token") })
			if len(r.Progress) < 6 || !slices.IsSorted(r.Progress) || len(r.Complaints) > 0 {
				t.Errorf("progress: got %v; complaints: %q", r.Progress, r.Complaints)
			}
		})
		t.Run("off/"+client, func(t *testing.T) {
			t.Parallel()
			v := visit{client: client, elicit: "both", tool: "deploy", timeout: 1500 * time.Millisecond, progress: true,
				rules:  []rule{{Answer: never}},
				server: p.behind("client", demo(november)(p), "--keep-alive", "0")}
			if r := v.run(t, p); r.Outcomes[0].Error == nil || len(r.Progress) > 0 {
				t.Errorf("got %s and progress %v, want a timeout", r.Outcomes[0].text(), r.Progress)
			}
		})
	}
}

// urlRequired tests a call that fails with -32042 until the person has visited a page. The proxy asks its person, and
// calls again after their consent. It asks once for each page.
func (p parts) urlRequired(t *testing.T) {
	consent := []rule{{When: map[string]string{"mode": "url"}, Answer: answer{Action: "accept"}}}
	for _, client := range []string{"go", "ts1", "ts2"} {
		t.Run("everything/"+client, func(t *testing.T) {
			t.Parallel()
			p.needNode(t)
			v := visit{client: client, tool: "trigger-url-elicitation",
				args:   map[string]any{"url": "https://example.com/after", "errorPath": true},
				server: p.behind("answers="+answersFile(t, consent), p.everything())}
			contains(t, "result", v.one(t, p).text(), "User completed the URL elicitation flow", "https://example.com/after")
		})
		t.Run("declined/"+client, func(t *testing.T) {
			t.Parallel()
			no := answersFile(t, []rule{{Answer: answer{Action: "decline"}}})
			v := visit{client: client, tool: "go", server: p.behind("answers="+no, p.script("required_loop"))}
			p.failsWithoutPages(t, v)
		})
		t.Run("loop/"+client, func(t *testing.T) {
			t.Parallel()
			v := visit{client: client, tool: "go",
				server: p.behind("answers="+answersFile(t, consent), p.script("required_loop"))}
			p.failsWithoutPages(t, v)
		})
	}
}

// failsWithoutPages checks that the client gets the proxy's own error, which names no page. Clients would open the
// pages that the server's error lists.
func (p parts) failsWithoutPages(t *testing.T, v visit) {
	t.Helper()
	r := v.run(t, p)
	b, _ := json.Marshal(r.Outcomes[0])
	if e := r.Outcomes[0].Error; e == nil || string(e.Code) != "-32603" || strings.Contains(string(b), "http") {
		t.Errorf("got %s, want the error -32603 without any page", clip(string(b)))
	}
}

// TestRealClientsAreNoWorseOff calls a tool that asks, with each client as it is and behind the proxy that
// `elicit install` writes, where Elicit has no surface of its own. The client is asked in both, and the call ends
// alike. A client without forms is not asked, and its server is told that there are none.
func TestRealClientsAreNoWorseOff(t *testing.T) {
	takesLong(t, "real clients take half a minute")
	p := build(t)
	calls := []spelling{{name: "deploy"}}
	for _, c := range p.spelledClients() {
		t.Run(c.label(), func(t *testing.T) {
			t.Parallel()
			needs(t, c.missing)
			server := []string{p.demo, "-protocol", c.date}
			alone, behind := c.visit(t, server, calls), c.visit(t, p.behindAuto(t, server), calls)
			if len(alone.acted) == 0 || len(behind.acted) != len(alone.acted) {
				t.Errorf("asked: alone %v, behind the proxy %v", alone.acted, behind.acted)
			}
			got, want := withoutID(behind.outcome["deploy"]), withoutID(alone.outcome["deploy"])
			if got != want || want == "" {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
	for _, client := range []string{"go", "ts1", "ts2"} {
		t.Run(client+"-without-forms", func(t *testing.T) {
			t.Parallel()
			v := visit{client: client, tool: "deploy", server: []string{p.demo, "-protocol", november}}
			alone := v.run(t, p)
			v.server = p.behindAuto(t, v.server)
			behind := v.run(t, p)
			same := func(a, b outcome) bool { return a.text() == b.text() && (a.Error == nil) == (b.Error == nil) }
			if !slices.EqualFunc(alone.Outcomes, behind.Outcomes, same) || len(behind.Asked) != 0 {
				t.Errorf("alone %s, behind the proxy %s", alone.Outcomes[0].text(), behind.Outcomes[0].text())
			}
		})
	}
}
