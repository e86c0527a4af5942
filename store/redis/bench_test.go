package redis_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	goredis "github.com/redis/go-redis/v9"
)

// BenchmarkCommit compares a commit with a bare EVALSHA that writes the same state, and one that waits for a replica
// with a bare EVALSHA and WAIT in one pipeline. They take turns, and the medians count.
func BenchmarkCommit(b *testing.B) {
	s, _ := pair(b)
	h, replicated := s.handle(b, ""), s.replicated(b, "replicated", time.Minute)
	state := bytes.Repeat([]byte("x"), 4096)
	script := goredis.NewScript(`redis.call('SET', KEYS[1], ARGV[1]) return 1`)
	bare := func() error { return script.Run(b.Context(), s.client, []string{"bare"}, state).Err() }
	waits := func() error {
		line := s.client.Pipeline()
		script.EvalSha(b.Context(), line, []string{"bare"}, state)
		line.Do(b.Context(), "WAIT", 1, 60000)
		_, err := line.Exec(b.Context())
		return err
	}
	commit := func(h store.Store) func() error {
		c := store.Change{Session: "s", State: state, Next: 1, Now: 1}
		return func() (err error) {
			c.From, err = h.Commit(b.Context(), c)
			return err
		}
	}
	all := []func() error{bare, commit(h), waits, commit(replicated)}
	took := make([][]time.Duration, len(all))
	for b.Loop() {
		for i, do := range all {
			begin := time.Now()
			must.OK(b, do())
			took[i] = append(took[i], time.Since(begin))
		}
	}
	median := func(all []time.Duration) float64 {
		slices.Sort(all)
		return float64(all[len(all)/2].Nanoseconds()) / 1000
	}
	for i, name := range []string{"evalsha", "commit", "evalsha+wait", "replicated"} {
		b.ReportMetric(median(took[i]), "µs/"+name)
	}
	b.ReportMetric(median(took[0])/median(took[1]), "speed")
	b.ReportMetric(median(took[2])/median(took[3]), "speed-replicated")
}
