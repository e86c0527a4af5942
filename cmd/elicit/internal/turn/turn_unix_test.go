//go:build unix

package turn

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/trustedfile"
)

// onFile returns turns that use a file of the test instead of a terminal's.
func onFile(t *testing.T) func() *Turns {
	path := filepath.Join(t.TempDir(), "terminal")
	return func() *Turns { return &Turns{path: path} }
}

func never() bool { return false }

func one() int { return 1 }

func TestOneHasTheTurn(t *testing.T) {
	open := onFile(t)
	a, b := open(), open()
	if got, err := a.Try(); !got || err != nil {
		t.Fatalf("the first: %v, %v", got, err)
	}
	if got, err := b.Try(); got || err != nil {
		t.Errorf("the second, meanwhile: %v, %v", got, err)
	}
	a.Give()
	if err := b.Wait(never, one); err != nil {
		t.Error(err)
	}
}

// TestTheFirstComesFirst: processes get the turn in the order in which they came, and the one that has it can count
// the questions of the others.
func TestTheFirstComesFirst(t *testing.T) {
	open := onFile(t)
	now := open()
	must.OK(t, now.Wait(never, one))
	var order []string
	var mu sync.Mutex
	var all sync.WaitGroup
	for i, name := range []string{"a", "b", "c"} {
		all.Add(1)
		go func() {
			defer all.Done()
			own := open()
			if err := own.Wait(never, func() int { return i + 1 }); err != nil {
				t.Error(err)
			}
			mu.Lock()
			order = append(order, name)
			mu.Unlock()
			own.Give()
		}()
		for want := (i + 1) * (i + 2) / 2; now.Waiting() != want; { // each waits before the next one comes
			runtime.Gosched()
		}
	}
	now.Give()
	all.Wait()
	if got := strings.Join(order, " "); got != "a b c" {
		t.Errorf("order: got %s, want a b c", got)
	}
	if n := now.Waiting(); n != 0 {
		t.Errorf("%d wait after all had their turn", n)
	}
}

func TestWaitStops(t *testing.T) {
	open := onFile(t)
	a, b := open(), open()
	must.OK(t, a.Wait(never, one))
	if err := b.Wait(func() bool { return true }, one); !errors.Is(err, ErrStopped) {
		t.Errorf("got %v, want %v", err, ErrStopped)
	}
}

// TestARemovedFileIsNoTurn: a program that cleans up a directory must not make two turns.
func TestARemovedFileIsNoTurn(t *testing.T) {
	open := onFile(t)
	a, b := open(), open()
	path := a.path
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	must.OK(t, err)
	defer f.Close()
	must.OK(t, os.Remove(path))
	if trustedfile.IsStill(f, path) {
		t.Error("a removed file counts as the one at the path")
	}
	if got, err := b.Try(); !got || err != nil {
		t.Errorf("after the file was removed: %v, %v", got, err)
	}
}
