package proxy

import (
	"errors"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// askedDuringDeploy starts a proxy whose client calls the tool deploy, and returns the question of the server.
func askedDuringDeploy(t *testing.T) (*peers, *someone, shown) {
	t.Helper()
	p, ui := talk(t, nil)
	p.client(callDeploy)
	p.server.hear.want(callDeploy)
	p.server.say(askDeploy + "\n")
	return p, ui, next(t, ui.shown)
}

func TestQuestionIsAnsweredByOurUserInterfaceAndTheClientHearsNothing(t *testing.T) {
	p, _, q := askedDuringDeploy(t)
	if q.Server != "raw" || q.Tool != "deploy" || q.Message != "Deploy?" {
		t.Errorf("shown: server %q tool %q message %q", q.Server, q.Tool, q.Message)
	}
	q.answer(elicit.Accept, nil, event.ViaPerson)
	p.server.hear.want(`{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{}}}`)
	done := `{"jsonrpc":"2.0","id":7,"result":{"content":[]}}`
	p.server.say(done + "\n")
	p.hear.want(done)
}

func TestDeclineAndCancelCarryNoContent(t *testing.T) {
	for _, action := range []elicit.Action{elicit.Decline, elicit.Cancel} {
		p, ui := talk(t, nil)
		p.server.say(askName + "\n")
		next(t, ui.shown).answer(action, []byte(`{"name":"secret"}`), event.ViaPerson)
		p.server.hear.want(`{"jsonrpc":"2.0","id":2,"result":{"action":"` + string(action) + `"}}`)
	}
}

func TestAnswerWithProblemsStaysOpen(t *testing.T) {
	p, ui := talk(t, nil)
	p.server.say(askName + "\n")
	q := next(t, ui.shown)
	q.answer(elicit.Accept, []byte(`{"name":5}`), event.ViaPerson)
	if got := next(t, ui.problems); got.ID != q.ID || len(got.Problems) == 0 {
		t.Errorf("problem: %+v", got)
	}
	q.answer(elicit.Accept, []byte(`{"name":"Ada","extra":1}`), event.ViaPerson)
	p.server.hear.want(`{"jsonrpc":"2.0","id":2,"result":{"action":"accept","content":{"name":"Ada"}}}`)
}

func TestWhatCannotBeAskedIsRefusedInTheServersSpelling(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100)
	cases := []struct{ name, say, id, code string }{
		{"unknown mode", `{"jsonrpc":"2.0","id":"x","method":"elicitation/create","params":{"mode":"voice","message":"m"}}`,
			`"x"`, "-32602"},
		{"nested object", `{"jsonrpc":"2.0","id":3,"method":"elicitation/create",` +
			`"params":{"message":"m",` +
			`"requestedSchema":{"type":"object","properties":{"a":{"type":"object","properties":{}}}}}}`,
			"3", "-32602"},
		{"no params", `{"jsonrpc":"2.0","id":3,"method":"elicitation/create"}`, "3", "-32602"},
		{"duplicate method", `{"jsonrpc":"2.0","id":3,"method":"ping","method":"elicitation/create","params":{}}`, "3",
			"-32600"},
		{"duplicate key inside", `{"jsonrpc":"2.0","id":3,"method":"elicitation/create",` +
			`"params":{"message":"a","message":"b"}}`, "3", "-32600"},
		{"lone surrogate", `{"jsonrpc":"2.0","id":3,"method":"elicitation/create","params":{"message":"\ud800"}}`, "3",
			"-32600"},
		{"cut off", `{"jsonrpc":"2.0","id":3,"method":"elicitation/create","params":{"message":`, "3", "-32600"},
		{"100 deep", `{"jsonrpc":"2.0","id":3,"method":"elicitation/create","params":{"message":"m","requestedSchema":` +
			deep + `}}`, "3", "-32600"},
		{"old version", `{"jsonrpc":"1.0","id":3,"method":"elicitation/create","params":{"message":"m"}}`, "3", "-32600"},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			p, _ := talk(t, nil)
			p.server.say(tt.say + "\n")
			got := p.server.hear.line()
			if want := `{"jsonrpc":"2.0","id":` + tt.id + `,"error":{"code":` + tt.code + `,`; !strings.HasPrefix(got, want) {
				t.Errorf("\n got %s\nwant %s…", got, want)
			}
			p.server.say(marker + "\n")
			p.hear.want(marker)
		})
	}
}

