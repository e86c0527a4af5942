package proxy

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
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
