package proxy

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// through starts a proxy whose user interface is a client that declared what capability says.
func through(t *testing.T, capability string, set func(*Options)) *peers {
	t.Helper()
	p := start(t, func(o *Options) {
		o.ForwardToClient = true
		if set != nil {
			set(o)
		}
	})
	line := strings.Replace(initialize, `{"roots":{}}`, capability, 1)
	p.client(line)
	p.server.hear.want(line)
	p.server.say(initialized + "\n")
	p.hear.want(initialized)
	return p
}

// heard reads the next line as a request and returns its id and the text after it.
func (w *wiretap) request(method string) (id, params string) {
	w.t.Helper()
	var m struct {
		ID     json.RawMessage
		Method string
		Params json.RawMessage
	}
	l := w.line()
	if err := json.Unmarshal([]byte(l), &m); err != nil || m.Method != method {
		w.t.Fatalf("got %s, want a request %s", l, method)
	}
	return string(m.ID), string(m.Params)
}

func TestForwardedQuestionKeepsItsWordsAndItsAnswerIsChecked(t *testing.T) {
	p := through(t, `{"elicitation":{"form":{}}}`, nil)
	const inspected = `{"mode":"form","message":"Name?",` +
		`"requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}`
	params := `{"mode":"form", "message":"Name?","url":"https://no.example/",` +
		`"requestedSchema":{"type":"object","$comment":"unread",` +
		`"properties":{"name":{"type":"string","placeholder":"unread"}},"required":["name"]},"_meta":{"x":1.0}}`
	ask := func(id string) string {
		p.server.say(`{"jsonrpc":"2.0","id":` + id + `,"method":"elicitation/create","params":` + params + "}\n")
		ours, got := p.hear.request("elicitation/create")
		if got != inspected {
			t.Errorf("params:\n got %s\nwant %s", got, inspected)
		}
		if !strings.HasPrefix(ours, `"elicit-`) {
			t.Errorf("id %s is not one of ours", ours)
		}
		return ours
	}
	const misfit = `"result":{"action":"accept","content":{"name":7}}`
	cases := []struct{ answer, want string }{
		{`"result":{"action":"accept","content":{"name":"Ada"}}`, `"result":{"action":"accept","content":{"name":"Ada"}}`},
		{misfit, `"result":{"action":"cancel"}`},
		{`"result":{"action":"decline","content":{"name":"x"}}`, `"result":{"action":"decline"}`},
		{`"result":{"action":"reject"}`, `"result":{"action":"cancel"}`},
		{`"result":{}`, `"result":{"action":"cancel"}`},
		{`"error":{"code":-32601,"message":"no"}`, `"result":{"action":"decline"}`},
		{`"error":{"code":-32000,"message":"no"}`, `"result":{"action":"cancel"}`},
	}
	for _, tt := range cases {
		id := ask("5")
		p.client(`{"jsonrpc":"2.0","id":` + id + `,` + tt.answer + `}`)
		if tt.answer == misfit { // the client may mend one answer
			again, params := p.hear.request("elicitation/create")
			if !strings.Contains(params, "The answer has not been sent") {
				t.Errorf("asked again with %s", params)
			}
			p.client(`{"jsonrpc":"2.0","id":` + again + `,` + tt.answer + `}`)
		}
		p.server.hear.want(`{"jsonrpc":"2.0","id":5,` + tt.want + `}`)
		p.client(`{"jsonrpc":"2.0","id":` + id + `,"result":{"action":"accept"}}`) // twice: nobody hears it
	}
	p.client(marker)
	p.server.hear.want(marker)
}

