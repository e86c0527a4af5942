package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/sqlite"
	"github.com/elicit-engine/elicit/store/storetest"
)

// open opens a handle that the test closes.
func open(t *testing.T, path string, o sqlite.Options) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, o)
	must.OK(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestStore(t *testing.T) {
	t.Parallel() // it waits for the next look at the file
	storetest.Run(t, func(t *testing.T) func() store.Store {
		path := filepath.Join(t.TempDir(), "odd name?#%25.db")
		return func() store.Store { return open(t, path, sqlite.Options{}) }
	})
}
