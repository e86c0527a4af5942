package ownsocket

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestDialLeavesNewSockets tests that a program which looks for others removes no socket that is being made: each
// listener is found by its name afterwards.
func TestDialLeavesNewSockets(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv("TMPDIR", t.TempDir())
	var over atomic.Bool
	done := make(chan bool)
	for range 4 {
		go func() {
			defer func() { done <- true }()
			for !over.Load() {
				names, _ := List("new-")
				for _, name := range names {
					if c, err := Dial(name, time.Minute); err == nil {
						c.Close()
					}
				}
			}
		}()
	}
	for range 300 {
		l, err := Listen("new-")
		must.OK(t, err)
		c, err := Dial(l.Addr().String(), time.Minute)
		if err != nil {
			t.Error("the socket is gone:", err)
		} else {
			c.Close()
		}
		l.Close()
	}
	over.Store(true)
	for range 4 {
		<-done
	}
}
