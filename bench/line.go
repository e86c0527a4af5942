package main

import (
	"runtime"
	"slices"
	"time"
)

// line is one measurement: one piece of work by one program. Every batch gives one sample.
type line struct {
	name string
	unit string // "ns" for work, else the unit of a sample

	// run does the work n times.
	run func(n int)
	// once returns a sample itself, for work that is not repeated here.
	once func() float64

	n       int // the repetitions of the work in one batch
	samples []float64
	allocs  float64 // of one piece of work
	bytes   float64
}

// contest is a set of lines that are compared with each other. They take turns batch by batch, and a ratio is computed
// between adjacent batches. If another program slows the machine for a second, it slows both batches.
type contest struct {
	procs   int // GOMAXPROCS; 1 unless the work has threads of its own
	batch   time.Duration
	batches int // a round
	lines   []*line
	close   func()
}

// round adds samples to every line: one for each batch.
func (c *contest) round() {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(c.procs))
	for range c.batches {
		for _, l := range c.lines {
			if l.once != nil {
				l.samples = append(l.samples, l.once())
				continue
			}
			if l.n == 0 {
				l.calibrate(c.batch)
			}
			l.samples = append(l.samples, l.time(l.n)/float64(l.n))
		}
	}
}

// calibrate finds the repetitions for one batch, and counts the allocations of one piece of work.
func (l *line) calibrate(batch time.Duration) {
	l.n = 1
	for {
		took := l.time(l.n)
		if took >= float64(batch)/2 {
			l.n = max(1, int(float64(l.n)*float64(batch)/took))
			break
		}
		l.n *= 2
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	l.run(l.n)
	runtime.ReadMemStats(&after)
	l.allocs = float64(after.Mallocs-before.Mallocs) / float64(l.n)
	l.bytes = float64(after.TotalAlloc-before.TotalAlloc) / float64(l.n)
}

func (l *line) time(n int) float64 {
	start := time.Now()
	l.run(n)
	return float64(time.Since(start))
}

func (l *line) median() float64 { return median(l.samples) }

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	if len(sorted) == 0 {
		return 0
	}
	return (sorted[len(sorted)/2] + sorted[(len(sorted)-1)/2]) / 2
}
