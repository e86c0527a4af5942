package proxy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

const (
	metaBare = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}`
	metaSeen = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}}}}`
	metaForm = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}`
	state = `"a\/b\u0020\"{}"`
	askA  = `"a":{"method":"elicitation/create","params":{"mode":"form","message":"A?",` +
		`"requestedSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}}`
	askB = `"b":{"method":"elicitation/create","params":{"message":"B?",` +
		`"requestedSchema":{"type":"object","properties":{}}}}`
	askRoots = `"r":{"method":"roots/list","params":{"k":1.0}}`
)

func plan(id, meta, more string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"plan","arguments":{},` + meta + more +
		`}}`
}

func inputRequired(id, requests, state string) string {
	s := `{"jsonrpc":"2.0","id":` + id + `,"result":{"resultType":"input_required","content":null`
	if requests != "" {
		s += `,"inputRequests":{` + requests + `}`
	}
	if state != "" {
		s += `,"requestState":` + state
	}
	return s + "}}"
}

// handedOver is what the client gets of a round: its own entries and a state of ours.
func handedOver(id, requests, state string) string {
	return strings.Replace(inputRequired(id, requests, state), `"content":null,`, "", 1)
}

func done(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"resultType":"complete","content":[]}}`
}

// planned starts a proxy and lets the client make a 2026-07-28 call.
func planned(t *testing.T, meta string, set func(*Options)) (*peers, *someone) {
	t.Helper()
	p, s := startWithSomeone(t, set)
	p.client(plan("1", meta, ""))
	return p, s
}

func TestRoundsAreFulfilledForAnyClient(t *testing.T) {
	p, ui := planned(t, metaBare, nil)
	p.server.hear.want(plan("1", metaSeen, ""))
	p.server.say(inputRequired("1", askA+","+askB, state) + "\n")
	first, second := next(t, ui.shown), next(t, ui.shown)
	if first.Tool != "plan" {
		t.Errorf("tool: got %q want plan", first.Tool)
	}
	second.answer(elicit.Decline, nil, event.ViaPerson)
	first.answer(elicit.Accept, []byte(`{"n":3}`), event.ViaPerson)
	id, params := p.server.hear.request("tools/call")
	want := `{"name":"plan","arguments":{},` + metaSeen +
		`,"inputResponses":{"a":{"action":"accept","content":{"n":3}},"b":{"action":"decline"}},"requestState":` + state + `}`
	if params != want {
		t.Errorf("params:\n got %s\nwant %s", params, want)
	}
	// A second round without a state: the retry carries none, and only this round's answers.
	p.server.say(inputRequired(id, askB, "") + "\n")
	next(t, ui.shown).answer(elicit.Accept, nil, event.ViaPerson)
	id, params = p.server.hear.request("tools/call")
	want = `{"name":"plan","arguments":{},` + metaSeen + `,"inputResponses":{"b":{"action":"accept","content":{}}}}`
	if params != want {
		t.Errorf("params:\n got %s\nwant %s", params, want)
	}
	p.server.say(done(id) + "\r\n")
	if got, want := p.hear.line(), done("1")+"\n"; got != want {
		t.Errorf("got %q want %q", got, want)
	}
}

func TestStateOnlyResultsAreRepeatedAfterAMoment(t *testing.T) {
	p, _ := planned(t, metaBare, nil)
	p.server.hear.line()
	p.server.say(strings.Replace(inputRequired("1", "", `"w"`), `,"requestState"`, `,"inputRequests":{},"requestState"`,
		1) + "\n")
	id, params := p.server.hear.request("tools/call")
	if want := `{"name":"plan","arguments":{},` + metaSeen + `,"requestState":"w"}`; params != want {
		t.Errorf("params:\n got %s\nwant %s", params, want)
	}
	p.server.say(done(id) + "\n")
	p.hear.want(done("1"))
}

func TestRoundsEnd(t *testing.T) {
	p, ui := planned(t, metaBare, nil)
	p.server.hear.line()
	id := "1"
	for range 10 {
		p.server.say(inputRequired(id, askB, state) + "\n")
		next(t, ui.shown).answer(elicit.Cancel, nil, event.ViaPerson)
		id, _ = p.server.hear.request("tools/call")
	}
	p.server.say(inputRequired(id, askB, state) + "\n")
	if got := p.hear.line(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603`) {
		t.Errorf("got %s", got)
	}
}

func TestUnfitQuestionFailsTheCallAndWithdrawsTheOthers(t *testing.T) {
	p, ui := planned(t, metaBare, nil)
	p.server.hear.line()
	nested := `"c":{"method":"elicitation/create","params":{"message":"C?",` +
		`"requestedSchema":{"type":"object","properties":{"o":{"type":"object"}}}}}`
	p.server.say(inputRequired("1", askB+","+nested, state) + "\n")
	next(t, ui.shown)
	if got := p.hear.line(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603`) {
		t.Errorf("got %s", got)
	}
	next(t, ui.withdrawn)
}

func TestOtherResultsPassUnchanged(t *testing.T) {
	p, _ := planned(t, metaBare, nil)
	p.server.hear.line()
	task := `{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"t"}}`
	p.server.say(task + "\n")
	p.hear.want(task)
}

func TestForeignEntriesGoToAClientThatKnowsRounds(t *testing.T) {
	p, ui := planned(t, metaBare, nil)
	p.server.hear.line()
	p.server.say(inputRequired("1", askB+","+askRoots, state) + "\n")
	next(t, ui.shown).answer(elicit.Accept, nil, event.ViaPerson)
	got := p.hear.line()
	token := between(got, `"requestState":`, `}}`)
	if want := handedOver("1", askRoots, token) + "\n"; got != want || !strings.HasPrefix(token, `"elicit-`) {
		t.Fatalf("\n got %s\nwant %s", got, want)
	}
	p.client(plan("2", metaBare, `,"inputResponses":{"r":{"roots":[]}},"requestState":`+token))
	id, params := p.server.hear.request("tools/call")
	want := `{"name":"plan","arguments":{},` + metaSeen +
		`,"inputResponses":{"b":{"action":"accept","content":{}},"r":{"roots":[]}},"requestState":` + state + `}`
	if params != want {
		t.Errorf("params:\n got %s\nwant %s", params, want)
	}
	p.server.say(done(id) + "\n")
	p.hear.want(done("2"))
}

func TestForeignEntriesGoToAClientWithSessionsAsRequests(t *testing.T) {
	p, ui := talk(t, nil)
	p.client(callDeploy)
	p.server.hear.want(callDeploy)
	p.server.say(inputRequired("7", askB+","+askRoots, state) + "\n")
	next(t, ui.shown).answer(elicit.Accept, nil, event.ViaPerson)
	id, params := p.hear.request("roots/list")
	if params != `{"k":1.0}` {
		t.Errorf("params: %s", params)
	}
	p.client(`{"jsonrpc":"2.0","id":` + id + `,"result":{"roots":[]}}`)
	id, params = p.server.hear.request("tools/call")
	want := `{"name":"deploy","arguments":{"n":1.0},` +
		`"inputResponses":{"b":{"action":"accept","content":{}},"r":{"roots":[]}},` +
		`"requestState":` + state + `}`
	if params != want {
		t.Errorf("params:\n got %s\nwant %s", params, want)
	}
	p.server.say(done(id) + "\n")
	p.hear.want(done("7"))
}

func TestClientAsUserInterfaceOfRounds(t *testing.T) {
	p, _ := planned(t, metaForm, func(o *Options) {
		o.UI, o.ForwardToClient = nil, true
		o.Config = []byte(`{"limits":{"shown":10},` +
			`"policy":{"user":{"version":1,"rules":[{"when":{"message":"B?"},"then":"decline"}]}}}`)
	})
	p.server.hear.want(plan("1", metaForm, ""))
	p.server.say(inputRequired("1", askA+","+askB, state) + "\n")
	got := p.hear.line()
	token := between(got, `"requestState":`, `}}`)
	if want := handedOver("1", askA, token) + "\n"; got != want {
		t.Fatalf("\n got %s\nwant %s", got, want)
	}
	p.client(plan("2", metaForm, `,"inputResponses":{"a":{"action":"accept","content":{"n":3,"x":1}}},`+
		`"requestState":`+token))
	_, params := p.server.hear.request("tools/call")
	want := `{"name":"plan","arguments":{},` + metaForm +
		`,"inputResponses":{"a":{"action":"accept","content":{"n":3}},"b":{"action":"decline"}},"requestState":` + state + `}`
	if params != want {
		t.Errorf("params:\n got %s\nwant %s", params, want)
	}
}

func TestRoundsForAClientWithSessionsAsUserInterface(t *testing.T) {
	p := through(t, `{"elicitation":{"form":{},"url":{}}}`, nil)
	p.client(callDeploy)
	p.server.hear.want(callDeploy)
	visit := `"v":{"method":"elicitation/create","params":{"mode":"url","message":"V?","url":"https://x.example/"}}`
	p.server.say(inputRequired("7", askB+","+visit, state) + "\n")
	id, _ := p.hear.request("elicitation/create")
	p.client(`{"jsonrpc":"2.0","id":` + id + `,"result":{"action":"accept"}}`)
	id, params := p.hear.request("elicitation/create")
	if !strings.Contains(params, `"elicitationId":"`) || !strings.Contains(params, `"url":"https://x.example/"`) {
		t.Errorf("params: %s", params)
	}
	p.client(`{"jsonrpc":"2.0","id":` + id + `,"result":{"action":"accept"}}`)
	_, params = p.server.hear.request("tools/call")
	if want := `"inputResponses":{"b":{"action":"accept","content":{}},"v":{"action":"accept"}}`; !strings.Contains(params,
		want) {
		t.Errorf("params: %s\nwant %s", params, want)
	}
}

func TestDraftArrayIsAnsweredInItsOwnShape(t *testing.T) {
	p, ui := talk(t, nil)
	p.client(callDeploy)
	p.server.hear.want(callDeploy)
	p.server.say(`{"jsonrpc":"2.0","id":7,"result":{"_meta":{"inputRequests":[` +
		`{"type":"confirmation","title":"T","message":"M",` +
		`"options":["yes","no"]}],"requestState":"s"}}}` + "\n")
	next(t, ui.shown).answer(elicit.Accept, []byte(`{"value":"yes"}`), event.ViaPerson)
	_, params := p.server.hear.request("tools/call")
	if want := `{"name":"deploy","arguments":{"n":1.0},` +
		`"_meta":{"inputResponses":[{"type":"confirmation","value":"yes"}],` +
		`"requestState":"s"}}`; params != want {
		t.Errorf("params:\n got %s\nwant %s", params, want)
	}
}

func TestServerDeathWhileACallIsInOurHands(t *testing.T) {
	p, ui := planned(t, metaBare, nil)
	p.server.hear.line()
	p.server.say(inputRequired("1", askB, state) + "\n")
	next(t, ui.shown)
	p.server.exit(1)
	if got := p.hear.line(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,"error":`) {
		t.Errorf("got %s", got)
	}
	next(t, ui.withdrawn)
}

func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return s
}

func TestDeclarationPerDate(t *testing.T) {
	form := elicit.Modes{Form: true}
	both := elicit.Modes{Form: true, URL: true}
	cases := []struct {
		name, version, before, after string
		modes                        elicit.Modes
	}{
		{"first date", "2025-06-18", `{}`, `{"elicitation":{}}`, both},
		{"second date", "2025-11-25", `{}`, `{"elicitation":{"form":{},"url":{}}}`, both},
		{"form only", "2025-11-25", `{"a":{"elicitation":1}}`, `{"a":{"elicitation":1},"elicitation":{"form":{}}}`, form},
		{"instead of the client's own", "2025-11-25", `{"elicitation":{"url":{"x":1}},"b":1.0}`,
			`{"elicitation":{"form":{},"url":{}},"b":1.0}`, both},
		{"before there was any", "2024-11-05", `{}`, `{"elicitation":{}}`, both},
		{"a later date", "2027-01-01", `{}`, `{"elicitation":{"form":{},"url":{}}}`, both},
		{"nobody to ask", "2025-11-25", `{"a":1,"elicitation":{}}`, `{"a":1}`, elicit.Modes{}},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			ui := newSomeone()
			ui.modes = tt.modes
			p := start(t, func(o *Options) { o.UI = ui })
			line := func(c string) string {
				return fmt.Sprintf(`{"jsonrpc":"2.0","id":"i","method":"initialize",`+
					`"params":{"protocolVersion":"%s","capabilities":%s}}`, tt.version, c)
			}
			p.client(line(tt.before))
			p.server.hear.want(line(tt.after))
		})
	}
}

func TestClientThatTakesACallBackIsNoLongerAskedForItsRound(t *testing.T) {
	p, ui := talk(t, nil)
	p.client(callDeploy)
	p.server.hear.want(callDeploy)
	p.server.say(inputRequired("7", askB+","+askRoots, state) + "\n")
	next(t, ui.shown).answer(elicit.Accept, nil, event.ViaPerson)
	id, _ := p.hear.request("roots/list")
	p.client(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	p.hear.want(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id +
		`,"reason":"peer_cancelled"}}`)
	p.client(`{"jsonrpc":"2.0","id":` + id + `,"result":{"roots":[]}}`) // too late
	p.client(marker)
	p.server.hear.want(marker)
}
