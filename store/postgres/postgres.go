// Package postgres keeps sessions in PostgreSQL, which many nodes share.
//
//	pool, err := pgxpool.New(ctx, "postgres://app@db.example/app")
//	s, err := postgres.New(ctx, pool, postgres.Options{})
//
// A commit is one transaction, and is on the server's disk when Commit returns. A server that confirms transactions
// before that is refused. A failover loses what the replica does not have, unless the server waits for it
// (synchronous_standby_names). A handle hears of commits on one connection of its own, by LISTEN.
package postgres

import (
	"context"
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
	patience time.Duration // between two notes that find out whether the handle hears anything
	gate     store.Gate
	calls    atomic.Uint64 // for the sweep
	hears    sync.Once
	watch    store.Wakers
	open     context.Context // ends with Close
	end      context.CancelFunc
	ended    sync.WaitGroup
}

const (
	format = 1          // of the tables
	lock   = 0x456c6374 // "Elct": who makes the tables has this advisory lock
)

// tables make a schema a store; @ stands for the schema. Names are bytea, because text has no NUL, and because two
// names are equal only if their bytes are.
const tables = `CREATE SCHEMA IF NOT EXISTS @;
CREATE TABLE @.format(version int);
INSERT INTO @.format VALUES (1);
CREATE TABLE @.session(name bytea PRIMARY KEY, version bigint NOT NULL, due bigint NOT NULL,
	expires bigint NOT NULL, state bytea NOT NULL);
CREATE INDEX ON @.session(due, name) WHERE due > 0;
CREATE INDEX ON @.session(expires) WHERE expires > 0;
CREATE TABLE @.record(session bytea, version bigint, place int, keep bigint NOT NULL, line bytea,
	PRIMARY KEY (session, version, place));
CREATE INDEX ON @.record(keep) WHERE keep > 0;
CREATE TABLE @.entry(at bigint, session bytea, id bytea, server bytea, tool bytea, outcome bytea, keep bigint NOT NULL,
	text bytea, body bytea, PRIMARY KEY (session, id));
CREATE INDEX ON @.entry(at, session, id);
CREATE INDEX ON @.entry(keep) WHERE keep > 0;
CREATE TABLE @.redeemed(id bytea PRIMARY KEY, until bigint NOT NULL);
CREATE INDEX ON @.redeemed(until);`

// New returns a handle that uses the pool, and leaves it open when it is closed. It makes the schema and its tables if
// they are not there. ErrNewer says that a newer program made them.
func New(ctx context.Context, pool *pgxpool.Pool, o Options) (*Store, error) {
	s := &Store{pool: pool, schema: o.Schema, patience: 5 * time.Second}
	if s.schema == "" {
		s.schema = "elicit"
	}
	if len(s.schema) > 63 || strings.Contains(s.schema, "\x00") { // the server would use another name
		return nil, errors.New("the name of a schema has at most 63 bytes, and no NUL")
	}
	s.open, s.end = context.WithCancel(context.Background())
	if err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { return s.prepare(ctx, tx) }); err != nil {
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
func (s *Store) prepare(ctx context.Context, tx pgx.Tx) error {
	var early, there, older bool
	found := format
	if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", lock); err != nil {
		return err
	}
	if err := tx.QueryRow(ctx, `SELECT 'off' IN (current_setting('synchronous_commit'), current_setting('fsync')),
		to_regclass($1) IS NOT NULL, to_regclass($2) IS NOT NULL`, s.sql("@.format"), s.sql("@.outbox")).Scan(&early,
		&there, &older); err != nil {
		return err
	}
	var err error
	switch {
	case early:
		return errEarly
	case there:
		err = tx.QueryRow(ctx, s.sql("SELECT coalesce(max(version), 0) FROM @.format")).Scan(&found)
	default:
		_, err = tx.Exec(ctx, s.sql(tables))
	}
	switch {
	case err != nil:
	case found > format:
		err = fmt.Errorf("%w: format %d, and this program knows %d", store.ErrNewer, found, format)
	case found < format || older: // the tables with an outbox had the same number
		err = errOlder
	}
	return err
}

// sql puts the schema into a statement.
func (s *Store) sql(text string) string {
	return strings.ReplaceAll(text, "@", pgx.Identifier{s.schema}.Sanitize())
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

// Close implements store.Store. The pool stays open.
func (s *Store) Close() error {
	if s.gate.Close() {
		s.end()
		s.watch.Close()
		s.ended.Wait()
	}
	return nil
}
