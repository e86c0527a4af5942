package relay

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/elicit-engine/elicit/engine/wire"
)

// TestPulseOnlyRises says numbers of every size and wants ours to rise for days without reaching the server's next one.
func TestPulseOnlyRises(t *testing.T) {
	for _, said := range []string{"", "0", "1", "-5", "0.25", "99.5", "1e9", "123456789012", "1e300", "1e-300"} {
		u := pulse{token: []byte("1")}
		high := 0.0
		if said != "" {
			o, _ := wire.ReadObject([]byte(`{"progress":` + said + `}`))
			u.hear(o.Get("progress"), o.Get("total"))
			high = u.last + nudge*max(1, math.Abs(u.last))
		}
		before := math.Inf(-1)
		if u.heard {
			before = u.last
		}
		for i := range 100_000 { // 17 days
			var g struct{ Params struct{ Progress float64 } }
			if err := json.Unmarshal(u.beat(), &g); err != nil {
				t.Fatal(err)
			}
			if n := g.Params.Progress; n <= before || n > high {
				t.Fatalf("after the server's %q, beat %d: %v follows %v, want more and at most %v", said, i, n, before, high)
			}
			before = g.Params.Progress
		}
	}
}
