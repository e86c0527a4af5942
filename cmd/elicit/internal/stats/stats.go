// Package stats counts what a running proxy does, measures how long parts of it take, and serves both to the person at
// this machine, with the profiles of Go.
//
//	s := stats.New()
//	link, err := s.Serve("127.0.0.1:0")    // http://127.0.0.1:40123/6f1c…/
//	s.Count("client_messages", 1)
//	defer s.Time("step")()
//
// All methods are safe for concurrent use. Count and Time do nothing on a nil *Stats, so a program that nobody watches
// pays for no clock.
package stats

import (
	"maps"
	"math/bits"
	"sync"
	"time"
)

// Stats are counters and latencies.
type Stats struct {
	mu        sync.Mutex
	counters  map[string]int64
	latencies map[string]*latency
	begun     time.Time
}

// latency counts durations in buckets: the bucket i has those below 2^i microseconds that no earlier bucket has.
type latency struct {
	buckets [40]int64 // the last one ends after six days
	count   int64
	total   time.Duration
	most    time.Duration
}

// Report is what a reader gets.
type Report struct {
	Uptime    int64              `json:"uptime_ms"`
	Counters  map[string]int64   `json:"counters"`
	Latencies map[string]Latency `json:"latencies"`
}

// Latency tells about durations, in microseconds. A percentile is the upper bound of its bucket, which is at most twice
// the true value, and never more than the longest.
type Latency struct {
	Count int64 `json:"count"`
	Total int64 `json:"total_us"`
	P50   int64 `json:"p50_us"`
	P99   int64 `json:"p99_us"`
	Most  int64 `json:"most_us"`
}

// New returns empty counters.
func New() *Stats {
	return &Stats{counters: map[string]int64{}, latencies: map[string]*latency{}, begun: time.Now()}
}

// Count adds to a counter. Names come from the program and never from a peer, so their number is bounded.
func (s *Stats) Count(name string, n int64) {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.counters[name] += n
	s.mu.Unlock()
}

// Time begins to measure. The function that it returns ends the measurement.
func (s *Stats) Time(name string) (end func()) {
	if s == nil {
		return func() {}
	}
	begun := time.Now()
	return func() { s.took(name, time.Since(begun)) }
}

func (s *Stats) took(name string, d time.Duration) {
	d = max(d, 0)
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.latencies[name]
	if l == nil {
		l = &latency{}
		s.latencies[name] = l
	}
	l.buckets[min(bits.Len64(uint64(d.Microseconds())), len(l.buckets)-1)]++
	l.count++
	l.total += d
	l.most = max(l.most, d)
}

// Report returns what was counted and measured until now.
func (s *Stats) Report() Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := Report{time.Since(s.begun).Milliseconds(), maps.Clone(s.counters), map[string]Latency{}}
	for name, l := range s.latencies {
		r.Latencies[name] = Latency{l.count, l.total.Microseconds(), l.percentile(50), l.percentile(99),
			l.most.Microseconds()}
	}
	return r
}

func (l *latency) percentile(p int64) int64 {
	left := (l.count*p + 99) / 100
	for i, n := range l.buckets {
		if left -= n; left <= 0 {
			return min(int64(1)<<i, l.most.Microseconds())
		}
	}
	return l.most.Microseconds()
}
