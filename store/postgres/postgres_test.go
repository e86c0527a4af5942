package postgres_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/postgres"
	"github.com/elicit-engine/elicit/store/storetest"
	"github.com/elicit-engine/elicit/testdata/pgserver"
	"github.com/jackc/pgx/v5/pgxpool"
)

// pool connects to a server as a node does.
func pool(t testing.TB, s *pgserver.Server, edit ...func(*pgxpool.Config)) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(s.URL())
	must.OK(t, err)
	for _, e := range edit {
		e(config)
	}
	p, err := pgxpool.NewWithConfig(t.Context(), config)
	must.OK(t, err)
	t.Cleanup(p.Close)
	return p
}

// handle opens a handle with a pool of its own.
func handle(t testing.TB, s *pgserver.Server, schema string, edit ...func(*pgxpool.Config)) *postgres.Store {
	t.Helper()
	h, err := postgres.New(t.Context(), pool(t, s, edit...), postgres.Options{Schema: schema})
	must.OK(t, err)
	t.Cleanup(func() { _ = h.Close() })
	return h
}

func TestStore(t *testing.T) {
	t.Parallel()
	s := pgserver.Start(t)
	n := atomic.Int32{}
	storetest.Run(t, func(t *testing.T) func() store.Store {
		schema := fmt.Sprintf(`odd "name'; --@ %d`, n.Add(1))
		return func() store.Store { return handle(t, s, schema) }
	})
}
