package store_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
)

// A step is a transaction: load, step, commit.
func Example() {
	ctx := context.Background()
	var s store.Store = memory.New()
	defer s.Close()

	first := store.Change{Session: "s-7f3a", Now: 1000, State: []byte("asked"), Next: 61_000}
	version, err := s.Commit(ctx, first)
	fmt.Println(err)

	saved, _ := s.Load(ctx, "s-7f3a")
	fmt.Printf("%s, due at %d\n", saved.State, saved.Next)

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
	// asked, due at 61000
	// <nil>
	// true
	// Deploy? accept
}
