package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
)

// silent is a client whose person does not answer.
type silent struct{ asked chan struct{} }

func (s silent) Request(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, error) {
	close(s.asked)
	<-ctx.Done()
	return nil, ctx.Err()
}

func (silent) Notify(context.Context, string, json.RawMessage) error { return nil }

// TestOperate lists a question of a running server and takes it back. The handler hears of it, and the history says who
// did it.
func TestOperate(t *testing.T) {
	sessions := memory.New()
	server, err := ask.New(ask.Options{Server: "bot", Store: sessions})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client := silent{make(chan struct{})}
	ended := make(chan error, 1)
	go func() {
		_, err := server.Do(t.Context(), ask.Call{Target: "wipe", Client: ask.Client{Session: "s", Principal: "ann",
			Version: "2025-11-25", Declared: elicit.Modes{Form: true}, Conn: client}},
			func(ctx context.Context) error { return ask.Confirm(ctx, "Delete \x1b[2J all?") })
		ended <- err
	}()
	<-client.asked
	run := func(args ...string) (string, error) {
		var out strings.Builder
		err := operate(t.Context(), ask.Options{Server: "bot", Store: sessions.Handle()}, args, &out)
		return out.String(), err
	}
	if out, err := run("list", "eve"); out != "" || err != nil {
		t.Errorf("somebody else: %q, %v", out, err)
	}
	out, err := run("list", "ann")
	id, rest, _ := strings.Cut(out, "\t")
	if err != nil || !strings.HasPrefix(rest, "ann\twipe\t\"Delete \\x1b[2J all?\"\t") {
		t.Fatalf("%q, %v", out, err)
	}
	if _, err := run("cancel", id); err == nil {
		t.Error("nobody took the question back")
	} else if _, err := run("cancel", id, "ops@example.org"); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, ask.ErrCancelled) {
		t.Errorf("the handler got %v", err)
	}
	entries := 0
	for entry, err := range sessions.History(t.Context(), store.Query{}) {
		if entries++; err != nil || !strings.Contains(string(entry.Body), `"by":"ops@example.org"`) {
			t.Errorf("%s, %v", entry.Body, err)
		}
	}
	if entries != 1 {
		t.Errorf("%d entries", entries)
	}
}
