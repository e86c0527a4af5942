package postgres_test

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/postgres"
	"github.com/elicit-engine/elicit/store/storetest"
	"github.com/elicit-engine/elicit/testdata/pgserver"
	"github.com/jackc/pgx/v5/pgxpool"
)

func do(t *testing.T, p *pgxpool.Pool, text string, args ...any) {
	t.Helper()
	if _, err := p.Exec(t.Context(), text, args...); err != nil {
		t.Fatal(text, err)
	}
}

// until waits until something is so.
func until(t *testing.T, is func() bool, what string) {
	t.Helper()
	for !is() {
		if t.Context().Err() != nil {
			t.Fatal("it never happened: " + what)
		}
		time.Sleep(time.Millisecond) // between two looks
	}
}

// seen waits for wakes until the session has a version. No wake is left over before.
func seen(t *testing.T, wakes <-chan uint64, s store.Store, session string, version uint64) {
	t.Helper()
	for {
		select {
		case <-wakes:
		case <-time.After(time.Minute):
			t.Fatal("no wake came")
		}
		if saved, err := s.Load(t.Context(), session); err == nil && saved.Version == version {
			return
		}
	}
}

// wire is a connection that a test harms.
type wire struct {
	net.Conn
	deaf *atomic.Int32 // nothing arrives any more on a connection that is older than this
	age  int32
	lost atomic.Bool // the reply
}

// lose is in a commit whose reply is lost.
const lose = "lose the reply to this"

func (w *wire) Write(b []byte) (int, error) {
	if strings.Contains(string(b), lose) {
		w.lost.Store(true)
	}
	return w.Conn.Write(b)
}

func (w *wire) Read(into []byte) (int, error) {
	n, err := w.Conn.Read(into)
	if w.lost.Load() { // not before the reply came: a connection that ends earlier may take the commit with it
		return 0, io.EOF
	}
	for err == nil && w.deaf.Load() > w.age {
		n, err = w.Conn.Read(into)
	}
	return n, err
}

// harmed lets a pool connect by wires.
func harmed(deaf *atomic.Int32) func(*pgxpool.Config) {
	return func(c *pgxpool.Config) {
		c.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
			return &wire{Conn: conn, deaf: deaf, age: deaf.Load()}, err
		}
	}
}

// TestReplyLost loses the reply to a COMMIT. The call says that the commit may have happened, and it has.
func TestReplyLost(t *testing.T) {
	t.Parallel()
	s := pgserver.Start(t)
	h, other := handle(t, s, "", harmed(&atomic.Int32{})), handle(t, s, "")
	version := storetest.Put(t, h, "a", 0)
	_, err := h.Commit(t.Context(), store.Change{Session: "a", From: version, State: []byte(lose),
		Records: [][]byte{[]byte("line")}})
	if !errors.Is(err, store.ErrUnavailable) {
		t.Fatalf("a commit whose reply was lost: %v", err)
	}
	until(t, func() bool {
		saved, err := other.Load(t.Context(), "a")
		return err == nil && saved.Version == version+1
	}, "the commit counts")
	_, err = h.Commit(t.Context(), store.Change{Session: "a", From: version, State: []byte("again")})
	if !errors.Is(err, store.ErrConflict) {
		t.Errorf("the same commit again: %v", err)
	}
	storetest.Put(t, h, "a", version+1)
}

// TestSettings uses a server that takes no commits, and one whose transactions see no others.
func TestSettings(t *testing.T) {
	t.Parallel()
	s := pgserver.Start(t)
	version := storetest.Put(t, handle(t, s, ""), "a", 0)
	standby := handle(t, s, "", func(c *pgxpool.Config) {
		c.ConnConfig.RuntimeParams["default_transaction_read_only"] = "on"
	})
	if _, err := standby.Commit(t.Context(), store.Change{Session: "a", From: version}); !errors.Is(err,
		store.ErrUnavailable) {
		t.Errorf("a commit to a server that takes none: %v", err)
	}
	strict := handle(t, s, "", func(c *pgxpool.Config) {
		c.ConnConfig.RuntimeParams["default_transaction_isolation"] = "serializable"
	})
	storetest.Put(t, strict, "a", version)
}

// TestNotesLost loses notes of commits: the connection that hears them ends, or goes on and brings nothing.
func TestNotesLost(t *testing.T) {
	t.Parallel()
	s := pgserver.Start(t)
	deaf := &atomic.Int32{}
	h, other, p := handle(t, s, "", harmed(deaf)), handle(t, s, ""), pool(t, s)
	h.TryAfter(200 * time.Millisecond)
	wakes, stop, err := h.Watch(t.Context(), "a")
	must.OK(t, err)
	defer stop()
	version := uint64(0)
	for range 3 {
		do(t, p, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
		version = storetest.Put(t, other, "a", version)
		seen(t, wakes, other, "a", version)
		deaf.Add(1)
		version = storetest.Put(t, other, "a", version)
		seen(t, wakes, other, "a", version)
	}
}

// TestRefuses opens servers that a store cannot use.
func TestRefuses(t *testing.T) {
	t.Parallel()
	s := pgserver.Start(t)
	early := func(c *pgxpool.Config) { c.ConnConfig.RuntimeParams["synchronous_commit"] = "off" }
	if _, err := postgres.New(t.Context(), pool(t, s, early), postgres.Options{}); err == nil {
		t.Error("a server that confirms before it writes was taken")
	}
	p := pool(t, s)
	if _, err := postgres.New(t.Context(), p, postgres.Options{Schema: strings.Repeat("x", 64)}); err == nil {
		t.Error("a name was taken that the server shortens")
	}
	handle(t, s, "")
	do(t, p, "CREATE ROLE clerk LOGIN")
	do(t, p, "GRANT USAGE ON SCHEMA elicit TO clerk")
	do(t, p, "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA elicit TO clerk")
	storetest.Put(t, handle(t, s, "", func(c *pgxpool.Config) { c.ConnConfig.User = "clerk" }), "a", 0)
	for _, change := range []string{"DELETE FROM elicit.format", "INSERT INTO elicit.format VALUES (1)",
		"CREATE TABLE elicit.outbox(session bytea)", "DROP TABLE elicit.outbox"} {
		do(t, p, change)
		older := strings.HasPrefix(change, "DELETE") || strings.HasPrefix(change, "CREATE")
		h, err := postgres.New(t.Context(), p, postgres.Options{})
		if older != (err != nil && strings.Contains(err.Error(), "an older program made the tables")) {
			t.Errorf("after %q: %v", change, err)
		}
		if h != nil {
			h.Close()
		}
	}
	do(t, p, "UPDATE elicit.format SET version = 2")
	if _, err := postgres.New(t.Context(), p, postgres.Options{}); !errors.Is(err, store.ErrNewer) {
		t.Errorf("what a newer program wrote: %v", err)
	}
}
