package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// rounds tests servers of 2026-07-28 and of the draft with clients that ignore input_required. The proxy answers the
// questions and calls again. The tool's text shows the last request that the server got.
func (p parts) rounds(t *testing.T) {
	manual := []visit{{client: "go", date: july, manual: true}, {client: "ts2", date: july, manual: true}}
	yes := []rule{{Answer: accept(nil)}}

	t.Run("plan", func(t *testing.T) {
		for _, v := range manual {
			t.Run(v.client, func(t *testing.T) {
				t.Parallel()
				rules := []rule{
					{When: map[string]string{"message": "Where should*"}, Answer: accept(map[string]any{"region": "us"})},
					{When: map[string]string{"message": "How many*"}, Answer: accept(map[string]any{"days": 3})},
				}
				v.tool, v.server = "plan", p.behind("answers="+answersFile(t, rules), demo(july)(p))
				o := v.one(t, p)
				contains(t, "result", o.text(), `Planned backups in us: {"days":3}`)
			})
		}
	})
	t.Run("retry", func(t *testing.T) {
		for _, v := range manual {
			t.Run(v.client, func(t *testing.T) {
				t.Parallel()
				rules := []rule{{Answer: accept(map[string]any{"reason": "because \"so\""})}}
				v.tool, v.args = "go", map[string]any{"n": 1}
				v.server = p.behind("answers="+answersFile(t, rules), p.script("rounds"))
				r := readRetry(t, v.one(t, p))
				if r.Params.RequestState == nil || *r.Params.RequestState != `stäte "1" / \ ok` {
					t.Errorf("requestState: got %s", r.state())
				}
				const want = `{"why \"x\"":{"action":"accept","content":{"reason":"because \"so\""}}}`
				if got := string(r.Params.InputResponses); got != want {
					t.Errorf("inputResponses: got %s", got)
				}
				if r.Params.Name != "go" || string(r.Params.Arguments) != `{"n":1}` {
					t.Errorf("the call changed: got name %q, arguments %s", r.Params.Name, r.Params.Arguments)
				}
				if got := r.Params.Meta["io.modelcontextprotocol/protocolVersion"]; string(got) != `"2026-07-28"` {
					t.Errorf("_meta protocolVersion: got %s", got)
				}
			})
		}
	})
	t.Run("state", func(t *testing.T) {
		p.proxiedText(t, manual, "state_only", nil, "Done after two waits.")
		for _, v := range manual {
			t.Run("empty/"+v.client, func(t *testing.T) {
				t.Parallel()
				v.tool, v.server = "go", p.behind("answers="+answersFile(t, yes), p.script("empty_state"))
				if r := readRetry(t, v.one(t, p)); r.Params.RequestState == nil || *r.Params.RequestState != "" {
					t.Errorf("requestState: got %s, want the empty string", r.state())
				}
			})
			t.Run("dropped/"+v.client, func(t *testing.T) {
				t.Parallel()
				v.tool, v.server = "go", p.behind("answers="+answersFile(t, yes), p.script("dropped_state"))
				r := readRetry(t, v.one(t, p))
				if r.Params.RequestState != nil {
					t.Errorf("requestState: got %s, want none: the last result had none", r.state())
				}
				if got := string(r.Params.InputResponses); strings.Contains(got, "first") || !strings.Contains(got, "second") {
					t.Errorf("inputResponses: got %s, want only this round's", got)
				}
			})
		}
	})
	t.Run("old-session", func(t *testing.T) {
		old := []visit{{client: "go"}, {client: "ts1"}, {client: "ts2"}}
		p.proxiedText(t, old, "legacy_rounds", yes, `"inputResponses":{"q":{"action":"accept"`, `"requestState":"old"`)
		p.proxiedText(t, old, "draft", []rule{{Answer: accept(map[string]any{"value": "Delete"})}},
			`"inputResponses":[{"type":"confirmation","value":"Delete"}]`, `"requestState":"draft \"state\" 1"`)
	})
	t.Run("no-end", func(t *testing.T) {
		for _, script := range []string{"endless", "neither"} {
			for _, v := range manual {
				t.Run(script+"/"+v.client, func(t *testing.T) {
					t.Parallel()
					p.endsInError(t, v, script, yes)
				})
			}
		}
	})
	t.Run("foreign", func(t *testing.T) {
		t.Parallel()
		// The Go client cannot read an entry without params, such as roots/list, so the test itself is the client.
		l := openLines(t, p.behind("answers="+answersFile(t, yes), p.script("mixed")))
		l.say(newCall("1", "go"))
		got, _ := l.until("1")
		contains(t, "what the client is left with", got, `"model"`, `"roots"`, `"input_required"`)
		if strings.Contains(got, `"person"`) {
			t.Errorf("the person's question was handed on: %s", clip(got))
		}
	})
	t.Run("unknown-kind", func(t *testing.T) {
		t.Parallel()
		l := openLines(t, p.behind("answers="+answersFile(t, yes), p.script("unknown_result")))
		l.say(newCall("1", "go"))
		if got, _ := l.until("1"); !strings.Contains(got, `"resultType":"telepathy"`) {
			t.Errorf("got %s, want the result as the server sent it", got)
		}
	})
	t.Run("client-ui", func(t *testing.T) {
		ask := func(v visit, want string) {
			t.Run(v.tool+"/"+v.client+v.date, func(t *testing.T) {
				t.Parallel()
				v.elicit, v.rules = "both", yes
				r := v.run(t, p)
				contains(t, "result", r.Outcomes[0].text(), want)
				if len(r.Asked) != 1 {
					t.Errorf("questions at the client: got %v, want 1", r.Asked)
				}
			})
		}
		for _, client := range []string{"go", "ts2"} {
			ask(visit{client: client, date: july, tool: "deploy", server: p.behind("client", demo(july)(p))},
				"Deployed shop to production.")
		}
		for _, client := range []string{"go", "ts1", "ts2"} {
			ask(visit{client: client, tool: "go", server: p.behind("client", p.script("legacy_rounds"))},
				`"inputResponses":{"q":{"action":"accept"`)
		}
	})
	t.Run("journal", func(t *testing.T) {
		t.Parallel()
		// The TypeScript client first runs the whole command line in a short-lived process, to learn the server's
		// dates. So two proxies get the same --journal, one directly after the other.
		journal := filepath.Join(t.TempDir(), "journal.jsonl")
		v := visit{client: "ts2", date: july, tool: "deploy",
			server: p.behind("answers="+answersFile(t, yes), demo(july)(p), "--journal", journal)}
		contains(t, "result", v.one(t, p).text(), "Deployed shop to production.")
		if b, err := os.ReadFile(journal); err != nil || len(b) == 0 {
			t.Errorf("journal: got %d bytes, %v; want the records of the session", len(b), err)
		}
	})
	t.Run("no-common-date", func(t *testing.T) {
		for _, client := range []string{"ts1", "ts2"} {
			t.Run(client, func(t *testing.T) {
				t.Parallel()
				// The proxy does not translate between dates with and without sessions: the client must get the
				// server's own refusal unchanged.
				v := visit{client: client, tool: "echo", server: p.behind("none", append(demo(july)(p), "-refuse-initialize"))}
				if r := v.try(t, p); r.Connect == nil || string(r.Connect.Code) != "-32022" {
					t.Errorf("got %+v, want the error -32022", r.Connect)
				}
			})
		}
	})
}

