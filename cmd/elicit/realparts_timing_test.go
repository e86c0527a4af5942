package main_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

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
		if err := l.in.Close(); err != nil {
			t.Fatal(err)
		}
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
