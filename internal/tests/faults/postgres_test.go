package faults

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/postgres"
	"github.com/elicit-engine/elicit/testdata/pgserver"
)

// postgresHandle opens a handle as a node has, when the server is there.
func postgresHandle(t *testing.T, s *pgserver.Server) store.Store {
	pool, err := pgxpool.New(context.Background(), s.URL())
	must.OK(t, err)
	for {
		h, err := postgres.New(context.Background(), pool, postgres.Options{})
		if err == nil {
			return pooled{h, pool}
		}
		time.Sleep(time.Millisecond) // between two looks
	}
}

// pooled closes the pool, too.
type pooled struct {
	*postgres.Store
	pool *pgxpool.Pool
}

func (p pooled) Close() error {
	err := p.Store.Close()
	p.pool.Close()
	return err
}

// crashes are those of a PostgreSQL: every third time the server ends without saving, else all its connections end.
type crashes struct {
	t *testing.T
	*pgserver.Server
}

func (c crashes) disturb(n int) string {
	if n%3 == 1 {
		c.Kill()
		c.Run(c.t)
		return "kill of the store"
	}
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, c.URL())
	if err == nil {
		defer pool.Close()
		_, err = pool.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`)
	}
	if err != nil {
		c.t.Error(err)
	}
	return "cut"
}
