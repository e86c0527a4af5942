package encrypted_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/encrypted"
	"github.com/elicit-engine/elicit/store/memory"
)

// What is at rest without encryption is refused.
func Example() {
	ctx := context.Background()
	inner := memory.New()
	names, bad1 := seal.NewKey("names", bytes.Repeat([]byte{1}, 32)) // from your secrets
	key, bad2 := seal.NewKey("2026-11", bytes.Repeat([]byte{2}, 32))
	ring, bad3 := seal.NewRing(key)
	s, bad4 := encrypted.New(inner, names, ring)
	if err := errors.Join(bad1, bad2, bad3, bad4); err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	_, _ = s.Commit(ctx, store.Change{Session: "s-1", State: []byte("asked")})
	saved, err := s.Load(ctx, "s-1")
	fmt.Printf("%s %v\n", saved.State, err)
	_, err = inner.Load(ctx, "s-1")
	fmt.Println(err)
	// Output:
	// asked <nil>
	// store: there is no such session
}
