package proxy

import (
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

const (
	listTools = `{"jsonrpc":"2.0","id":5,"method":"tools/list"}`
	approve   = `{"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{"message":"Run deploy?",` +
		`"requestedSchema":{"type":"object","properties":{}},` +
		`"_meta":{"codex_request_type":"approval_request","codex_approval_kind":"mcp_tool_call","tool_name":"deploy"}}}`
)

// TestWhatTheServerSaysOfItsToolsComesWithTheQuestion: the same approval is given while the tool says it only reads,
// and asked about from the moment it says otherwise.
func TestWhatTheServerSaysOfItsToolsComesWithTheQuestion(t *testing.T) {
	p, someone := talk(t, func(o *Options) {
		o.Config = []byte(`{"policy":{"user":{"version":1,"servers":{"raw":{"trust":true,"approvals":"auto"}}}}}`)
	})
	list := func(hints string) {
		p.client(listTools)
		p.server.hear.want(listTools)
		answer := `{"jsonrpc":"2.0","id":5,"result":{"tools":[{"name":"deploy","inputSchema":{},"annotations":` + hints +
			`}]}}`
		p.server.say(answer + "\n")
		p.hear.want(answer)
	}
	p.client(callDeploy)
	p.server.hear.want(callDeploy)
	list(`{"readOnlyHint":true}`)
	p.server.say(approve + "\n")
	p.server.hear.want(`{"jsonrpc":"2.0","id":9,"result":{"action":"accept","content":{}}}`)
	list(`{"readOnlyHint":true,"destructiveHint":true}`)
	p.server.say(approve + "\n")
	next(t, someone.shown).answer(elicit.Decline, nil, event.ViaPerson)
	p.server.hear.want(`{"jsonrpc":"2.0","id":9,"result":{"action":"decline"}}`)
}

// held is a keeper in memory.
type held struct {
	added chan elicit.Grant
	gone  []elicit.ID
}

func (k *held) Add(g elicit.Grant) error { k.added <- g; return nil }
func (k *held) Revoked() []elicit.ID     { gone := k.gone; k.gone = nil; return gone }

func TestAYesForEverIsKeptAndEndsWhenItIsRevokedElsewhere(t *testing.T) {
	keeper := &held{added: make(chan elicit.Grant, 2)}
	p, someone := talk(t, func(o *Options) {
		o.Grants = keeper
		o.Config = []byte(`{"offer_scopes":true,"policy":{"user":{"version":1,"grants":"always"}}}`)
	})
	p.server.say(askDeploy + "\n")
	q := next(t, someone.shown)
	if len(q.Remember) != 2 {
		t.Errorf("offered %v, want session and always", q.Remember)
	}
	q.give(ui.Given{Action: elicit.Accept, Remember: elicit.Always})
	accepted := `{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{}}}`
	p.server.hear.want(accepted)
	g := next(t, keeper.added)
	if g.Scope != elicit.Always || g.Server != "raw" || g.Message != "Deploy?" {
		t.Errorf("kept %+v", g)
	}
	p.server.say(askDeploy + "\n")
	p.server.hear.want(accepted) // by the grant: nobody was shown anything
	p.client(marker)             // what follows is read after this
	p.server.hear.want(marker)
	keeper.gone = []elicit.ID{g.ID}
	p.server.say(askDeploy + "\n")
	next(t, someone.shown).answer(elicit.Cancel, nil, event.ViaPerson)
	p.server.hear.want(`{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}`)
}

func TestAMutedServerIsNotShownAgain(t *testing.T) {
	p, someone := talk(t, nil)
	p.server.say(askDeploy + "\n")
	next(t, someone.shown).give(ui.Given{Action: elicit.Decline, Mute: true})
	p.server.hear.want(`{"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}`)
	p.server.say(askName + "\n")
	p.server.hear.want(`{"jsonrpc":"2.0","id":2,"result":{"action":"cancel"}}`)
	select {
	case q := <-someone.shown:
		t.Errorf("shown %q of a muted server", q.Message)
	default:
	}
}
