//go:build unix

package faults

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/postgres"
	"github.com/elicit-engine/elicit/store/storetest"
	"github.com/elicit-engine/elicit/testdata/pgserver"
	"github.com/elicit-engine/elicit/testdata/storebridge"
)

// driver opens handles of a store in one language. Two of them never share a process in TypeScript and Python.
type driver struct {
	*testing.T
	server *pgserver.Server
	pool   *pgxpool.Pool
	open   func(schema string) store.Store
}

// TestPostgresDrivers holds the stores in Go, TypeScript and Python to the rules, and harms them alike.
func TestPostgresDrivers(t *testing.T) {
	s := pgserver.Start(t)
	names := []string{"Go", "TypeScript", "Python"}
	for i, program := range languages(t) {
		t.Run(names[i], func(t *testing.T) {
			pool, err := pgxpool.New(t.Context(), s.URL())
			must.OK(t, err)
			defer pool.Close()
			d := &driver{T: t, server: s, pool: pool}
			d.open = func(schema string) store.Store {
				h, err := postgres.New(t.Context(), pool, postgres.Options{Schema: schema})
				if err != nil {
					panic(err) // as the program of another language does
				}
				t.Cleanup(func() { _ = h.Close() })
				return h
			}
			if i > 0 {
				one, other := bridge(t, program, s), bridge(t, program, s)
				n := 0
				d.open = func(schema string) store.Store {
					n++
					return []*storebridge.Program{one, other}[n%2].Open(schema)
				}
			}
			prefix := `odd "name'; -- ` + names[i] + " "
			t.Run("rules", func(t *testing.T) {
				if i == 0 {
					t.Skip("the tests beside the driver do this")
				}
				for n, rule := range storetest.Rules() {
					open := func() store.Store { return d.open(fmt.Sprint(prefix, n)) }
					if err := rule.Check(t.Context(), open); err != nil {
						t.Errorf("%s: %s: %v", rule.Name, rule.Text, err)
					}
				}
			})
			for name, fault := range map[string]func(*driver, string){"restart": (*driver).restart,
				"cut in a commit": (*driver).cut, "states": (*driver).states, "notes lost": (*driver).notes,
				"same millisecond": (*driver).sameMillisecond, "largest": (*driver).largest,
				"nobody waits in a circle": (*driver).circle, "tables": (*driver).tables} {
				t.Run(name, func(t *testing.T) {
					if i > 0 {
						vectors.Night(t) // by day, TestKills harms the drivers of all three languages
					}
					one := *d
					one.T = t
					fault(&one, names[i]+" "+name)
				})
			}
		})
	}
}

// bridge starts a program that serves stores of its language.
func bridge(t *testing.T, program []string, s *pgserver.Server) *storebridge.Program {
	ctx, cancel := context.WithCancel(context.Background())
	file := strings.Replace(program[1], "banknode", "bridge", 1)
	command := exec.CommandContext(ctx, program[0], file, "postgres", s.URL())
	source, _ := filepath.Abs("../../../bindings/python/src")
	command.Env, command.Stderr = append(os.Environ(), "PYTHONPATH="+source), os.Stderr
	p, err := storebridge.Start(command)
	must.OK(t, err)
	t.Cleanup(func() { cancel(); _ = command.Wait() })
	return p
}

func (d *driver) do(text string, args ...any) {
	d.Helper()
	if _, err := d.pool.Exec(d.Context(), text, args...); err != nil {
		d.Fatal(text, err)
	}
}

// until waits until something is so.
func (d *driver) until(is func() bool, what string) {
	d.Helper()
	for begun := time.Now(); !is(); time.Sleep(time.Millisecond) { // between two looks
		if time.Since(begun) > time.Minute {
			d.Fatal("it never happened: " + what)
		}
	}
}

// seen waits for wakes until the session has a version.
func (d *driver) seen(wakes <-chan uint64, s store.Store, session string, version uint64) {
	d.Helper()
	for {
		select {
		case <-wakes:
		case <-time.After(time.Minute):
			d.Fatal("no wake came")
		}
		if saved, err := s.Load(d.Context(), session); err == nil && saved.Version == version {
			return
		}
	}
}

