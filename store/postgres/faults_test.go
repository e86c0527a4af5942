package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

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

// TestRestart ends the server as a crash does, and starts it again.
func TestRestart(t *testing.T) {
	t.Parallel()
	s := pgserver.Start(t)
	h := handle(t, s, "")
	version := storetest.Put(t, h, "a", 0)
	if err := h.Redeem(t.Context(), "once", 1, 1000); err != nil {
		t.Fatal(err)
	}
	wakes, stop, err := h.Watch(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	s.Kill()
	_, err = h.Commit(t.Context(), store.Change{Session: "a", From: version, State: []byte("lost")})
	for what, err := range map[string]error{"commit": err, "redeem": h.Redeem(t.Context(), "id", 1, 1000)} {
		if !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("%s without a server: %v", what, err)
		}
	}
	if _, err := h.Load(t.Context(), "a"); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a load without a server: %v", err)
	}
	s.Run(t)
	other := handle(t, s, "")
	if saved, err := other.Load(t.Context(), "a"); err != nil || saved.Version != version || string(saved.State) != "x" {
		t.Errorf("after the crash: %+v, %v", saved, err)
	}
	if err := other.Redeem(t.Context(), "once", 1, 1000); !errors.Is(err, store.ErrRedeemed) {
		t.Errorf("an id was redeemed twice: %v", err)
	}
	version = storetest.Put(t, other, "a", version)
	seen(t, wakes, other, "a", version)
	until(t, func() bool { _, err := h.Load(t.Context(), "a"); return err == nil }, "the handle works again")
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

// TestKilledInACommit kills the server, and the process of one connection, while a commit waits. Nothing of it stays.
func TestKilledInACommit(t *testing.T) {
	t.Parallel()
	s := pgserver.Start(t)
	kill := map[string]func(*pgxpool.Pool){
		"server": func(*pgxpool.Pool) { s.Kill(); s.Run(t) },
		"connection": func(p *pgxpool.Pool) {
			do(t, p, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
		},
	}
	for what, kill := range kill {
		h, p := handle(t, s, what), pool(t, s)
		version := storetest.Put(t, h, "a", 0)
		tx, err := p.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Exec(t.Context(), `LOCK "`+what+`".entry`); err != nil { // the last table of a commit
			t.Fatal(err)
		}
		done := make(chan error)
		go func() {
			_, err := h.Commit(t.Context(), store.Change{Session: "a", From: version, State: []byte("lost"),
				Records: [][]byte{[]byte("line")}, Entries: []store.Entry{{ID: "q"}}})
			done <- err
		}()
		until(t, func() bool {
			n := 0
			err := p.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'").Scan(&n)
			return err == nil && n > 0
		}, "the commit waits")
		kill(p)
		if err := <-done; !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("%s killed in a commit: %v", what, err)
		}
		_ = tx.Rollback(t.Context())
		after := handle(t, s, what)
		saved, err := after.Load(t.Context(), "a")
		if err != nil || saved.Version != version {
			t.Errorf("%s killed in a commit: %+v, %v", what, saved, err)
		}
		for r, err := range after.Journal(t.Context(), "a", 0) {
			t.Errorf("%s killed in a commit: the record %+v, %v", what, r, err)
		}
	}
}

