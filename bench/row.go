package main

import (
	"fmt"
	"strconv"
)

// row is one budget: a line of ours against a line of a rival, or against a number.
type row struct {
	path    string
	ours    *line
	against *line // nil for a number
	most    float64
	scale   float64 // ours is divided by it first: the growth of the work itself; 0 for 1
	kind    kind
	what    string // the other side of the comparison, if the name of the line does not say it
}

type kind uint8

const (
	ratio    kind = iota // the median over the batches of ours/against
	allocs               // allocations of one piece of ours
	absolute             // ours in its own unit
)

func (r row) measured() float64 {
	switch r.kind {
	case allocs:
		return r.ours.allocs
	case absolute:
		return r.ours.median()
	}
	scale := max(r.scale, 1)
	quotients := make([]float64, len(r.ours.samples))
	for i := range quotients {
		quotients[i] = r.ours.samples[i] / r.against.samples[i] / scale
	}
	return median(quotients)
}

func (r row) holds() bool { return r.measured() <= r.most }

// cells returns the cells of the row: path, budget, measured figure, verdict, and the other side of the comparison.
func (r row) cells() [5]string {
	verdict := "pass"
	if !r.holds() {
		verdict = "MISS"
	}
	switch r.kind {
	case allocs:
		return [5]string{r.path, amount(r.most) + " allocs", amount(r.measured()) + " allocs", verdict, r.what}
	case absolute:
		return [5]string{r.path, "<= " + amount(r.most) + " " + r.ours.unit, amount(r.measured()) + " " + r.ours.unit,
			verdict, r.what}
	}
	what := r.what
	if what == "" {
		what = r.against.name
	}
	return [5]string{r.path, "<= " + amount(r.most) + "x", amount(r.measured()) + "x", verdict,
		what + ": " + r.ours.figure() + " to " + r.against.figure()}
}

// figure returns a line's median in a readable unit.
func (l *line) figure() string {
	v := l.median()
	if l.unit != "ns" {
		return amount(v) + " " + l.unit
	}
	switch {
	case v >= 1e6:
		return amount(v/1e6) + " ms"
	case v >= 1e3:
		return amount(v/1e3) + " µs"
	}
	return amount(v) + " ns"
}

// amount prints a number with three significant digits.
func amount(v float64) string {
	switch {
	case v >= 100 || v == float64(int(v)):
		return strconv.Itoa(int(v + 0.5))
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.2g", v)
}