// restart ends the server as a crash does, and starts it again.
func (d *driver) restart(schema string) {
	h, other, ctx := d.open(schema), d.open(schema), d.Context()
	version := storetest.Put(d.T, h, "a", 0)
	if err := h.Redeem(ctx, "once", 1, 1000); err != nil {
		d.Fatal(err)
	}
	wakes, stop, err := h.Watch(ctx, "a")
	if err != nil {
		d.Fatal(err)
	}
	defer stop()
	d.server.Kill()
	away, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	_, err = h.Commit(away, store.Change{Session: "a", From: version, State: []byte("lost")})
	_, load := h.Load(away, "a")
	_, due := h.Due(away, 1, 0, 1)
	for what, err := range map[string]error{"commit": err, "redeem": h.Redeem(away, "id", 1, 1000), "load": load,
		"due": due} {
		if !errors.Is(err, store.ErrUnavailable) {
			d.Errorf("%s without a server: %v", what, err)
		}
	}
	d.server.Run(d.T)
	d.pool.Reset() // its connections have ended with the server
	d.until(func() bool { _, err := h.Load(ctx, "a"); return err == nil }, "the handle works again")
	d.until(func() bool { _, err := other.Load(ctx, "a"); return err == nil }, "another handle works")
	if saved, err := other.Load(ctx, "a"); err != nil || saved.Version != version || string(saved.State) != "x" {
		d.Errorf("after the crash: %+v, %v", saved, err)
	}
	if err := other.Redeem(ctx, "once", 1, 1000); !errors.Is(err, store.ErrRedeemed) {
		d.Errorf("an id was redeemed twice: %v", err)
	}
	version = storetest.Put(d.T, other, "a", version)
	d.seen(wakes, other, "a", version)
}

