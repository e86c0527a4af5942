package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/ask/gosdk"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
)

// asking measures the asking side: a tool that asks with package ask beside one that asks with the SDK alone, both over
// the SDK's in-memory transport, and the tokens that a client carries.
func asking() ([]*contest, []row) {
	form := strictForm()
	rival, closeRival := goSDK(form)
	ours, closeOurs := askGoSDK(form, nil)
	kept, closeKept := askGoSDK(form, memory.New())
	token := sealing()
	c := &contest{procs: 2, batch: batch, batches: batches, lines: []*line{rival, ours, kept}, close: func() {
		closeRival()
		closeOurs()
		closeKept()
	}}
	alone := &contest{procs: 1, batch: batch, batches: batches, lines: []*line{token}}
	young, old := asksLong(form, 0), asksLong(form, 100_000)
	long := &contest{procs: 2, batch: batch, batches: batches, lines: []*line{young, old}}
	return []*contest{c, alone, long}, []row{
		{path: "a tool that asks with package ask", ours: ours, against: rival, most: 0.6},
		{path: "the same with store/memory", ours: kept, against: ours, most: 1.2},
		{path: "a question in a session of 10^5 questions", ours: old, against: young, most: 1.5},
		{path: "seal and open a state", ours: token, most: 10_000, kind: absolute,
			what: "engine/seal, a state with an answer of 376 bytes"},
	}
}

// askGoSDK is the tool of goSDK with package ask. The client is the same.
func askGoSDK(form []byte, kept store.Store) (*line, func()) {
	asker, err := ask.New(ask.Options{Server: "bench", Config: json.RawMessage(wholeConfig), Store: kept})
	must(err)
	server := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	gosdk.Install(server, asker)
	mcp.AddTool(server, &mcp.Tool{Name: "ask"}, func(ctx context.Context, _ *mcp.CallToolRequest,
		_ struct{}) (*mcp.CallToolResult, any, error) {
		if _, err := ask.Raw(ctx, ask.Question{Mode: elicit.Form, Message: question, Schema: form}); err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil, nil
	})
	return sdkCalls("package ask in the official Go SDK 1.8.0", server, asker.Close)
}

// accepts is a client that answers every request at once.
type accepts struct{}

func (accepts) Request(context.Context, string, json.RawMessage) (json.RawMessage, error) {
	return json.RawMessage(`{"action":"accept","content":` + string(rightAnswer) + `}`), nil
}

func (accepts) Notify(context.Context, string, json.RawMessage) error { return nil }

// asksLong asks in one session of store/memory, which has had some questions already.
func asksLong(form []byte, had int) *line {
	asker, err := ask.New(ask.Options{Server: "bench", Config: json.RawMessage(wholeConfig), Store: memory.New(),
		Keep: time.Second})
	must(err)
	call := ask.Call{Target: "ask", Client: ask.Client{Session: "s", Version: "2025-11-25",
		Declared: elicit.Modes{Form: true}, Conn: accepts{}}}
	run := func(n int) {
		for range n {
			_, err := asker.Do(context.Background(), call, func(ctx context.Context) error {
				_, err := ask.Raw(ctx, ask.Question{Mode: elicit.Form, Message: question, Schema: form})
				return err
			})
			must(err)
		}
	}
	run(had)
	return &line{name: "an asker with store/memory", unit: "ns", run: run}
}

// sealing seals a small state and opens it again.
func sealing() *line {
	key, err := seal.NewKey("1", make([]byte, seal.MinSecret))
	must(err)
	ring, err := seal.NewRing(key)
	must(err)
	claims := seal.Claims{ID: seal.ID([32]byte{}, seal.State, 0), Principal: "ada", Method: "tools/call",
		Target: "deploy", Audience: "bench", IssuedAt: 1, ExpiresAt: 1000, Body: rightAnswer}
	want := seal.Expected{Principal: "ada", Method: "tools/call", Target: "deploy", Audience: "bench", Now: 2}
	var random [32]byte
	var token []byte
	return &line{name: "engine/seal", unit: "ns", run: func(n int) {
		for i := range n {
			random[0], random[1] = byte(i), byte(i>>8)
			token, err = ring.Seal(token[:0], random, seal.State, claims)
			must(err)
			_, problem := ring.Open(token, seal.State, want)
			mustHold(problem == nil, "the token is refused")
		}
	}}
}

// strictForm is the form of the other benchmarks without the keywords that MCP does not have: the asking side refuses
// them.
func strictForm() []byte {
	var schema map[string]any
	must(json.Unmarshal(formText, &schema))
	delete(schema, "title")
	delete(schema, "description")
	for _, property := range schema["properties"].(map[string]any) {
		delete(property.(map[string]any), "pattern")
	}
	form, err := json.Marshal(schema)
	must(err)
	return form
}
