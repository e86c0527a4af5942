package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/sqlite"
	"github.com/elicit-engine/elicit/store/storetest"
)

// raw opens the file as another program does.
func raw(t *testing.T, path string, do ...string) *sql.Conn {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	must.OK(t, err)
	conn, err := db.Conn(t.Context())
	must.OK(t, err)
	t.Cleanup(func() { _, _ = conn.Close(), db.Close() })
	for _, text := range do {
		if _, err := conn.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	return conn
}

// TestLocked checks that a call waits for a writer only so long, and works again afterwards.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := open(t, path, sqlite.Options{Busy: time.Millisecond})
	version := storetest.Put(t, s, "a", 0)
	other := raw(t, path, "BEGIN IMMEDIATE")
	_, err := s.Commit(t.Context(), store.Change{Session: "a", From: version, State: []byte("y")})
	if !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a commit while the file is locked: %v", err)
	}
	if err := s.Redeem(t.Context(), "id", 1, 2); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("redeeming while the file is locked: %v", err)
	}
	if saved, err := s.Load(t.Context(), "a"); err != nil || saved.Version != version {
		t.Errorf("a load while the file is locked: %+v, %v", saved, err)
	}
	if _, err := other.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	storetest.Put(t, s, "a", version)
}

// TestFull fills the file up to a limit, which SQLite reports as it reports a full disk.
func TestFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := open(t, path, sqlite.Options{})
	version := storetest.Put(t, s, "a", 0)
	must.OK(t, s.Limit(t.Context(), 64))
	change := store.Change{Session: "a", From: version, State: make([]byte, 1<<20), Records: [][]byte{[]byte("line")}}
	if _, err := s.Commit(t.Context(), change); !errors.Is(err, store.ErrFull) {
		t.Fatalf("a commit on a full disk: %v", err)
	}
	if saved, err := s.Load(t.Context(), "a"); err != nil || saved.Version != version || len(saved.State) != 1 {
		t.Fatalf("after a commit on a full disk: %+v, %v", saved, err)
	}
	must.OK(t, s.Limit(t.Context(), 1<<30))
	if _, err := s.Commit(t.Context(), change); err != nil {
		t.Fatal(err)
	}
}

// TestSchemas opens files of a newer program and of another program, and one that becomes newer while it is open.
func TestSchemas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := open(t, path, sqlite.Options{})
	raw(t, path, "PRAGMA user_version = 3", "UPDATE clock SET schema = 3")
	if _, err := sqlite.Open(t.Context(), path, sqlite.Options{}); !errors.Is(err, store.ErrNewer) {
		t.Errorf("a file of a newer program: %v", err)
	}
	_, err := s.Commit(t.Context(), store.Change{Session: "a", State: []byte("x")})
	if !errors.Is(err, store.ErrNewer) {
		t.Errorf("a commit after another program changed the schema: %v", err)
	}
	other := must.Write(t, "", t.TempDir(), "other.db")
	raw(t, other, "CREATE TABLE theirs(a)")
	if _, err := sqlite.Open(t.Context(), other, sqlite.Options{}); err == nil {
		t.Error("a file of another program was opened")
	}
	must.Write(t, "this is not a database, and it is long enough", other)
	if _, err := sqlite.Open(t.Context(), other, sqlite.Options{}); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a file that is no database: %v", err)
	}
}