func TestModeTheClientDidNotDeclareIsRefusedForIt(t *testing.T) {
	p := through(t, `{"elicitation":{}}`, nil)
	p.server.say(`{"jsonrpc":"2.0","id":5,"method":"elicitation/create",` +
		`"params":{"mode":"url","message":"m","url":"https://example.com","elicitationId":"e"}}` + "\n")
	if got := p.server.hear.line(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":5,"error":{"code":-32602`) {
		t.Errorf("got %s", got)
	}
	p = through(t, `{}`, nil)
	p.server.say(askDeploy + "\n")
	if got := p.server.hear.line(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601`) {
		t.Errorf("got %s", got)
	}
}

func TestWithdrawnQuestionIsTakenBackFromTheClient(t *testing.T) {
	p := through(t, `{"elicitation":{}}`, nil)
	p.server.say(askDeploy + "\n")
	id, _ := p.hear.request("elicitation/create")
	p.server.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n")
	p.hear.want(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id +
		`,"reason":"peer_cancelled"}}`)
	p.client(`{"jsonrpc":"2.0","id":` + id + `,"result":{"action":"accept"}}`)
	p.client(marker)
	p.server.hear.want(marker)
}

func TestPolicyAnswersBeforeTheClientIsAsked(t *testing.T) {
	p := through(t, `{"elicitation":{}}`, func(o *Options) {
		o.Config = []byte(`{"policy":{"managed":{"version":1,"approval_policy":"never"}}}`)
	})
	p.server.say(askDeploy + "\n")
	if got := p.server.hear.line(); !strings.Contains(got, `"action":"decline"`) && !strings.Contains(got,
		`"action":"cancel"`) {
		t.Errorf("got %s", got)
	}
	p.server.say(marker + "\n")
	p.hear.want(marker)
}

func TestLinksPassToAClientThatKnowsThem(t *testing.T) {
	p := through(t, `{"elicitation":{"url":{}}}`, nil)
	p.server.say(`{"jsonrpc":"2.0","id":5,"method":"elicitation/create",` +
		`"params":{"mode":"url","message":"m","url":"https://example.com","elicitationId":"e"}}` + "\n")
	id, _ := p.hear.request("elicitation/create")
	p.client(`{"jsonrpc":"2.0","id":` + id + `,"result":{"action":"accept"}}`)
	p.server.hear.want(`{"jsonrpc":"2.0","id":5,"result":{"action":"` + string(elicit.Accept) + `"}}`)
	complete := `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e"}}`
	p.server.say(complete + "\n")
	p.hear.want(complete)
}

func TestOversizedAnswerOfTheClientCancelsTheQuestion(t *testing.T) {
	p := through(t, `{"elicitation":{}}`, func(o *Options) { o.MaxLine = 64 << 10 })
	p.server.say(askName + "\n")
	id, _ := p.hear.request("elicitation/create")
	p.client(`{"jsonrpc":"2.0","id":` + id + `,"result":{"action":"accept","content":{"name":"` + strings.Repeat("x",
		64<<10) + `"}}}`)
	p.server.hear.want(`{"jsonrpc":"2.0","id":2,"result":{"action":"cancel"}}`)
}

// TestSecretIsSentWhenTheClientAnswersAgain shows what stands in for a warning beside the field.
func TestSecretIsSentWhenTheClientAnswersAgain(t *testing.T) {
	p := through(t, `{"elicitation":{}}`, nil)
	p.server.say(askName + "\n")
	id, first := p.hear.request("elicitation/create")
	answer := `"result":{"action":"accept","content":{"name":"4539578763621486"}}`
	p.client(`{"jsonrpc":"2.0","id":` + id + `,` + answer + `}`)
	again, second := p.hear.request("elicitation/create")
	if again == id || !strings.Contains(second,
		`"message":"Name?\n\n[elicit] The answer has not been sent. name: this looks like a secret (card, 45…86)`) ||
		!strings.Contains(second, `"requestedSchema":{"type":"object",`+
			`"properties":{"name":{"type":"string"}},"required":["name"]}`) {
		t.Errorf("asked again with %s after %s", second, first)
	}
	p.client(`{"jsonrpc":"2.0","id":` + id + `,` + answer + `}`) // an answer to the first asking is no confirmation
	p.client(`{"jsonrpc":"2.0","id":` + again + `,` + answer + `}`)
	p.server.hear.want(`{"jsonrpc":"2.0","id":2,` + answer + `}`)
}

const visitsWanted = `{"jsonrpc":"2.0","id":ID,"error":{"code":-32042,"message":"first visit",` +
	`"data":{"elicitations":[` +
	`{"mode":"url","message":"one","url":"https://a.example/1","elicitationId":"e1"},` +
	`{"mode":"url","message":"two","url":"https://b.example/2","elicitationId":"e2"}]}}}`

func required(id, tag string) string {
	return strings.NewReplacer("ID", id, "a.example", tag+".a.example", "b.example",
		tag+".b.example").Replace(visitsWanted)
}

// called sends a tools/call and raises the first error on it.
func called(t *testing.T, p *peers) {
	t.Helper()
	p.client(callDeploy)
	p.server.hear.want(callDeploy)
	p.server.say(required("7", "x") + "\n")
}

