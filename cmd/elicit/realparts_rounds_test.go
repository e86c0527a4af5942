package main_test

import (
	"encoding/json"
	"fmt"
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
	takesLong(t, "the pauses take 25 seconds")
	t.Parallel()
	build(t).endsInError(t, visit{client: "go", date: july, manual: true, timeout: patience}, "endless_state", nil)
}

// scenario is one tool call. Its outcome must be the same when the client answers the question itself, and when the
// proxy answers for a client that cannot.
type scenario struct {
	name   string
	server func(parts) []string
	dates  []string // of the client; nil is 2025-11-25 alone
	tool   string
	args   map[string]any
	rules  []rule
	asks   int // number of questions that the person or the client gets

	want    []string // pieces of the tool's text
	proxied []string // pieces that only the proxy causes: defaults filled in, answers checked
}

func demo(date string) func(parts) []string {
	return func(p parts) []string { return []string{p.demo, "-protocol", date} }
}

const (
	june, november, july = "2025-06-18", "2025-11-25", "2026-07-28"
)

var fullForm = map[string]any{
	"name": "Ada Lovelace", "check": true, "firstLine": "Call me Ada.", "email": "ada@example.com",
	"homepage": "https://example.com/ada", "birthdate": "1815-12-10", "integer": 7, "number": 2.5,
	"untitledSingleSelectEnum": "Joey", "untitledMultipleSelectEnum": []string{"Piano", "Drums"},
	"titledSingleSelectEnum": "hero-3", "titledMultipleSelectEnum": []string{"fish-2"}, "legacyTitledEnum": "pet-4",
}

var profileAnswer = map[string]any{"name": "Ada", "age": 36, "region": "eu", "newsletter": true}

var scenarioTable = []scenario{
	{name: "everything/form/all-fields", server: parts.everything, tool: "trigger-elicitation-request",
		rules: []rule{{Answer: accept(fullForm)}}, asks: 1,
		want: []string{`- Name: Ada Lovelace`, `- Agreed to terms: true`, `- Email: ada@example.com`,
			`- Homepage: https://example.com/ada`,
			`- Birthdate: 1815-12-10`, `- Favorite Integer: 7`, `- Favorite Number: 2.5`, `"titledSingleSelectEnum": "hero-3"`,
			`"legacyTitledEnum": "pet-4"`, `"Piano"`, `"Drums"`, `"fish-2"`, `Call me Ada.`}},
	{name: "everything/form/defaults", server: parts.everything, tool: "trigger-elicitation-request",
		rules: []rule{{Answer: accept(map[string]any{"name": "Ada"})}}, asks: 1,
		want: []string{`- Name: Ada`},
		proxied: []string{`"integer": 42`, `"number": 3.14`, `"untitledSingleSelectEnum": "Monica"`, `"Guitar"`,
			`"titledSingleSelectEnum": "hero-1"`, `"fish-1"`, `"legacyTitledEnum": "pet-1"`, `It was a dark and stormy night.`}},
	{name: "everything/form/decline", server: parts.everything, tool: "trigger-elicitation-request",
		rules: []rule{{Answer: answer{Action: "decline"}}}, asks: 1, want: []string{`User declined`, `"action": "decline"`}},
	{name: "everything/form/nobody-answers", server: parts.everything, tool: "trigger-elicitation-request",
		asks: 1, want: []string{`User cancelled`, `"action": "cancel"`}},
	{name: "everything/url/accept", server: parts.everything, tool: "trigger-url-elicitation",
		args:  map[string]any{"url": "https://example.com/connect"},
		rules: []rule{{Answer: answer{Action: "accept"}}}, asks: 1,
		want: []string{`User completed the URL elicitation flow`, `URL: https://example.com/connect`}},
	{name: "everything/url/decline", server: parts.everything, tool: "trigger-url-elicitation",
		args:  map[string]any{"url": "https://example.com/connect"},
		rules: []rule{{Answer: answer{Action: "decline"}}}, asks: 1,
		want: []string{`User declined to open the URL`}},

	{name: "demo/deploy/accept", server: demo(november), tool: "deploy",
		args:  map[string]any{"service": "shop", "environment": "staging"},
		rules: []rule{{When: map[string]string{"message": "Deploy shop to staging*"}, Answer: accept(nil)}}, asks: 1,
		want: []string{"Deployed shop to staging."}},
	{name: "demo/deploy/decline", server: demo(november), tool: "deploy",
		rules: []rule{{Answer: answer{Action: "decline"}}}, asks: 1,
		want: []string{"Declined: nothing was done."}},
	{name: "demo/deploy/cancel", server: demo(november), tool: "deploy",
		rules: []rule{{Answer: answer{Action: "cancel"}}}, asks: 1,
		want: []string{"Cancelled: nothing was done."}},
	{name: "demo/deploy/choice", server: demo(november), tool: "deploy", args: map[string]any{"choices": true},
		rules: []rule{{Answer: accept(map[string]any{"strategy": "at_once"})}}, asks: 1,
		want: []string{`Deployed shop to production. {"strategy":"at_once"}`}},
	{name: "demo/deploy/2025-06-18", server: demo(june), dates: []string{june}, tool: "deploy",
		rules: []rule{{Answer: accept(nil)}}, asks: 1, want: []string{"Deployed shop to production."}},
	{name: "demo/profile", server: demo(november), tool: "profile",
		rules: []rule{{Answer: accept(profileAnswer)}}, asks: 1,
		want: []string{`"age":36`, `"name":"Ada"`, `"region":"eu"`, `"newsletter":true`},
		proxied: []string{`"children":0`, `"days":[]`, `"hours":37.5`, `"nickname":""`, `"plan":"free"`, `"remote":true`,
			`"role":"dev"`, `"topics":["go"]`}},
	{name: "demo/profile/2025-06-18", server: demo(june), dates: []string{june}, tool: "profile",
		rules: []rule{{Answer: accept(profileAnswer)}}, asks: 1, want: []string{`"age":36`, `"name":"Ada"`, `"region":"eu"`}},
	{name: "demo/plan/two-questions", server: demo(november), tool: "plan", asks: 2,
		rules: []rule{
			{When: map[string]string{"message": "How many*"}, Answer: accept(map[string]any{"days": 9})},
			{When: map[string]string{"message": "Where should*"}, Answer: accept(map[string]any{"region": "us"})},
		},
		want: []string{`Planned backups in us: {"days":9}`}},
	{name: "demo/connect", server: demo(november), tool: "connect", asks: 1,
		rules: []rule{{When: map[string]string{"mode": "url"}, Answer: answer{Action: "accept"}}},
		want:  []string{"Linked the account."}},
	{name: "demo/two/at-once", server: demo(november), tool: "two", asks: 2,
		rules: []rule{
			{When: map[string]string{"message": "First*"}, Answer: accept(nil)},
			{When: map[string]string{"message": "Second*"}, Answer: answer{Action: "decline"}},
		},
		want: []string{"first: accept, second: decline"}},
	{name: "demo/plan/2026-07-28", server: demo(july), dates: []string{july}, tool: "plan", asks: 2,
		rules: []rule{
			{When: map[string]string{"message": "Where should*"}, Answer: accept(map[string]any{"region": "eu"})},
			{When: map[string]string{"message": "How many*"}, Answer: accept(map[string]any{"days": 90})},
		},
		want: []string{`Planned backups in eu: {"days":90}`}},
	{name: "demo/two/2026-07-28", server: demo(july), dates: []string{july}, tool: "two", asks: 2,
		rules: []rule{
			{When: map[string]string{"message": "First*"}, Answer: answer{Action: "cancel"}},
			{When: map[string]string{"message": "Second*"}, Answer: accept(nil)},
		},
		want: []string{"first: cancel, second: accept"}},
	{name: "demo/connect/2026-07-28", server: demo(july), dates: []string{july}, tool: "connect", asks: 1,
		rules: []rule{{Answer: answer{Action: "accept"}}}, want: []string{"Linked the account."}},
	{name: "demo/state_only/2026-07-28", server: demo(july), dates: []string{july}, tool: "state_only",
		want: []string{"Done after two waits."}},
	{name: "demo/newest", server: func(p parts) []string { return []string{p.demo} },
		dates: []string{july}, tool: "profile",
		rules: []rule{{Answer: accept(profileAnswer)}}, asks: 1, want: []string{`"age":36`, `"name":"Ada"`, `"region":"eu"`}},
}

