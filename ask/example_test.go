package ask_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// person is a client whose person answers every form in the same way.
type person string

func (p person) Request(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	var asked struct{ Message string }
	if err := json.Unmarshal(params, &asked); err != nil {
		return nil, err
	}
	fmt.Println("client:", asked.Message)
	return json.RawMessage(p), nil
}

func (person) Notify(context.Context, string, json.RawMessage) error { return nil }

// A handler asks for a region and a number. An adapter such as ask/gosdk calls Do for every call of a tool.
func Example() {
	asker, err := ask.New(ask.Options{Server: "deploy-bot"})
	if err != nil {
		panic(err)
	}
	defer asker.Close()

	type deploy struct {
		Region string `json:"region" title:"Region" enum:"eu:Europe,us:America"`
		Count  int    `json:"count" min:"1" max:"20" default:"2"`
	}
	handler := func(ctx context.Context) error {
		where, err := ask.Form[deploy](ctx, "Where should it run?")
		if errors.Is(err, ask.ErrDeclined) {
			fmt.Println("tool: nothing is deployed")
			return nil
		}
		if err == nil {
			fmt.Printf("tool: %d in %s\n", where.Count, where.Region)
		}
		return err
	}

	call := ask.Call{Target: "deploy", Client: ask.Client{Session: "1", Version: "2025-11-25",
		Declared: elicit.Modes{Form: true}}}
	for _, answer := range []person{`{"action":"accept","content":{"region":"eu","count":3}}`, `{"action":"decline"}`} {
		call.Conn = answer
		if _, err := asker.Do(context.Background(), call, handler); err != nil {
			panic(err)
		}
	}
	// Output:
	// client: Where should it run?
	// tool: 3 in eu
	// client: Where should it run?
	// tool: nothing is deployed
}

// A handler shows a plan and then runs that plan. The client of 2026-07-28 makes the call again with the answer, so the
// handler runs twice, and the plan is made once.
func ExampleOnce() {
	asker, err := ask.New(ask.Options{Server: "migrate-bot"})
	if err != nil {
		panic(err)
	}
	defer asker.Close()
	handler := func(ctx context.Context) error {
		plan, err := ask.Once(ctx, func(context.Context) ([]string, error) {
			fmt.Println("tool: makes a plan")
			return []string{"add column", "fill column"}, nil
		})
		if err != nil {
			return err
		}
		if err := ask.Confirm(ctx, fmt.Sprintf("Run these %d steps?", len(plan))); err != nil {
			return err // also ask.ErrInterrupted, in the first run
		}
		fmt.Println("tool: runs", plan)
		return nil
	}

	call := ask.Call{Target: "migrate", Client: ask.Client{Version: "2026-07-28", Declared: elicit.Modes{Form: true}}}
	first, err := asker.Do(context.Background(), call, handler)
	if err != nil {
		panic(err)
	}
	var result struct {
		InputRequests map[string]struct{ Params struct{ Message string } }
		RequestState  string
	}
	if err := json.Unmarshal(first.Result, &result); err != nil {
		panic(err)
	}
	for key, request := range result.InputRequests {
		fmt.Println("client:", request.Params.Message)
		call.Responses = fmt.Appendf(nil, `{%q:{"action":"accept","content":{}}}`, key)
	}
	call.State = result.RequestState
	if _, err := asker.Do(context.Background(), call, handler); err != nil {
		panic(err)
	}
	// Output:
	// tool: makes a plan
	// client: Run these 2 steps?
	// tool: runs [add column fill column]
}
