// Command client is a host in Go: a connection through the first package, and an engine that moves.
package main

import (
	"context"
	"fmt"

	"github.com/elicit-engine/elicit"
	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	nouns "github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

const (
	hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"kept","version":"1"}}}`
	welcome = `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},` +
		`"serverInfo":{"name":"backup","version":"1"}}}`
	schema   = `{"type":"object","properties":{"days":{"type":"integer","maximum":30}},"required":["days"]}`
	question = `{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Keep for how long?",` +
		`"requestedSchema":` + schema + `}}`
	policy = `{"version":1,"rules":[{"name":"no-url","when":{"mode":"url"},"then":"decline"}]}`
)

func main() {
	connection()
	move()
	asks()
}

func connection() {
	sent := make(chan string, 8)
	conn, err := elicit.Open(elicit.Connection{Server: "backup", Role: elicit.AsClient,
		Modes:  []elicit.Mode{elicit.FormMode},
		Config: elicit.Config{Policy: elicit.Policies{User: []byte(policy)}}}, elicit.Host{
		ToClient: func([]byte) {},
		ToServer: func(message []byte) { sent <- string(message) },
		Ask: func(_ context.Context, q elicit.Question) elicit.Answer {
			fmt.Println("asked:", q.Server, q.Message, q.Form.Fields[0].Label)
			return elicit.Answer{Action: elicit.Accept, Content: map[string]int{"days": 7}}
		},
	}, elicit.Options{})
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	_ = conn.FromClient([]byte(hello))
	<-sent
	_ = conn.FromServer([]byte(welcome))
	_ = conn.FromServer([]byte(question))
	fmt.Println("sent:", <-sent)
}

func move() {
	first, second := engine.New(), engine.New()
	first.Step(engine.Input{Event: event.Configured{Config: []byte(`{"policy":{"user":` + policy + `}}`)}})
	first.Step(engine.Input{At: 1000, Event: event.Opened{Session: "s", Server: "backup", Side: nouns.Answering,
		Declared: nouns.Modes{Form: true}, Shown: nouns.Modes{Form: true}}})
	first.Step(engine.Input{At: 1000, Random: [32]byte{1}, Event: event.Asked{Request: nouns.Request{Session: "s",
		Ref: "1", Mode: nouns.Form, Message: "Keep?", Schema: []byte(schema)}}})
	state, _ := first.Save("s")
	for _, next := range second.Step(engine.Input{At: 2000, Event: event.Resumed{State: state}}) {
		if show, shown := next.(effect.Show); shown {
			second.Step(engine.Input{At: 3000, Event: event.Answered{Session: "s", ID: show.ID, Action: nouns.Decline}})
			fmt.Println("resumed:", show.Message, len(show.Form.Fields), len(second.Sessions()))
		}
	}
}

func asks() {
	asker, err := ask.New(ask.Options{Server: "bot"})
	if err != nil {
		panic(err)
	}
	defer asker.Close()
	call := ask.Call{Target: "deploy", Client: ask.Client{Version: "2026-07-28", Declared: nouns.Modes{Form: true}}}
	done, err := asker.Do(context.Background(), call, func(ctx context.Context) error { return ask.Confirm(ctx, "Go?") })
	fmt.Println("rounds:", len(done.Result) > 0, err)
}
