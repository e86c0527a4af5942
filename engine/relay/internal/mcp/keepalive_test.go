package mcp

import (
	"math"
	"testing"

	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestPulseOnlyRises reports numbers of every size. The machine's numbers must rise for days and stay below the
// server's next one.
func TestProgressOnlyRises(t *testing.T) {
	for _, said := range []string{"", "0", "1", "-5", "0.25", "99.5", "1e9", "123456789012", "1e300", "1e-300"} {
		u := progress{token: []byte("1")}
		high := 0.0
		if said != "" {
			o, _ := wire.ReadObject([]byte(`{"progress":` + said + `}`))
			u.report(o.Get("progress"), o.Get("total"))
			high = u.last + maxAhead*max(1, math.Abs(u.last))
		}
		before := math.Inf(-1)
		if u.reported {
			before = u.last
		}
		for i := range 100_000 { // 17 days
			var g struct{ Params struct{ Progress float64 } }
			must.Unmarshal(t, u.next(), &g)
			if n := g.Params.Progress; n <= before || n > high {
				t.Fatalf("after the server's %q, beat %d: %v follows %v, want more and at most %v", said, i, n, before, high)
			}
			before = g.Params.Progress
		}
	}
}
