package main

import (
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/elicit-engine/elicit/plugins/guest"
	guests "github.com/elicit-engine/elicit/plugins/host"
	"github.com/elicit-engine/elicit/plugins/tck/attack"
)

// operators measures the time of a full default budget that is spent on one operator, for each Wasm engine. It also
// measures the loading time of guests by their size.
func operators() ([]*contest, []row) {
	var dear, near, far []attack.Operator
	for _, o := range attack.Operators() {
		switch {
		case o.Name == "pointers over 32 pages":
			near = append(near, o)
		case strings.Contains(o.Name, "over 256 pages"):
			far = append(far, o)
		default:
			dear = append(dear, o)
		}
	}
	tell, end := node("operators.mjs")
	engines := []struct {
		name string
		most float64
		took func(attack.Operator) float64
	}{
		{"compiled", 10, hostTakes(guests.Options{Compiler: true})},
		{"in V8", 10, func(o attack.Operator) float64 {
			read, problems := guest.Read(o.Module, guest.Options{WASI: true})
			mustHold(problems == nil, o.Name)
			return tell(map[string]any{"module": read.Metered})
		}},
		{"interpreted", 200, hostTakes(guests.Options{})},
	}
	all := &contest{procs: 1, batches: 3, close: end}
	var rows []row
	for _, e := range engines {
		for _, g := range []struct {
			path string
			list []attack.Operator
		}{{fmt.Sprintf("the dearest of %d operators", len(dear)), dear}, {"loads all over 2 MiB", near},
			{"loads all over 16 MiB, with WASI", far}} {
			l := &line{name: e.name, unit: "ms", once: func() float64 {
				worst, name := 0.0, ""
				for _, o := range g.list {
					if took := e.took(o); took > worst {
						worst, name = took, o.Name
					}
				}
				fmt.Fprintf(os.Stderr, "%s: %s, %.2f ms\n", e.name, name, worst)
				return worst
			}}
			all.lines = append(all.lines, l)
			rows = append(rows, row{path: g.path + ", default budget", ours: l, kind: absolute, most: e.most,
				what: e.name})
		}
	}
	c, r := sizes()
	return append([]*contest{all}, c...), append(rows, r...)
}

// hostTakes returns the milliseconds of the fastest of three evaluations. Each ends when its fuel is used up.
func hostTakes(options guests.Options) func(attack.Operator) float64 {
	return func(o attack.Operator) float64 {
		h := guests.New(options)
		defer h.Close()
		m, problems := h.Load(o.Module, guest.Options{WASI: true})
		mustHold(problems == nil, o.Name)
		fastest := math.Inf(1)
		data := make([]byte, guest.MaxData)
		for range 3 {
			start := time.Now()
			h.Evaluate(guests.Evaluation{Digest: m.Digest, Question: []byte("{}"), WASI: true, Data: data})
			fastest = min(fastest, float64(time.Since(start))/1e6)
		}
		return fastest
	}
}

// sizes measures the loading time by the size of the module.
func sizes() ([]*contest, []row) {
	var contests []*contest
	var rows []row
	for _, e := range []struct {
		name string
		most float64
		guests.Options
	}{{"compiled", 600, guests.Options{Compiler: true}}, {"interpreted", 150, guests.Options{}}} {
		load := func(kilobytes int) *line {
			module := attack.Sized(kilobytes << 10)
			return &line{name: fmt.Sprintf("a module of %d KB", kilobytes), unit: "ms", once: func() float64 {
				h := guests.New(e.Options)
				defer h.Close()
				start := time.Now()
				_, problems := h.Load(module, guest.Options{})
				mustHold(problems == nil, e.name)
				return float64(time.Since(start)) / 1e6
			}}
		}
		small, middle, large := load(16), load(100), load(500)
		contests = append(contests, &contest{procs: 2, batches: 5, lines: []*line{small, middle, large}})
		rows = append(rows,
			row{path: "loading 16 KB, " + e.name, ours: small, kind: absolute, most: e.most / 10, what: "load"},
			row{path: "loading 100 KB, " + e.name, ours: middle, kind: absolute, most: e.most / 4, what: "load"},
			row{path: "loading 500 KB, " + e.name, ours: large, kind: absolute, most: e.most, what: "load"},
			row{path: "loading, five times the bytes, " + e.name, ours: large, against: middle, scale: 5, most: 1.5})
	}
	return contests, rows
}
