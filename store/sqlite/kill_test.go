package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/sqlite"
)

const (
	childFile = "ELICIT_TEST_SQLITE_FILE"
	commits   = 5
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childFile); path != "" {
		runtime.LockOSThread() // strace counts writes by thread
		if err := child(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child makes some commits, each with a part of every kind, and then deletes the session.
func child(path string) error {
	ctx := context.Background()
	s, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	version := uint64(0)
	for n := 1; n <= commits && err == nil; n++ {
		text := fmt.Sprint(n)
		version, err = s.Commit(ctx, store.Change{Session: "s", From: version, State: []byte(text), Next: int64(n),
			Records: [][]byte{[]byte(text)},
			Entries: []store.Entry{{ID: text, At: int64(n), Text: text}}})
	}
	if err == nil {
		_, err = s.Commit(ctx, store.Change{Session: "s", From: version})
	}
	return errors.Join(err, s.Close())
}

// TestKilledAtEveryWrite kills a process at each of its writes to the disk, one run a write. The process
// leaves the state before or after a commit, never one between.
func TestKilledAtEveryWrite(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("strace"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("strace is not installed")
		}
		t.Skip("strace, which kills at a system call, is not installed")
	}
	self, err := os.Executable()
	must.OK(t, err)
	seen := map[string]int{}
	for _, call := range []string{"pwrite64", "ftruncate", "fdatasync,fsync", "unlink,unlinkat"} {
		for when := 1; ; when++ {
			path := filepath.Join(t.TempDir(), "s.db")
			cmd := exec.Command("strace", "-f", "-qq", "-o", os.DevNull, "-e", "trace="+call, "-e",
				fmt.Sprintf("inject=%s:signal=KILL:when=%d", call, when), self)
			cmd.Env = append(os.Environ(), childFile+"="+path)
			out, err := cmd.CombinedOutput()
			if err == nil {
				t.Logf("%d runs ended at a call of %s", when-1, call)
				if call == "pwrite64" && when < 20 {
					t.Errorf("only %d writes: the test has lost its subject", when-1)
				}
				break
			}
			if len(out) > 0 {
				t.Fatalf("the child has a fault of its own: %v\n%s", err, out)
			}
			seen[whole(t, path)]++
		}
	}
	t.Log("states found:", seen)
	if len(seen) < commits+2 {
		t.Errorf("the kills left only %d different states", len(seen))
	}
}

// whole checks that a store has all parts of a commit or none, and returns which commit it was.
func whole(t *testing.T, path string) string {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal("opening after a kill: ", err)
	}
	defer s.Close()
	saved, err := s.Load(t.Context(), "s")
	n, state := 0, ""
	switch {
	case err == nil:
		state = string(saved.State)
		if _, err := fmt.Sscan(state, &n); err != nil || saved.Version != uint64(n) || saved.Next != int64(n) {
			t.Fatalf("state %q at version %d, next %d", saved.State, saved.Version, saved.Next)
		}
	case errors.Is(err, store.ErrUnknown):
		for range s.Journal(t.Context(), "s", 0) {
			n, state = commits, "deleted"
		}
	default:
		t.Fatal(err)
	}
	records, entries := 0, 0
	for _, err := range s.Journal(t.Context(), "s", 0) {
		if records++; err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range s.History(t.Context(), store.Query{}) {
		if entries++; err != nil {
			t.Fatal(err)
		}
	}
	if records != n || entries != n {
		t.Fatalf("%d records and %d entries in commit %d", records, entries, n)
	}
	_, err = s.Commit(t.Context(), store.Change{Session: "after", State: []byte("x")})
	if err != nil {
		t.Fatal("committing after a kill: ", err)
	}
	return state
}
