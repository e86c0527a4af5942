package main

import (
	"os"
	"strings"
	"time"

	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
	guests "github.com/elicit-engine/elicit/plugins/host"
	"github.com/elicit-engine/elicit/plugins/meter"
)

// metering measures the cost of metering for a guest that computes, and the cost of loading a guest.
func metering() ([]*contest, []row) {
	long := guardianQuestion("https://pay.example.com/orders/7731?step=2",
		strings.Repeat("We would like to trade with you. ", 3_000))
	var contests []*contest
	var rows []row
	against := func(path, file string, most float64) {
		module := guestModule(file)
		read, problems := guest.Read(module, guest.Options{})
		mustHold(problems == nil, file)
		// The time covers only the guest's own work, because a new instance costs the same with and without metering.
		ask := func(name string, begin func([]byte) (func() string, func())) *line {
			return &line{name: name, unit: "ns", once: func() float64 {
				fastest := time.Hour
				for range 5 {
					ask, end := begin(long)
					start := time.Now()
					said := ask()
					fastest = min(fastest, time.Since(start))
					mustHold(said == "pass", file)
					end()
				}
				return float64(fastest)
			}}
		}
		ours, bare := ask("metered", instances(read.Metered, true)), ask("the same guest, not metered",
			instances(module, false))
		contests = append(contests, &contest{procs: 1, batch: 2 * batch, batches: batches, lines: []*line{ours, bare}})
		rows = append(rows, row{path: path, ours: ours, against: bare, most: most})
	}
	against("100 KB read by the guest in C", kitModules+"hosts-c.wasm", 1.3)
	against("100 KB read by the guest in Rust", kitModules+"hosts-rust.wasm", 1.3)
	against("100 KB read by the guest in AssemblyScript", kitModules+"hosts-assemblyscript.wasm", 1.3)
	against("a loop over bytes, 10 MB in all", "guests/bytes.wasm", 2.5)
	c, r := guestLoading(guestModule(kitModules + "hosts-rust.wasm"))
	return append(contests, c...), append(rows, r...)
}

func guestLoading(module []byte) ([]*contest, []row) {
	rewriting := &line{name: "rewriting", unit: "ns/byte", once: func() float64 {
		start := time.Now()
		for range 20 {
			_, refusal := meter.Rewrite(module, meter.Limits{})
			mustHold(refusal == nil, "the meter")
		}
		return float64(time.Since(start)) / 20 / float64(len(module))
	}}
	dir, err := os.MkdirTemp("", "elicit-bench")
	must(err)
	load := func(name string, o guests.Options) *line {
		return &line{name: name, unit: "ms", once: func() float64 {
			h := guests.New(o)
			defer h.Close()
			start := time.Now()
			_, problems := h.Load(module, guest.Options{})
			mustHold(problems == nil, name)
			return float64(time.Since(start)) / 1e6
		}}
	}
	cold := load("compiling", guests.Options{Compiler: true})
	cached := load("from the cache", guests.Options{Compiler: true, CacheDir: dir})
	interpreted := load("interpreting", guests.Options{})
	cached.once() // fills the cache
	loads := &contest{procs: 2, batches: 5, lines: []*line{cold, cached, interpreted}, close: func() { os.RemoveAll(dir) }}
	return []*contest{{procs: 1, batches: batches, lines: []*line{rewriting}}, loads}, []row{
		{path: "rewriting a guest", ours: rewriting, kind: absolute, most: 100, what: "a guest of 30 KB in Rust"},
		{path: "loading a guest from the cache on disk", ours: cached, against: cold, most: 0.15},
		{path: "loading a guest to interpret it", ours: interpreted, against: cold, most: 0.3},
	}
}

// bounds measures how long hostile guests run with the default budget. For comparison, it gives a normal guest the most
// expensive question that is possible.
func bounds() ([]*contest, []row) {
	compiled, interpreted := guests.New(guests.Options{Compiler: true}), guests.New(guests.Options{})
	question := guardianQuestion("https://example.com/", guardianMessage)
	last := func(h *guests.Host, name string, question []byte, fault guardian.Fault) *line {
		m, problems := h.Load(guestModule(kitModules+name+".wasm"), guest.Options{WASI: true})
		mustHold(problems == nil, name)
		e := guests.Evaluation{Digest: m.Digest, Question: question, WASI: true}
		mustHold(h.Evaluate(e).Fault == fault, name)
		return &line{name: name, unit: "ms", once: func() float64 {
			fastest := time.Hour
			for range 3 {
				start := time.Now()
				h.Evaluate(e)
				fastest = min(fastest, time.Since(start))
			}
			return float64(fastest) / 1e6
		}}
	}
	// This guest searches for each of its words at every letter. Of the kits' guests, it takes the most time per fuel.
	settings := `{"allow":["example.com"],"words":["` + strings.Repeat(`tttttttttttttttttttttttttttttttu","`, 100) + `t"]}`
	worst := []byte(strings.Replace(string(guardianQuestion("https://example.com/", strings.Repeat("t", 120_000))),
		guardianSettings, settings, 1))
	useful := last(compiled, "hosts-assemblyscript", worst, guardian.FaultFuel)
	useful.name = "a guest that means well, all of its budget"
	lines := []*line{useful}
	var rows []row
	for _, name := range []string{"spin", "call-bomb", "fill-bomb", "table-hog", "log-flood", "initialize-spin"} {
		l := last(compiled, name, question, guardian.FaultFuel)
		lines = append(lines, l)
		rows = append(rows, row{path: name + ", until it is stopped", ours: l, against: useful, most: 3})
	}
	for _, other := range []struct {
		name  string
		fault guardian.Fault
	}{{"recursion", guardian.FaultDepth}, {"wide-recursion", guardian.FaultDepth}, {"memory-hog", ""},
		{"start-spin", guardian.FaultStart}} {
		name := other.name
		l := last(compiled, name, question, other.fault)
		lines = append(lines, l)
		rows = append(rows, row{path: name + ", until it is stopped", ours: l, against: useful, most: 3})
	}
	spin, slow := last(compiled, "spin", question, guardian.FaultFuel), last(interpreted, "spin", question,
		guardian.FaultFuel)
	bomb := last(interpreted, "call-bomb", question, guardian.FaultFuel)
	rows = append(rows,
		row{path: "an endless guest, default budget, compiled", ours: spin, kind: absolute, most: 10, what: "spin"},
		row{path: "an endless guest, default budget, interpreted", ours: slow, kind: absolute, most: 1000, what: "spin"},
		row{path: "an endless guest, default budget, interpreted", ours: bomb, kind: absolute, most: 1000, what: "call-bomb"})
	return []*contest{{procs: 1, batches: batches, lines: append(lines, spin)},
		{procs: 1, batches: 3, lines: []*line{slow, bomb}}}, rows
}
