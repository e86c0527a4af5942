package memory_test

import (
	"context"
	"fmt"

	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
)

// Two handles stand for two nodes.
func Example() {
	ctx := context.Background()
	a := memory.New()
	b := a.Handle()
	wakes, stop, _ := b.Watch(ctx, "s-1")
	defer stop()
	_, _ = a.Commit(ctx, store.Change{Session: "s-1", State: []byte("answered")})
	<-wakes
	saved, _ := b.Load(ctx, "s-1")
	fmt.Printf("%s\n", saved.State)
	// Output: answered
}
