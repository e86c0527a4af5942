// Package postgres keeps sessions in PostgreSQL, which many nodes share, also those in TypeScript and Python.
//
//	pool, err := pgxpool.New(ctx, "postgres://app@db.example/app")
//	s, err := postgres.New(ctx, pool, postgres.Options{})
//
// A commit is one statement, and is on the server's disk when Commit returns. A server that confirms transactions
// before that is refused. A failover loses what the replica does not have, unless the server waits for it
// (synchronous_standby_names). A handle hears of commits on one connection of its own, by LISTEN.
package postgres

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elicit-engine/elicit/store"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Options are choices of one handle. The zero value is good.
type Options struct {
	Schema string // which has the tables; "" is "elicit". Handles with one schema share their data
}

// Store is a handle on sessions in PostgreSQL. It implements store.Store.
type Store struct {
	pool     *pgxpool.Pool
	schema   string
	sql      map[string]string // statements by name
	patience time.Duration     // after which the handle finds out whether it hears anything
	gate     store.Gate
	calls    atomic.Uint64 // for the sweep
	hears    sync.Once
	watch    store.Wakers
	open     context.Context // ends with Close
	end      context.CancelFunc
	ended    sync.WaitGroup
}

const format = 1 // of the tables

// text has every statement, because the packages for TypeScript and Python carry the same ones.
//
//go:embed statements.sql
var text string

// New returns a handle that uses the pool, and leaves it open when it is closed. It makes the schema and its tables if
// they are not there. ErrNewer says that a newer program made them.
func New(ctx context.Context, pool *pgxpool.Pool, o Options) (*Store, error) {
	s := &Store{pool: pool, schema: o.Schema, sql: map[string]string{}, patience: 5 * time.Second}
	s.schema = cmp.Or(s.schema, "elicit")
	if len(s.schema) > 63 || strings.Contains(s.schema, "\x00") { // the server would use another name
		return nil, errors.New("the name of a schema has at most 63 bytes, and no NUL")
	}
	// A statement begins with a line such as "-- get_due" or "-- tables: a remark", and @ is the schema.
	for _, block := range strings.Split("\n"+text, "\n-- ")[1:] {
		head, body, _ := strings.Cut(block, "\n")
		name, _, _ := strings.Cut(head, ":")
		s.sql[name] = strings.ReplaceAll(body, "@", pgx.Identifier{s.schema}.Sanitize())
	}
	s.open, s.end = context.WithCancel(context.Background())
	if err := s.prepare(ctx); err != nil {
		return nil, fmt.Errorf("opening the store in PostgreSQL: %w", s.errorOf(ctx, err))
	}
	return s, nil
}

var (
	errEarly = errors.New("the server confirms commits that are not on its disk: turn synchronous_commit and fsync on")
	errOlder = errors.New("an older program made the tables, and no program goes on with them: drop the schema, or name " +
		"another in Options.Schema")
)

// prepare makes the tables. Of several processes one does.
func (s *Store) prepare(ctx context.Context) error {
	var early, there, older bool
	found := format
	err := s.pool.QueryRow(ctx, s.sql["look"], s.schema).Scan(&early, &there, &older)
	switch {
	case err != nil:
		return err
	case early:
		return errEarly
	case !there:
		if _, err := s.pool.Exec(ctx, s.sql["tables"]); err != nil {
			return err
		}
	}
	err = s.pool.QueryRow(ctx, s.sql["format"]).Scan(&found)
	switch {
	case err != nil:
	case found > format:
		err = fmt.Errorf("%w: format %d, and this program knows %d", store.ErrNewer, found, format)
	case found < format || older:
		err = errOlder
	}
	return err
}

// errorOf turns an error of PostgreSQL into one of the store's.
func (s *Store) errorOf(ctx context.Context, err error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		err = store.ErrUnknown
	}
	const diskFull = "53100"
	return s.gate.Failed(ctx, err, func(err error) bool { return code(err) == diskFull }, store.ErrConflict,
		store.ErrNewer, store.ErrUnknown, errEarly, errOlder)
}

// code is the SQLSTATE of an error of the server, "" of another error.
func code(err error) string {
	of := (*pgconn.PgError)(nil)
	if !errors.As(err, &of) {
		return ""
	}
	return of.Code
}

// Commit implements store.Store.
func (s *Store) Commit(ctx context.Context, c store.Change) (uint64, error) {
	if err := c.Check(); err != nil {
		return 0, err
	}
	n := len(c.Entries)
	at, id, server, tool := make([]int64, n), make([][]byte, n), make([][]byte, n), make([][]byte, n)
	outcome, text, body := make([][]byte, n), make([][]byte, n), make([][]byte, n)
	for i, e := range c.Entries {
		at[i], id[i], server[i], tool[i] = e.At, []byte(e.ID), []byte(e.Server), []byte(e.Tool)
		outcome[i], text[i], body[i] = []byte(e.Outcome), []byte(e.Text), e.Body
	}
	done, err := query(ctx, s, func(pgx.CollectableRow) (bool, error) { return true, nil }, "commit", []byte(c.Session),
		c.From, c.Version(), c.Next, c.Expires, c.State, c.KeepRecords, c.Records, c.Keep, at, id, server, tool, outcome,
		text, body, s.schema)
	switch code(err) {
	case "23505", "40001", "40P01": // a version that is taken, serialization, a deadlock
		return 0, store.ErrConflict
	}
	if err == nil && len(done) == 0 {
		err = store.ErrConflict
	}
	if err != nil {
		return 0, err
	}
	s.watch.Wake(c.Session, c.Version())
	s.sweep(ctx, c.Now)
	return c.Version(), nil
}

// Redeem implements store.Store.
func (s *Store) Redeem(ctx context.Context, id string, now, expires int64) error {
	if err := s.gate.Begin(ctx, store.CheckRedeem(id, now, expires)); err != nil {
		return err
	}
	done, err := s.pool.Exec(ctx, s.sql["redeem"], []byte(id), expires+store.Skew)
	if err == nil && done.RowsAffected() == 0 {
		return store.ErrRedeemed
	}
	s.sweep(ctx, now)
	return s.errorOf(ctx, err)
}

// sweep forgets some of what may be forgotten, at every 16th call.
func (s *Store) sweep(ctx context.Context, now int64) {
	if s.calls.Add(1)%16 == 0 {
		_, _ = s.pool.Exec(ctx, s.sql["forget"], now)
	}
}

// Close implements store.Store. The pool stays open.
func (s *Store) Close() error {
	if s.gate.Close() {
		s.end()
		s.watch.Close()
		s.ended.Wait()
	}
	return nil
}