// These are the ways to run a scenario.
const (
	direct      = "direct"
	proxied     = "proxied"      // the client has no forms, and prepared answers stand for the person
	clientFirst = "client_first" // the client keeps its forms behind the proxy
)

func (p parts) scenarios(t *testing.T, how string) {
	for _, s := range scenarioTable {
		dates := s.dates
		if dates == nil {
			dates = []string{november}
		}
		for _, date := range dates {
			for _, client := range clientsOf(date) {
				t.Run(s.name+"/"+client, func(t *testing.T) {
					t.Parallel()
					s.run(t, p, client, date, how)
				})
			}
		}
	}
}

// clientsOf lists the clients that can ask for a date. TypeScript 1.x always asks for 2025-11-25, and 2.x without
// negotiation does the same.
func clientsOf(date string) []string {
	switch date {
	case june:
		return []string{"go"}
	case july:
		return []string{"go", "ts2"}
	}
	return []string{"go", "ts1", "ts2"}
}

func (s scenario) run(t *testing.T, p parts, client, date, how string) {
	if strings.HasPrefix(s.name, "everything/") {
		p.needNode(t)
	}
	v := visit{client: client, tool: s.tool, args: s.args, server: s.server(p), elicit: "both", rules: s.rules}
	if date != november {
		v.date = date
	}
	switch how {
	case clientFirst:
		v.server = p.behindAuto(t, v.server)
	case proxied:
		v.server = p.behind("answers="+answersFile(t, s.rules), v.server)
		v.elicit, v.rules = "none", nil
	}
	r := v.run(t, p)
	if len(r.Outcomes) != 1 {
		t.Fatalf("got %d outcomes, want 1", len(r.Outcomes))
	}
	o := r.Outcomes[0]
	if o.Error != nil {
		t.Fatalf("call: %s %s\n%s", o.Error.Code, o.Error.Message, clip(r.stderr))
	}
	want := s.want
	if how == proxied {
		want = append(want[:len(want):len(want)], s.proxied...)
	}
	contains(t, "result", o.text(), want...)
	asks := s.asks
	if how == proxied {
		asks = 0
	}
	if len(r.Asked) != asks {
		t.Errorf("questions that reached the client: got %s, want %d", fmt.Sprint(r.Asked), asks)
	}
	if len(r.Complaints) != 0 {
		t.Errorf("the client complained: %s", strings.Join(r.Complaints, "; "))
	}
	if t.Failed() && r.stderr != "" {
		t.Logf("stderr: %s", clip(r.stderr))
	}
}
