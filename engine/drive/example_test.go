package drive_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/elicit-engine/elicit/engine/drive"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/engine/wire/codex"
)

type printer struct{}

func (printer) Forward(to relay.End)          { fmt.Println("forward to the", to) }
func (printer) Send(to relay.End, msg []byte) { fmt.Printf("send to the %s: %s\n", to, msg) }
func (printer) Perform(next relay.Effect) {
	if show, ok := next.(effect.Show); ok {
		fmt.Println("show:", show.Message)
	}
}

// Policy declines a question, so no one sees it. Every other message passes.
func ExampleNew() {
	both := elicit.Modes{Form: true, URL: true}
	d, err := drive.New(relay.Config{
		Server: "backup", Modes: both, Session: &relay.Session{Version: "2025-11-25", Declared: both},
		Engine: []byte(`{"policy":{"user":{"version":1,"rules":[{"when":{"server":"backup"},"then":"decline"}]}}}`),
	}, printer{}, drive.Options{})
	if err != nil {
		panic(err)
	}
	defer d.Shutdown()
	_ = d.Receive(relay.Server, []byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info",`+
		`"data":"hello"}}`))
	_ = d.Receive(relay.Server, []byte(`{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":`+
		`{"message":"Go on?","requestedSchema":{"type":"object","properties":{}}}}`))
	// Output:
	// forward to the client
	// send to the server: {"jsonrpc":"2.0","id":7,"result":{"action":"decline"}}
}

// Package wire/codex has the types of what Codex asks.
func ExampleHandlers() {
	answers := make(chan string)
	handlers := drive.Handlers{Receive: func(_ relay.End, message []byte) error {
		answers <- string(message)
		return nil
	}}
	handlers.On(codex.MethodCommand, func(ctx context.Context, params []byte) ([]byte, error) {
		q, refused := codex.Decode(codex.MethodCommand, params, nil)
		if refused != nil {
			return nil, errors.New("the question cannot be read")
		}
		fmt.Println(q.Request.Tool, "in thread", q.Thread)
		return q.AppendResult(nil, codex.Answer{Action: elicit.Accept, Scope: elicit.Once}), nil
	})
	handlers.Take([]byte(`{"id":1,"method":"item/commandExecution/requestApproval","params":{"threadId":"t",` +
		`"turnId":"u","itemId":"i","startedAtMs":1,"command":"ls","cwd":"/w"}}`))
	fmt.Println(<-answers)
	// Output:
	// shell in thread t
	// {"id":1,"result":{"decision":"accept"}}
}