// TestReplaced deletes a file, and puts another one in its place, while handles have it open. A handle must not go on
// with a file that no other process can open. Handles that were opened afterwards share the new file.
func TestReplaced(t *testing.T) {
	for name, replace := range map[string]func(path string) error{
		"deleted": os.Remove,
		"replaced": func(path string) error {
			other := open(t, path+".new", sqlite.Options{})
			storetest.Put(t, other, "a", 0)
			return errors.Join(other.Close(), os.Rename(path+".new", path))
		},
	} {
		path, ticks := filepath.Join(t.TempDir(), "s.db"), make(chan time.Time)
		s := open(t, path, sqlite.Options{Ticks: ticks})
		version := storetest.Put(t, s, "a", 0)
		wakes, _, err := s.Watch(context.Background(), "a")
		must.OK(t, err)
		must.OK(t, replace(path))
		change := store.Change{Session: "a", From: version, State: []byte("y")}
		refuses := func(what string, err error) {
			t.Helper()
			if !errors.Is(err, store.ErrUnavailable) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
		_, err = s.Commit(t.Context(), change)
		refuses("commit", err)
		_, err = s.Load(t.Context(), "a")
		refuses("load", err)
		_, err = s.Due(t.Context(), 1, 0, 1)
		refuses("due", err)
		refuses("redeem", s.Redeem(t.Context(), "id", 1, 2))
		_, _, err = s.Watch(context.Background(), "b")
		refuses("watch", err)
		ticks <- time.Time{}
		<-wakes
		must.OK(t, s.Close())
		again := open(t, path, sqlite.Options{})
		storetest.Put(t, again, "b", 0)
	}
}

// TestRelative opens a file by a name that means another file later.
func TestRelative(t *testing.T) {
	t.Chdir(t.TempDir())
	s := open(t, "s.db", sqlite.Options{})
	version := storetest.Put(t, s, "a", 0)
	t.Chdir(t.TempDir())
	if saved, err := s.Load(t.Context(), "a"); err != nil || saved.Version != version {
		t.Errorf("in another folder: %+v, %v", saved, err)
	}
}

// TestMode checks that nobody else can read the files.
func TestMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := open(t, path, sqlite.Options{})
	storetest.Put(t, s, "a", 0)
	files, err := filepath.Glob(path + "*")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", filepath.Base(name), info.Mode(), err)
		}
	}
	must.OK(t, os.Chmod(path, 0o640))
	if _, err := sqlite.Open(t.Context(), path, sqlite.Options{}); err == nil {
		t.Error("a file that others can read was opened")
	}
	if _, err := sqlite.Open(t.Context(), t.TempDir(), sqlite.Options{}); err == nil {
		t.Error("a directory was opened")
	}
}

// TestManyMakeTheFile opens one new file many times at once.
func TestManyMakeTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			_, err = s.Commit(t.Context(), store.Change{Session: fmt.Sprint(i), State: []byte("x")})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// TestOpenWaits opens a new file that another connection has locked. SQLite does not wait there, because the mode of a
// file changes only without other connections.
func TestOpenWaits(t *testing.T) {
	path := must.Write(t, "", t.TempDir(), "s.db")
	other := raw(t, path, "BEGIN IMMEDIATE")
	opened := make(chan error)
	go func() {
		s, err := sqlite.Open(t.Context(), path, sqlite.Options{Busy: time.Minute})
		if err == nil {
			err = s.Close()
		}
		opened <- err
	}()
	select {
	case err := <-opened:
		t.Fatalf("opened a locked file: %v", err)
	case <-time.After(50 * time.Millisecond): // time for some attempts
	}
	if _, err := sqlite.Open(t.Context(), path, sqlite.Options{Busy: time.Millisecond}); !errors.Is(err,
		store.ErrUnavailable) {
		t.Errorf("opening a file that stays locked: %v", err)
	}
	if _, err := other.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if err := <-opened; err != nil {
		t.Error(err)
	}
}

// TestTicks checks that a handle looks when it is told to, and wakes only those whose session changed.
func TestTicks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	ticks := make(chan time.Time)
	s, other := open(t, path, sqlite.Options{Ticks: ticks}), open(t, path, sqlite.Options{})
	storetest.Put(t, other, "before", 0)
	watch := func(name string) <-chan uint64 {
		wakes, _, err := s.Watch(context.Background(), name)
		must.OK(t, err)
		return wakes
	}
	a, b := watch("a"), watch("b")
	version := storetest.Put(t, other, "a", 0)
	ticks <- time.Time{}
	<-a
	ticks <- time.Time{} // the look before has ended
	if len(a)+len(b) != 0 {
		t.Errorf("%d wakes of a and %d of b are too many", len(a), len(b))
	}
	if _, err := other.Commit(t.Context(), store.Change{Session: "a", From: version}); err != nil {
		t.Fatal(err)
	}
	ticks <- time.Time{}
	<-a
}
