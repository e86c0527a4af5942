package ask

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
)

// TestManyOpen lets one principal call 100,000 times and answer nothing, with and without a store. The burst is asked,
// everything else is refused, and what is kept does not grow. Somebody else is asked as before.
func TestManyOpen(t *testing.T) {
	text := Client{Principal: "mallory", Version: "2025-06-18"}
	rounds := Client{Principal: "mallory", Version: "2026-07-28", Declared: elicit.Modes{Form: true}}
	t.Run("text", func(t *testing.T) { synctest.Test(t, func(t *testing.T) { manyOpen(t, text, memory.New()) }) })
	t.Run("rounds", func(t *testing.T) { synctest.Test(t, func(t *testing.T) { manyOpen(t, rounds, nil) }) })
}

func manyOpen(t *testing.T, c Client, kept store.Store) {
	a, err := New(Options{Server: "bot", Store: kept})
	must.OK(t, err)
	defer a.Close()
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	asked, before := 0, uint64(0)
	for n := range 100_000 {
		call := Call{Client: c, Target: "tool", Arguments: fmt.Appendf(nil, `{"n":%d}`, n)}
		i, err := a.Do(t.Context(), call, confirm)
		var no *Error
		switch {
		case err == nil && i != nil:
			asked++
		case !errors.As(err, &no) || no.Cause != elicit.ByRateLimit:
			t.Fatal(n, i, err)
		}
		if n == 1000 {
			before = heap()
		}
	}
	if after := heap(); asked != 100 || after > before+1<<20 {
		t.Errorf("%d calls are asked, and the heap grows from %d to %d bytes", asked, before, after)
	}
	c.Principal = "ann"
	if i, err := a.Do(context.Background(), Call{Client: c, Target: "tool"}, confirm); i == nil || err != nil {
		t.Errorf("somebody else: %v, %v", i, err)
	}
}
