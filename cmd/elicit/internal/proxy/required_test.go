package proxy

import (
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

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