func TestCallIsMadeAgainWhenAllPagesAreFinished(t *testing.T) {
	opened := make(chan string, 2)
	p, ui := talk(t, func(o *Options) { o.Open = func(u string) error { opened <- u; return nil } })
	called(t, p)
	first, second := next(t, ui.shown), next(t, ui.shown)
	complete := func(link string) {
		p.server.say(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"` + link +
			`"}}` + "\n")
	}
	complete("e2") // may come before anybody has consented
	first.answer(elicit.Accept, nil, event.ViaPerson)
	second.answer(elicit.Accept, nil, event.ViaPerson)
	next(t, opened)
	next(t, opened)
	complete("e1")
	id, params := p.server.hear.request("tools/call")
	if params != `{"name":"deploy","arguments":{"n":1.0}}` {
		t.Errorf("params of the second call: %s", params)
	}
	p.server.say(`{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[],"z":1.0}}` + "\n")
	p.hear.want(`{"jsonrpc":"2.0","id":7,"result":{"content":[],"z":1.0}}`)
}

// wantOwnError holds that the client gets an error of ours without any page in it.
func (p *peers) wantOwnError(id string) {
	p.hear.t.Helper()
	if got := p.hear.line(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":`+id+`,"error":{"code":-32603,`) ||
		strings.Contains(got, "example") {
		p.hear.t.Errorf("got %s", got)
	}
}

func TestRefusedPageFailsTheCallWithoutNamingIt(t *testing.T) {
	for _, action := range []elicit.Action{elicit.Decline, elicit.Cancel} {
		p, ui := talk(t, nil)
		called(t, p)
		first, second := next(t, ui.shown), next(t, ui.shown)
		first.answer(action, nil, event.ViaPerson)
		p.wantOwnError("7")
		if got := next(t, ui.withdrawn); got.ID != second.ID {
			t.Errorf("withdrawn: %+v", got)
		}
	}
}

func TestSamePageTwiceAndTooManyPagesFailTheCall(t *testing.T) {
	p, ui := talk(t, func(o *Options) { o.CompletionWait = time.Millisecond })
	called(t, p)
	agree := func() {
		next(t, ui.shown).answer(elicit.Accept, nil, event.ViaPerson)
		next(t, ui.shown).answer(elicit.Accept, nil, event.ViaPerson)
	}
	agree()
	id, _ := p.server.hear.request("tools/call")
	p.server.say(required(id, "x") + "\n")
	p.wantOwnError("7")

	called(t, p)
	for i := range 3 {
		agree()
		id, _ = p.server.hear.request("tools/call")
		p.server.say(required(id, strings.Repeat("y", i+1)) + "\n")
	}
	p.wantOwnError("7")
}

func TestClientCancelsWhilePagesAreVisited(t *testing.T) {
	p, ui := talk(t, nil)
	called(t, p)
	next(t, ui.shown)
	next(t, ui.shown)
	p.client(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	next(t, ui.withdrawn)
	next(t, ui.withdrawn)
	p.client(marker)
	p.server.hear.want(marker)
}

func TestCancelFollowsACallMadeAgain(t *testing.T) {
	p, ui := talk(t, func(o *Options) { o.CompletionWait = time.Millisecond })
	called(t, p)
	next(t, ui.shown).answer(elicit.Accept, nil, event.ViaPerson)
	next(t, ui.shown).answer(elicit.Accept, nil, event.ViaPerson)
	id, _ := p.server.hear.request("tools/call")
	p.client(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7, "reason":"r"}}`)
	p.server.hear.want(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id +
		`, "reason":"r"}}`)
	p.server.say(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}` + "\n" + marker + "\n")
	p.hear.want(marker)
}

func TestPagesOfOurUserInterfaceAreNoneOfTheClientsBusiness(t *testing.T) {
	p, ui := talk(t, nil)
	p.server.say(`{"jsonrpc":"2.0","id":5,"method":"elicitation/create",` +
		`"params":{"mode":"url","message":"m","url":"https://example.com/","elicitationId":"e"}}` + "\n")
	next(t, ui.shown).answer(elicit.Accept, nil, event.ViaPerson)
	p.server.hear.want(`{"jsonrpc":"2.0","id":5,"result":{"action":"accept"}}`)
	other := `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"other"}}`
	p.server.say(strings.Replace(other, "other", "e", 1) + "\n" + other + "\n")
	p.hear.want(other)
}

func TestClientAsUserInterfaceVisitsPages(t *testing.T) {
	p := through(t, `{"elicitation":{"url":{}}}`, func(o *Options) { o.CompletionWait = time.Millisecond })
	called(t, p)
	for range 2 {
		id, params := p.hear.request("elicitation/create")
		if !strings.Contains(params, `"mode":"url"`) || !strings.Contains(params, `"elicitationId":"e`) {
			t.Errorf("params: %s", params)
		}
		p.client(`{"jsonrpc":"2.0","id":` + id + `,"result":{"action":"accept"}}`)
	}
	id, _ := p.server.hear.request("tools/call")
	p.server.say(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}` + "\n")
	p.hear.want(`{"jsonrpc":"2.0","id":7,"result":{}}`)
}
