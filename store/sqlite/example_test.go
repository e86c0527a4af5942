package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/sqlite"
)

// A session outlives the process.
func Example() {
	ctx := context.Background()
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "sessions.db")

	s, _ := sqlite.Open(ctx, path, sqlite.Options{})
	_, _ = s.Commit(ctx, store.Change{Session: "s-1", State: []byte("asked")})
	_ = s.Close()

	s, _ = sqlite.Open(ctx, path, sqlite.Options{})
	defer s.Close()
	saved, err := s.Load(ctx, "s-1")
	fmt.Printf("%s %v\n", saved.State, err)
	// Output: asked <nil>
}
