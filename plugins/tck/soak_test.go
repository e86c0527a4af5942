package tck

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/elicit-engine/elicit/plugins/host"
)

// asked is a case that a host has loaded the guest of.
type asked struct {
	Case
	guest Guest
}

// one returns a case of each module, with little fuel for those that would spend it all.
func one(t *testing.T, h *host.Host) (list []asked) {
	for _, kit := range Kits() {
		seen := map[string]bool{}
		for _, c := range kit.Cases {
			if seen[c.Module] {
				continue
			}
			seen[c.Module] = true
			for _, m := range kit.Modules {
				if m.Name != c.Module {
					continue
				}
				guest, refused := ours{h}.Load(m.Bytes(), m.WASI)
				if refused != "" {
					t.Fatal(m.Name, refused)
				}
				if c.Fault == "fuel" {
					c.Fuel, c.Used = 50_000, 50_000
				}
				list = append(list, asked{c, guest})
			}
		}
	}
	return list
}

// TestSoak has each guest evaluated a thousand times, and memory must be what it was.
func TestSoak(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 50
	}
	h := host.New(host.Options{Compiler: true})
	defer h.Close()
	for _, a := range one(t, h) {
		ask := func(times int) {
			for range times {
				if got := a.guest.Run(a.Call, a.Bytes(), a.Fuel); !a.Equal(got) {
					t.Fatalf("%s\n got %v\nwant %v", a.Name, got, a.Want)
				}
			}
		}
		ask(20)
		heap, resident := memory(t)
		ask(rounds)
		heapNow, residentNow := memory(t)
		if heapNow > heap+256<<10 {
			t.Errorf("%s: the heap grew from %d to %d bytes", a.Name, heap, heapNow)
		}
		// What the collector has not given back yet is resident too: 32 MiB of it is no leak in 1,000 evaluations of 2 MiB.
		if residentNow > resident+32<<20 {
			t.Errorf("%s: resident memory grew from %d to %d bytes", a.Name, resident, residentNow)
		}
	}
}

// TestBeside evaluates those that mean well while all hostile ones run, and demands the same bytes, fuel and fault of
// everybody.
func TestBeside(t *testing.T) {
	for name, compiler := range map[string]bool{"compiler": true, "interpreter": false} {
		t.Run(name, func(t *testing.T) {
			h := host.New(host.Options{Compiler: compiler, Instances: 6})
			defer h.Close()
			list := one(t, h)
			var wg sync.WaitGroup
			for worker := range 6 {
				wg.Go(func() {
					for i := range 2 * len(list) {
						a := list[(i*7+worker*5)%len(list)]
						if got := a.guest.Run(a.Call, a.Bytes(), a.Fuel); !a.Equal(got) {
							t.Errorf("%s, beside others\n got %v\nwant %v", a.Name, got, a.Want)
						}
					}
				})
			}
			wg.Wait()
		})
	}
}

// memory returns what Go's heap holds and what the process has resident, in bytes; 0 where the system does not tell.
func memory(t *testing.T) (heap, resident uint64) {
	t.Helper()
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	if fields, err := os.ReadFile("/proc/self/statm"); err == nil {
		pages, _ := strconv.ParseUint(strings.Fields(string(fields))[1], 10, 64)
		resident = pages * uint64(os.Getpagesize())
	}
	return m.HeapAlloc, resident
}