func (p parts) endsInError(t *testing.T, v visit, script string, rules []rule) {
	t.Helper()
	v.tool, v.server = "go", p.behind("answers="+answersFile(t, rules), p.script(script))
	o := v.run(t, p).Outcomes[0]
	if o.Error == nil || string(o.Error.Code) != "-32603" {
		b, _ := json.Marshal(o)
		t.Errorf("got %s, want the error -32603", clip(string(b)))
	}
}

// proxiedText runs one script of rawserver behind the proxy for several clients, with an answers file.
func (p parts) proxiedText(t *testing.T, visits []visit, script string, rules []rule, want ...string) {
	for _, v := range visits {
		t.Run(script+"/"+v.client, func(t *testing.T) {
			t.Parallel()
			v.tool, v.server = "go", p.behind("answers="+answersFile(t, rules), p.script(script))
			contains(t, "result", v.one(t, p).text(), want...)
		})
	}
}

// one returns the outcome of a visit with one call, which must succeed.
func (v visit) one(t *testing.T, p parts) outcome {
	t.Helper()
	r := v.run(t, p)
	if len(r.Outcomes) != 1 || r.Outcomes[0].Error != nil {
		b, _ := json.Marshal(r.Outcomes)
		t.Fatalf("outcomes: got %s, want one result\nstderr: %s", clip(string(b)), clip(r.stderr))
	}
	return r.Outcomes[0]
}

// retry is the request that a raw server repeats in its result.
type retry struct {
	ID     json.RawMessage
	Params struct {
		Name           string
		Arguments      json.RawMessage
		InputResponses json.RawMessage
		RequestState   *string
		Meta           map[string]json.RawMessage `json:"_meta"`
	}
}

func (r retry) state() string {
	if r.Params.RequestState == nil {
		return "none"
	}
	return *r.Params.RequestState
}

func readRetry(t *testing.T, o outcome) (r retry) {
	t.Helper()
	if err := json.Unmarshal([]byte(o.text()), &r); err != nil {
		t.Fatalf("the result does not show a request: %v\n%s", err, clip(string(o.Result)))
	}
	return r
}

// TestRoundsWithoutEnd: a server gives a new state again and again and never asks. The proxy makes longer and longer
// pauses between such calls, about 25 seconds in total, in which other tests run.
func TestRoundsWithoutEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("the pauses take 25 seconds")
	}
	t.Parallel()
	build(t).endsInError(t, visit{client: "go", date: july, manual: true, timeout: patience}, "endless_state", nil)
}
