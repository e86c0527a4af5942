package main

import (
	"runtime"
	"slices"
	"time"
)

// line is one thing that is measured: a program doing one piece of work. Every batch yields one sample.
type line struct {
	name string
	unit string // "ns" for work, else what a sample counts

	// run does the work n times over.
	run func(n int)
	// once, for what is not counted in repetitions here, yields the sample itself.
	once func() float64

	n       int // how often run repeats the work in one batch
	samples []float64
	allocs  float64 // of one piece of work
	bytes   float64
}

// contest is a set of lines that are compared with each other, so they take turns batch by batch, and a ratio is taken
// between batches that stand side by side: a neighbour that slows the machine down for a second slows both.
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

// calibrate finds how often the work fits into a batch and counts what one piece of it allocates.
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
