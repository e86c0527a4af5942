package encrypted_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/encrypted"
	"github.com/elicit-engine/elicit/store/memory"
)

// What is at rest without encryption is refused.
func Example() {
	ctx := context.Background()
	inner := memory.New()
	s, err := encrypted.New(inner, encrypted.Ring{Names: bytes.Repeat([]byte{1}, 32), // from your secrets
		Keys: []encrypted.Key{{ID: "2026-11", Secret: bytes.Repeat([]byte{2}, 32)}}})
	if err != nil {
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