// TestStates lets the server refuse a commit. What the caller is to do depends on why.
func TestStates(t *testing.T) {
	t.Parallel()
	s := pgserver.Start(t)
	h, p := handle(t, s, ""), pool(t, s)
	version := storetest.Put(t, h, "a", 0)
	for state, want := range map[string]error{"53100": store.ErrFull, "40001": store.ErrConflict,
		"40P01": store.ErrConflict, "57014": store.ErrUnavailable, "25006": store.ErrUnavailable} {
		do(t, p, `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
			$$BEGIN RAISE EXCEPTION 'a test' USING ERRCODE = '`+state+`'; END$$`)
		do(t, p, "CREATE TRIGGER refuse BEFORE INSERT ON elicit.record EXECUTE FUNCTION refuse()")
		_, err := h.Commit(t.Context(), store.Change{Session: "a", From: version, State: []byte("lost"),
			Records: [][]byte{[]byte("line")}})
		if !errors.Is(err, want) {
			t.Errorf("a commit that ends with %s: %v", state, err)
		}
		do(t, p, "DROP TRIGGER refuse ON elicit.record")
		if saved, err := h.Load(t.Context(), "a"); err != nil || saved.Version != version {
			t.Errorf("after %s: %+v, %v", state, saved, err)
		}
	}
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

// TestSameMillisecond makes a session again in the millisecond of its deletion. The version of a record is taken.
func TestSameMillisecond(t *testing.T) {
	t.Parallel()
	h := handle(t, pgserver.Start(t), "")
	c := store.Change{Session: "a", State: []byte("x"), Now: 5, Records: [][]byte{[]byte("line")}}
	version, err := h.Commit(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Commit(t.Context(), store.Change{Session: "a", From: version, Now: 5}); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Commit(t.Context(), c); !errors.Is(err, store.ErrConflict) {
		t.Errorf("in the same millisecond: %v", err)
	}
	c.Now = 6
	if _, err := h.Commit(t.Context(), c); err != nil {
		t.Errorf("in the next millisecond: %v", err)
	}
}

// TestNotesLost loses notes of commits: the connection that hears them ends, or goes on and brings nothing.
func TestNotesLost(t *testing.T) {
	t.Parallel()
	s := pgserver.Start(t)
	deaf := &atomic.Int32{}
	h, other, p := handle(t, s, "", harmed(deaf)), handle(t, s, ""), pool(t, s)
	h.TryAfter(200 * time.Millisecond)
	wakes, stop, err := h.Watch(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
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

// TestLargest commits the longest names and texts. Random letters cannot be compressed, so they fill the indexes.
func TestLargest(t *testing.T) {
	t.Parallel()
	h := handle(t, pgserver.Start(t), "")
	draw := rand.New(rand.NewPCG(1, 1))
	letters := func(n int) string {
		text := make([]byte, n)
		for i := range text {
			text[i] = byte(' ' + draw.IntN(95))
		}
		return string(text)
	}
	session, id, text := letters(store.MaxName), letters(store.MaxName), letters(64<<10)+"\x00\\x41 ẞ"
	_, err := h.Commit(t.Context(), store.Change{Session: session, State: []byte(text), Next: 1,
		Records: [][]byte{[]byte(text)},
		Entries: []store.Entry{{ID: id, At: 1, Text: text, Server: text, Tool: text, Outcome: text, Body: []byte(text)}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Redeem(t.Context(), id, 1, 1000); err != nil {
		t.Fatal(err)
	}
	found := 0
	for e, err := range h.History(t.Context(), store.Query{Text: "\x00\\X41 ß", Tool: text, Session: session}) {
		if found++; err != nil || e.ID != id || e.Text != text || e.Server != text || string(e.Body) != text {
			t.Errorf("the entry came back otherwise: %v", err)
		}
	}
	saved, err := h.Load(t.Context(), session)
	if err != nil || found != 1 || string(saved.State) != text {
		t.Errorf("%d entries, and another state: %v", found, err)
	}
}

// TestNobodyWaitsInACircle lets many write to the same few sessions, which expire at once. The server would report
// a deadlock.
func TestNobodyWaitsInACircle(t *testing.T) {
	t.Parallel()
	s := pgserver.Start(t)
	var all sync.WaitGroup
	for range 4 {
		h := handle(t, s, "")
		for range 4 {
			all.Go(func() {
				for i := range 60 {
					if err := life(t, h, fmt.Sprint("s", rand.IntN(3)), int64(i)); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
	}
	all.Wait()
}

// life writes once to a session.
func life(t *testing.T, h store.Store, session string, now int64) error {
	saved, err := h.Load(t.Context(), session)
	if err != nil && !errors.Is(err, store.ErrUnknown) {
		return err
	}
	_, err = h.Commit(t.Context(), store.Change{Session: session, From: saved.Version, Now: now + 1, State: []byte("x"),
		Expires: now + 2, Keep: now + 2, KeepRecords: now + 2, Records: [][]byte{[]byte("line")},
		Entries: []store.Entry{{ID: "q"}, {ID: "r"}}})
	if errors.Is(err, store.ErrConflict) {
		return nil
	}
	return err
}