// cut kills the process of a connection while a commit waits. Nothing of the commit stays.
func (d *driver) cut(schema string) {
	h, ctx := d.open(schema), d.Context()
	version := storetest.Put(d.T, h, "a", 0)
	tx, err := d.pool.Begin(ctx)
	if err != nil {
		d.Fatal(err)
	}
	if _, err := tx.Exec(ctx, `LOCK "`+schema+`".entry`); err != nil {
		d.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := h.Commit(ctx, store.Change{Session: "a", From: version, State: []byte("lost"),
			Records: [][]byte{[]byte("line")}, Entries: []store.Entry{{ID: "q"}}})
		done <- err
	}()
	d.until(func() bool {
		n := 0
		err := d.pool.QueryRow(ctx, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
			WHERE wait_event_type = 'Lock'`).Scan(&n)
		return err == nil && n > 0
	}, "the commit waits")
	if err := <-done; !errors.Is(err, store.ErrUnavailable) {
		d.Errorf("a connection that ended in a commit: %v", err)
	}
	_ = tx.Rollback(ctx)
	saved, err := h.Load(ctx, "a")
	if err != nil || saved.Version != version {
		d.Errorf("after the end of the connection: %+v, %v", saved, err)
	}
	for r, err := range h.Journal(ctx, "a", 0) {
		d.Errorf("after the end of the connection: the record %+v, %v", r, err)
	}
	storetest.Put(d.T, h, "a", version)
}

// states lets the server refuse a commit. Each reason tells the caller what to do.
func (d *driver) states(schema string) {
	h := d.open(schema)
	version := storetest.Put(d.T, h, "a", 0)
	for state, want := range map[string]error{"53100": store.ErrFull, "40001": store.ErrConflict,
		"40P01": store.ErrConflict, "57014": store.ErrUnavailable, "25006": store.ErrUnavailable} {
		d.do(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
			$$BEGIN RAISE EXCEPTION 'a test' USING ERRCODE = '` + state + `'; END$$`)
		d.do(`CREATE TRIGGER refuse BEFORE INSERT ON "` + schema + `".record EXECUTE FUNCTION refuse()`)
		_, err := h.Commit(d.Context(), store.Change{Session: "a", From: version, State: []byte("lost"),
			Records: [][]byte{[]byte("line")}})
		if !errors.Is(err, want) {
			d.Errorf("a commit that ends with %s: %v", state, err)
		}
		d.do(`DROP TRIGGER refuse ON "` + schema + `".record`)
		if saved, err := h.Load(d.Context(), "a"); err != nil || saved.Version != version {
			d.Errorf("after %s: %+v, %v", state, saved, err)
		}
	}
}

// notes loses notes of commits: the connection that hears them ends. Others send notes that no commit sent.
func (d *driver) notes(schema string) {
	h, other := d.open(schema), d.open(schema)
	wakes, stop, err := h.Watch(d.Context(), "a")
	if err != nil {
		d.Fatal(err)
	}
	defer stop()
	version := uint64(0)
	for range 3 {
		d.do("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
		version = storetest.Put(d.T, other, "a", version)
		d.seen(wakes, other, "a", version)
		for _, text := range []string{"", "ff 1", "zz", "61 x", "61", " "} {
			d.do("SELECT pg_notify($1, $2)", schema, text)
		}
		version = storetest.Put(d.T, other, "a", version)
		d.seen(wakes, other, "a", version)
	}
}

// sameMillisecond makes a session again in the millisecond of its deletion. The version of a record is taken.
func (d *driver) sameMillisecond(schema string) {
	h, ctx := d.open(schema), d.Context()
	c := store.Change{Session: "a", State: []byte("x"), Now: 5, Records: [][]byte{[]byte("line")}}
	version, err := h.Commit(ctx, c)
	if err != nil {
		d.Fatal(err)
	}
	if _, err := h.Commit(ctx, store.Change{Session: "a", From: version, Now: 5}); err != nil {
		d.Fatal(err)
	}
	if _, err := h.Commit(ctx, c); !errors.Is(err, store.ErrConflict) {
		d.Errorf("in the same millisecond: %v", err)
	}
	c.Now = 6
	if _, err := h.Commit(ctx, c); err != nil {
		d.Errorf("in the next millisecond: %v", err)
	}
}

// largest commits the longest names and texts. Random letters cannot be compressed, so they fill the indexes.
func (d *driver) largest(schema string) {
	h, ctx, draw := d.open(schema), d.Context(), rand.New(rand.NewPCG(1, 1))
	letters := func(n int) string {
		text := make([]byte, n)
		for i := range text {
			text[i] = byte(' ' + draw.IntN(95))
		}
		return string(text)
	}
	session, id, text := letters(store.MaxName), letters(store.MaxName), letters(64<<10)+"\x00\\x41 ẞ{NULL}\""
	entry := store.Entry{ID: id, At: 1, Text: text, Server: text, Tool: text, Outcome: text, Body: []byte(text)}
	_, err := h.Commit(ctx, store.Change{Session: session, State: []byte(text), Next: 1,
		Records: [][]byte{[]byte(text), {}}, Entries: []store.Entry{{ID: id, At: 2}, {ID: "other", At: 1 << 40}, entry}})
	if err != nil {
		d.Fatal(err)
	}
	if err := h.Redeem(ctx, id, 1, 1000); err != nil {
		d.Fatal(err)
	}
	found := 0
	for e, err := range h.History(ctx, store.Query{Text: "\x00\\X41 ß", Tool: text, Session: session}) {
		if found++; err != nil || e.ID != id || e.Text != text || e.Server != text || string(e.Body) != text {
			d.Errorf("the entry came back otherwise: %v", err)
		}
	}
	saved, err := h.Load(ctx, session)
	if err != nil || found != 1 || string(saved.State) != text {
		d.Errorf("%d entries, and another state: %v", found, err)
	}
}

// circle lets many write to the same few sessions, which expire at once.
func (d *driver) circle(schema string) {
	var all sync.WaitGroup
	for range 4 {
		h := d.open(schema)
		for range 4 {
			all.Go(func() {
				for i := range 40 {
					if err := d.life(h, fmt.Sprint("s", rand.IntN(3)), int64(i)); err != nil {
						d.Error(err)
						return
					}
				}
			})
		}
	}
	all.Wait()
}

// life writes once to a session.
func (d *driver) life(h store.Store, session string, now int64) error {
	saved, err := h.Load(d.Context(), session)
	if err != nil && !errors.Is(err, store.ErrUnknown) {
		return err
	}
	_, err = h.Commit(d.Context(), store.Change{Session: session, From: saved.Version, Now: now + 1, State: []byte("x"),
		Expires: now + 2, Keep: now + 2, KeepRecords: now + 2, Records: [][]byte{[]byte("line")},
		Entries: []store.Entry{{ID: "q"}, {ID: "r"}}})
	if errors.Is(err, store.ErrConflict) {
		return nil
	}
	return err
}

// tables opens those of other programs.
func (d *driver) tables(schema string) {
	opens := func() (err error) {
		defer func() {
			if failed := recover(); failed != nil {
				err = failed.(error)
			}
		}()
		d.open(schema)
		return nil
	}
	at := `"` + schema + `".`
	if err := opens(); err != nil {
		d.Fatal(err)
	}
	for _, one := range []struct {
		change string
		taken  bool
	}{{"DELETE FROM " + at + "format", false}, {"INSERT INTO " + at + "format VALUES (1)", true},
		{"CREATE TABLE " + at + "outbox(session bytea)", false}, {"DROP TABLE " + at + "outbox", true}} {
		d.do(one.change)
		if err := opens(); (err == nil) != one.taken || errors.Is(err, store.ErrUnavailable) {
			d.Errorf("after %q: %v", one.change, err)
		}
	}
	d.do("UPDATE " + at + "format SET version = 2")
	if err := opens(); !errors.Is(err, store.ErrNewer) {
		d.Errorf("what a newer program wrote: %v", err)
	}
}
