package store_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
)

// A step is a transaction: load, step, commit, perform, ack.
func Example() {
	ctx := context.Background()
	var s store.Store = memory.New()
	defer s.Close()

	first := store.Change{Session: "s-7f3a", Now: 1000, State: []byte("asked"), Next: 61_000,
		Outbox: []store.Effect{{ID: "send-1", Body: []byte(`{"effect":"send"}`)}}}
	version, err := s.Commit(ctx, first)
	fmt.Println(err)

	saved, _ := s.Load(ctx, "s-7f3a")
	for _, effect := range saved.Outbox {
		fmt.Println("perform", effect.ID)
		_ = s.Ack(ctx, "s-7f3a", effect.ID)
	}

	// Two nodes have loaded the same version. One of them commits.
	answered := store.Change{Session: "s-7f3a", From: version, Now: 2000, State: []byte("answered"),
		Entries: []store.Entry{{ID: "q-1", At: 2000, Tool: "deploy", Outcome: "accept", Text: "Deploy?"}}}
	_, err = s.Commit(ctx, answered)
	fmt.Println(err)
	_, err = s.Commit(ctx, answered)
	fmt.Println(errors.Is(err, store.ErrConflict))

	for entry := range s.History(ctx, store.Query{Tool: "deploy"}) {
		fmt.Println(entry.Text, entry.Outcome)
	}
	// Output:
	// <nil>
	// perform send-1
	// <nil>
	// true
	// Deploy? accept
}
