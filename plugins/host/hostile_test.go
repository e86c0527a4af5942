package host

import (
	"bytes"
	"runtime"
	"sync"
	"testing"

	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

// hostileGuest is one that would take more than its share, or somebody else's.
type hostileGuest struct {
	name  string
	guest *assemble.Module
	fault guardian.Fault
	wasi  bool
}

// importing is a whole guest with one import, whose evaluate has this body; the import is function 0.
func importing(module, name, params, results string, evaluate []byte) *assemble.Module {
	m := assemble.New()
	m.Import(module, name, params, results)
	m.Global("elicit_guardian_abi", assemble.I32, false, assemble.Const(1<<16))
	m.Func("elicit_alloc", "i", "i", assemble.Const(4096))
	m.Func("elicit_evaluate", "ii", "I", evaluate)
	m.Func("elicit_check_settings", "ii", "I", assemble.Says(0, 0))
	return m
}

func hostileGuests() []hostileGuest {
	ops, i32, call := assemble.Code, assemble.Const, assemble.Call
	const wasi = "wasi_snapshot_preview1"
	loop := func(body []byte) []byte { return ops(0x03, 0x40, body, 0x0c, 0, 0x0b, 0x00) }
	evaluating := func(body []byte) *assemble.Module { return assemble.Guest(i32(4096), body) }
	bomb := evaluating(assemble.Says(0, 0))
	for i := range 40 {
		bomb.Func("", "", "", ops(call(4+i), call(4+i)))
	}
	bomb.Func("", "", "", nil)
	bomb.Func("_initialize", "", "", call(3))
	list := []hostileGuest{
		{"spin", evaluating(loop(nil)), guardian.FaultFuel, false},
		{"call bomb", bomb, guardian.FaultFuel, false},
		{"fill bomb", evaluating(loop(ops(i32(0), i32(7), i32(65536), 0xfc, 11, 0))), guardian.FaultFuel, false},
		{"memory hog", evaluating(loop(ops(i32(1), 0x40, 0, 0x1a))), guardian.FaultFuel, false},
		{"recursion", evaluating(ops(0x20, 0, 0x20, 1, call(1))), guardian.FaultDepth, false},
		{"log flood", importing("elicit_guardian_v1", "log", "iii", "", loop(ops(i32(1), i32(0), i32(65536), call(0)))),
			guardian.FaultFuel, false},
		{"random flood", importing(wasi, "random_get", "ii", "i", loop(ops(i32(0), i32(1024), call(0), 0x1a))),
			guardian.FaultFuel, true},
		{"exit", importing(wasi, "proc_exit", "i", "", ops(i32(0), call(0), assemble.Says(1, 1))), guardian.FaultExit, true},
		{"sleeper", importing(wasi, "poll_oneoff", "iiii", "i", loop(ops(i32(0), i32(0), i32(1), i32(60000), call(0), 0x1a))),
			guardian.FaultFuel, true},
		{"growing output", evaluating(ops(i32(31), 0x40, 0, 0x1a, assemble.Says(0, 32<<16))), guardian.FaultOutputTooLarge,
			false},
		{"everything as output", evaluating(assemble.Long(-1)), guardian.FaultBadOutput, false},
		// evaluate writes over its own question and the output reaches into both
		{"overlap", evaluating(ops(0x20, 0, i32(-1), 0x36, 2, 0, assemble.Says(4090, 20))), guardian.FaultBadOutput, false},
		{"divides the least by minus one", evaluating(ops(i32(-1<<31), i32(-1), 0x6d, 0x1a, assemble.Says(1, 1))),
			guardian.FaultTrap, false},
	}
	// 64 vectors that each name all of memory: 4 MiB a call, if a host would copy them.
	flood := importing(wasi, "fd_write", "iiii", "i", loop(ops(i32(1), i32(0), i32(64), i32(60000), call(0), 0x1a)))
	flood.Data = bytes.Repeat([]byte{0, 0, 0, 0, 0, 0, 1, 0}, 64)
	list = append(list, hostileGuest{"write flood", flood, guardian.FaultFuel, true})
	exit := assemble.New()
	exit.Import(wasi, "proc_exit", "i", "")
	exit.Global("elicit_guardian_abi", assemble.I32, false, i32(1<<16))
	exit.Func("elicit_alloc", "i", "i", i32(4096))
	exit.Func("elicit_evaluate", "ii", "I", assemble.Says(1, 1))
	exit.Func("elicit_check_settings", "ii", "I", assemble.Says(1, 1))
	exit.Start = exit.Func("", "", "", ops(i32(7), call(0)))
	return append(list, hostileGuest{"exit in its start", exit, guardian.FaultExit, true})
}

func TestHostileGuests(t *testing.T) {
	list := hosts(t)
	for _, g := range hostileGuests() {
		t.Run(g.name, func(t *testing.T) {
			src := g.guest.Bytes()
			for _, fuel := range []int64{1, 1000, 200_000, guest.DefaultFuel} {
				r := both(t, list, src, Evaluation{Question: []byte("a question"), Fuel: fuel, WASI: g.wasi})
				if r.Fault != g.fault && !(fuel <= 1000 && r.Fault == guardian.FaultFuel) || r.Fuel > fuel || r.Pages > 32 ||
					len(r.Log) > 32 {
					t.Errorf("%d fuel: %s (%s)", fuel, same(r), r.Detail)
				}
				if fuel == guest.DefaultFuel {
					t.Logf("fault %s, %d fuel, %d pages, %d ms interpreted", r.Fault, r.Fuel, r.Pages, r.Nanoseconds/1e6)
				}
			}
		})
	}
}

// TestNeighbours runs a good guest beside all hostile ones, at once, and demands what each gives alone.
func TestNeighbours(t *testing.T) {
	for name, h := range hosts(t) {
		t.Run(name, func(t *testing.T) {
			type one struct {
				e    Evaluation
				want string
			}
			var all []one
			add := func(src []byte, wasi bool) {
				e := Evaluation{Digest: load(t, h, src, wasi), Question: []byte("a question"), Fuel: 30_000, WASI: wasi}
				all = append(all, one{e, same(h.Evaluate(e))})
			}
			for _, g := range hostileGuests() {
				add(g.guest.Bytes(), g.wasi)
				add(assemble.Saying(`{"v":1,"decision":"pass","x-":"`+g.name+`"}`).Bytes(), false)
			}
			var wg sync.WaitGroup
			for worker := range 8 {
				wg.Go(func() {
					for i := range 10 * len(all) {
						o := all[(i+worker*3)%len(all)]
						if got := same(h.Evaluate(o.e)); got != o.want {
							t.Errorf("beside others: got %s, want %s", got, o.want)
							return
						}
					}
				})
			}
			wg.Wait()
		})
	}
}

// TestLoadAtOnce has many callers want one module at the same time, and ask it, and close the host under them.
func TestLoadAtOnce(t *testing.T) {
	src := assemble.Saying(pass).Bytes()
	for range 20 {
		h := New(Options{Instances: 2})
		var wg sync.WaitGroup
		found := make([]*guest.Module, 8)
		for i := range found {
			wg.Go(func() {
				found[i], _ = h.Load(src, guest.Options{})
				if m := found[i]; m != nil {
					if r := h.Evaluate(Evaluation{Digest: m.Digest}); string(r.Output) != pass && r.Fault != guardian.FaultNotLoaded {
						t.Errorf("got %s", same(r))
					}
				}
				if i == 5 {
					h.Close()
				}
			})
		}
		wg.Wait()
		h.Close()
		for _, m := range found {
			if m != nil && found[5] != nil && m != found[5] {
				t.Fatal("one module was loaded twice")
			}
		}
	}
}

// TestMemoryStaysFlat evaluates each guest a thousand times.
func TestMemoryStaysFlat(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 100
	}
	for name, h := range hosts(t) {
		for _, g := range append(hostileGuests(), hostileGuest{"good", assemble.Saying(pass), "", false}) {
			e := Evaluation{Digest: load(t, h, g.guest.Bytes(), g.wasi), Question: []byte("a question"), Fuel: 5_000,
				WASI: g.wasi}
			for range 20 {
				h.Evaluate(e)
			}
			before := heap()
			for range rounds {
				h.Evaluate(e)
			}
			if after := heap(); after > before+256<<10 {
				t.Errorf("%s, %s: the heap grew from %d to %d bytes", name, g.name, before, after)
			}
		}
	}
	if n := runtime.NumGoroutine(); n > 20 {
		t.Errorf("%d goroutines", n)
	}
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
