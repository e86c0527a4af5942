package main_test

import (
	"fmt"
	"strings"
	"testing"
)

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
