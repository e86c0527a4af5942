package tck

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/elicit-engine/elicit/internal/vectors"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
)

// asked is a case and the guest it is put to.
type asked struct {
	Case
	of Module
}

// one returns a case of each module, with little fuel for those of the files that would spend it all.
func one(kits map[string]Kit) (list []asked) {
	for name, kit := range kits {
		seen := map[string]bool{}
		for _, c := range kit.Cases {
			if seen[c.Module] {
				continue
			}
			seen[c.Module] = true
			if c.Fault == "fuel" && name != "made" {
				c.Fuel, c.Used = 50_000, 50_000
			}
			at := slices.IndexFunc(kit.Modules, func(m Module) bool { return m.Name == c.Module })
			list = append(list, asked{c, kit.Modules[at]})
		}
	}
	return list
}

// TestSoak has each guest evaluated a hundred times, and memory must be what it was. The heap seldom differs by 200
// bytes, so 2 KiB are a leak of 20 bytes an evaluation. A leak grows each time, so a guest has failed when memory grew
// three times in a row: once, it may be the runtime's.
func TestSoak(t *testing.T) {
	vectors.Night(t)
	const rounds = 100
	for _, a := range one(Kits()) {
		guest, refused := ours{Compiler: true, CacheDir: kept}.Load(a.of.Bytes(), a.of.WASI)
		if refused != "" {
			t.Fatal(a.Name, refused)
		}
		document, data := a.Bytes(), a.Document()
		ask := func(times int) {
			for range times {
				if got := guest.Run(a.Call, document, data, a.Fuel); !a.Equal(got) {
					t.Fatalf("%s\n got %v\nwant %v", a.Name, got, a.Want)
				}
			}
		}
		ask(20)
		var grown []string
		for len(grown) < 3 {
			heap, resident := memory(t)
			ask(rounds)
			heapNow, residentNow := memory(t)
			// Memory that the collector has not given back is resident too. 3 MiB of it is no leak in 100 evaluations
			// of 2 MiB.
			if heapNow <= heap+2<<10 && residentNow <= resident+3<<20+uint64(2*a.Pages)<<16 {
				break
			}
			grown = append(grown, fmt.Sprintf("heap from %d to %d bytes, resident memory from %d to %d", heap, heapNow,
				resident, residentNow))
		}
		runtime.KeepAlive(document) // what is freed in between would hide a leak
		runtime.KeepAlive(data)
		if len(grown) == 3 {
			t.Errorf("%s: memory grew: %s", a.Name, strings.Join(grown, "; "))
		}
		guest.Close()
	}
}

// TestBeside evaluates those that mean well while all hostile ones run, and demands the same bytes, fuel and fault of
// everybody.
func TestBeside(t *testing.T) {
	t.Parallel()
	for name, compiler := range map[string]bool{"compiler": true, "interpreter": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host.New(host.Options{Compiler: compiler, CacheDir: kept, Instances: 6})
			defer h.Close()
			kits := Kits()
			delete(kits, "made") // more than one host holds
			list := one(kits)
			guests := make([]Guest, len(list))
			for i, a := range list {
				m, problems := h.Load(a.of.Bytes(), guest.Options{WASI: a.of.WASI})
				if problems != nil {
					t.Fatal(a.Name, problems)
				}
				guests[i] = held{h, m.Digest, a.of.WASI}
			}
			var wg sync.WaitGroup
			for worker := range 6 {
				wg.Go(func() {
					for i := range 2 * len(list) {
						at := (i*7 + worker*5) % len(list)
						a := list[at]
						if got := guests[at].Run(a.Call, a.Bytes(), a.Document(), a.Fuel); !a.Equal(got) {
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
	runtime.GC()         // pools and values with a finalizer are only free at the second collection
	debug.FreeOSMemory() // free memory must not count as resident
	runtime.ReadMemStats(&m)
	if fields, err := os.ReadFile("/proc/self/statm"); err == nil {
		pages, _ := strconv.ParseUint(strings.Fields(string(fields))[1], 10, 64)
		resident = pages * uint64(os.Getpagesize())
	}
	return m.HeapAlloc, resident
}
