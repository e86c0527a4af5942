package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// moment is long enough for a message to reach the other process, and short enough for a demonstration.
const moment = 200 * time.Millisecond

func after(do func()) { time.AfterFunc(moment, do) }

func confirmation(message string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: message, RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)}
}

// two has two questions open at once.
func two(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	a := ask(req)
	questions := []struct{ key, message string }{
		{"first", "First question: go on?"},
		{"second", "Second question: really?"},
	}
	var mu sync.Mutex
	said := map[string]string{}
	var failed error
	put := func(key string, answer *mcp.ElicitResult, err error) {
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			failed = err
			return
		}
		said[key] = answer.Action
	}
	var wait sync.WaitGroup
	for _, q := range questions {
		one := func() {
			answer, err := a.question(ctx, q.key, confirmation(q.message))
			put(q.key, answer, err)
		}
		if a.rounds { // question only collects, and its map has no lock
			one()
		} else {
			wait.Go(one)
		}
	}
	wait.Wait()
	if failed != nil {
		return a.finish(failed, "two/both")
	}
	return say(fmt.Sprintf("first: %s, second: %s", said["first"], said["second"])), nil
}

// slow withdraws its question. The SDK sends notifications/cancelled, and drops an answer that arrives too late.
func slow(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	in := struct{ Ms int }{Ms: int(moment / time.Millisecond)}
	if err := arguments(req, &in); err != nil {
		return nil, err
	}
	a := ask(req)
	if a.rounds {
		return fail("In " + dateRounds + " a server cannot take a question back."), nil
	}
	short, stop := context.WithTimeout(ctx, time.Duration(in.Ms)*time.Millisecond)
	defer stop()
	answer, err := a.question(short, "slow", confirmation("Quick, are you there?"))
	if short.Err() != nil {
		return say("Nobody answered in time; the question was taken back."), nil
	}
	if err != nil {
		return a.finish(err, "")
	}
	return say(outcome("Quick enough.", answer)), nil
}

// crash ends the process while its question is open; with rounds, during the retry.
func crash(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	a := ask(req)
	if !a.rounds {
		after(func() { os.Exit(3) })
	}
	_, err := a.question(ctx, "crash", confirmation("Shall I fall over?"))
	if err != nil {
		return a.finish(err, "crash/asked")
	}
	os.Exit(3)
	return nil, nil
}
