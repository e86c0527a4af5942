package redis_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/store"
	goredis "github.com/redis/go-redis/v9"
)

// BenchmarkCommit compares a commit with a bare EVALSHA that writes the same state. They take turns, and the medians
// count.
func BenchmarkCommit(b *testing.B) {
	s := start(b, "redis-server")
	h := s.handle(b, "")
	state := bytes.Repeat([]byte("x"), 4096)
	script := goredis.NewScript(`redis.call('SET', KEYS[1], ARGV[1]) return 1`)
	bare := func() error { return script.Run(b.Context(), s.client, []string{"bare"}, state).Err() }
	c := store.Change{Session: "s", State: state, Next: 1, Now: 1}
	commit := func() (err error) {
		c.From, err = h.Commit(b.Context(), c)
		return err
	}
	var took [2][]time.Duration
	for b.Loop() {
		for i, do := range []func() error{bare, commit} {
			begin := time.Now()
			if err := do(); err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], time.Since(begin))
		}
	}
	median := func(all []time.Duration) float64 {
		slices.Sort(all)
		return float64(all[len(all)/2].Nanoseconds()) / 1000
	}
	b.ReportMetric(median(took[0]), "µs/evalsha")
	b.ReportMetric(median(took[1]), "µs/commit")
	b.ReportMetric(median(took[0])/median(took[1]), "speed")
}