func TestIDReuseIsRefusedWithoutTouchingTheOpenQuestion(t *testing.T) {
	p, ui := talk(t, nil)
	p.server.say(askDeploy + "\n")
	q := next(t, ui.shown)
	p.server.say(askDeploy + "\n")
	if got := p.server.hear.line(); !strings.HasPrefix(got,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"request id 1 is still in use`) {
		t.Errorf("got %s", got)
	}
	p.server.say(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}` + "\n")
	if got := p.server.hear.line(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":null,"error":`) {
		t.Errorf("got %s", got)
	}
	q.answer(elicit.Decline, nil, event.ViaPerson)
	p.server.hear.want(`{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}`)
}

func TestServerTakesAQuestionBack(t *testing.T) {
	p, ui := talk(t, nil)
	p.server.say(askDeploy + "\n")
	q := next(t, ui.shown)
	p.server.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n")
	if got := next(t, ui.withdrawn); got.ID != q.ID || got.Cause != elicit.ByPeerCancelled {
		t.Errorf("withdrawn: %+v", got)
	}
	q.answer(elicit.Accept, nil, event.ViaPerson)
	// Late cancellations of our questions are ours too; anything else passes.
	p.server.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n")
	other := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`
	p.server.say(other + "\n")
	p.hear.want(other)
	p.client(marker)
	p.server.hear.want(marker)
}

func TestClientCancelsTheCallAQuestionBelongsTo(t *testing.T) {
	p, ui, q := askedDuringDeploy(t)
	cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"tired"}}`
	p.client(cancel)
	if got := next(t, ui.withdrawn); got.ID != q.ID {
		t.Errorf("withdrawn: %+v", got)
	}
	got := []string{p.server.hear.line(), p.server.hear.line()}
	want := []string{cancel + "\n", `{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}` + "\n"}
	if got[0] != want[0] || got[1] != want[1] {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

func TestTwoCallsAskAtOnceAndNeitherIsGuessed(t *testing.T) {
	p, ui := talk(t, nil)
	p.client(callDeploy)
	p.client(strings.Replace(callDeploy, `"id":7`, `"id":8`, 1))
	p.server.hear.line()
	p.server.hear.line()
	p.server.say(askDeploy + "\n" + askName + "\n")
	first, second := next(t, ui.shown), next(t, ui.shown)
	if first.Tool != "" || second.Tool != "" {
		t.Errorf("tools: %q %q, want none when two calls are in flight", first.Tool, second.Tool)
	}
	second.answer(elicit.Accept, []byte(`{"name":"Ada"}`), event.ViaPerson)
	p.server.hear.want(`{"jsonrpc":"2.0","id":2,"result":{"action":"accept","content":{"name":"Ada"}}}`)
	first.answer(elicit.Decline, nil, event.ViaPerson)
	p.server.hear.want(`{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}`)
}

func TestServerDeathMidQuestion(t *testing.T) {
	p, ui, q := askedDuringDeploy(t)
	p.server.exit(9)
	if got := next(t, ui.withdrawn); got.ID != q.ID || got.Cause != elicit.BySessionClosed {
		t.Errorf("withdrawn: %+v", got)
	}
	if got := p.hear.line(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,`) {
		t.Errorf("the call's answer: %s", got)
	}
	if got := p.exit(); got != 9 {
		t.Errorf("exit code: got %d want 9", got)
	}
}

func TestClientDeathMidQuestion(t *testing.T) {
	journal := &kept{}
	p, ui := talk(t, func(o *Options) { o.Drive.Journal = journal })
	p.server.say(askDeploy + "\n")
	next(t, ui.shown)
	p.say.Close()
	p.server.hear.want(`{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}`)
	if got := p.server.hear.line(); got != "" {
		t.Errorf("server heard %q, want the end", got)
	}
	next(t, ui.withdrawn)
	p.server.exit(0)
	p.exit()
	if !strings.Contains(journal.String(), `"cause":"shutdown"`) {
		t.Errorf("the journal does not name the cause:\n%s", journal)
	}
}

func TestNobodyIsAskedOnceTheClientIsGone(t *testing.T) {
	p, ui := talk(t, nil)
	p.client(callDeploy)
	p.server.hear.want(callDeploy)
	p.say.Close()
	if got := p.server.hear.line(); got != "" {
		t.Errorf("server heard %q, want the end", got)
	}
	p.server.say(askDeploy + "\n" + inputRequired("7", askB, state) + "\n")
	if got := p.hear.line(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,`) {
		t.Errorf("the call's answer: %s", got)
	}
	p.server.exit(0)
	p.exit()
	if len(ui.shown) > 0 {
		t.Errorf("shown: %+v", <-ui.shown)
	}
}

func TestJournalFailureRefusesEverything(t *testing.T) {
	journal := &kept{}
	p, ui := talk(t, func(o *Options) { o.Drive.Journal = journal })
	p.server.say(askDeploy + "\n")
	next(t, ui.shown)
	journal.mu.Lock()
	journal.err = errors.New("disk full")
	journal.mu.Unlock()
	p.server.say(askName + "\n")
	for range 2 {
		if got := p.server.hear.line(); !strings.Contains(got, `"error":{"code":-32603`) {
			t.Errorf("got %s", got)
		}
	}
	p.server.say(strings.Replace(askName, `"id":2`, `"id":3`, 1) + "\n")
	if got := p.server.hear.line(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":3,"error":{"code":-32603`) {
		t.Errorf("got %s", got)
	}
}

func TestClientMayNotAnswerAQuestionItWasNotAsked(t *testing.T) {
	p, ui := talk(t, nil)
	p.server.say(askDeploy + "\n")
	q := next(t, ui.shown)
	p.client(`{"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}`)
	p.client(marker)
	p.server.hear.want(marker)
	q.answer(elicit.Decline, nil, event.ViaPerson)
	p.server.hear.want(`{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}`)
}

func TestBatchIsPassedOnLessItsElicitations(t *testing.T) {
	p, _ := talk(t, nil)
	p.server.say(`[{"jsonrpc":"2.0","id":5,"method":"ping"}, ` + askDeploy + ` ,{"jsonrpc":"2.0","method":"x"}]` + "\r\n")
	if got, want := p.hear.line(), `[{"jsonrpc":"2.0","id":5,"method":"ping"},`+
		`{"jsonrpc":"2.0","method":"x"}]`+"\n"; got != want {
		t.Errorf("got %q want %q", got, want)
	}
	if got := p.server.hear.line(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600`) {
		t.Errorf("got %s", got)
	}
}

func TestOversizedMessages(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	p, _ := talk(t, func(o *Options) { o.MaxLine = 100 << 10 })
	p.server.say(`{"jsonrpc":"2.0","id":4,"method":"elicitation/create","params":{"message":"` + long + `"}}` + "\n")
	if got := p.server.hear.line(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":4,"error":{"code":-32600`) {
		t.Errorf("a request: got %s", got)
	}
	p.client(callDeploy)
	p.server.hear.want(callDeploy)
	p.server.say(`{"jsonrpc":"2.0","id":7,"result":{"content":"` + long + `"}}` + "\n")
	if got := p.hear.line(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":7,"error":{"code":-32603`) {
		t.Errorf("an answer: got %s", got)
	}
	p.server.say(long + "\n" + marker + "\n")
	p.hear.want(marker)
	p.client(`{"jsonrpc":"2.0","id":8,"method":"x","params":{"a":"` + long + `"}}`)
	if got := p.hear.line(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":8,"error":{"code":-32600`) {
		t.Errorf("a request of the client: got %s", got)
	}
	if !strings.Contains(p.notes.String(), "--max-message") {
		t.Errorf("notes do not say what to do: %s", p.notes)
	}
}
