package meter_test

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/plugins/meter"
)

// hostile are guests that would run without end, or take all that there is. Each exports "run".
var hostile = []struct {
	name   string
	reason int32
	guest  func() *built
}{
	{"spin", meter.ReasonFuel, func() *built {
		m := newModule()
		m.function("run", m.kind("", ""), nil, ops(0x03, 0x40, 0x0c, 0, 0x0b))
		return m
	}},
	{"call bomb", meter.ReasonFuel, func() *built {
		m := newModule()
		k := m.kind("", "")
		for i := range 60 {
			m.function("", k, nil, ops(call(i+1), call(i+1)))
		}
		m.function("", k, nil, nil)
		m.function("run", k, nil, call(0))
		return m
	}},
	{"fill bomb", meter.ReasonFuel, func() *built {
		m := withMemory(32)
		m.function("run", m.kind("", ""), nil, times(1000, ops(i32c(0), i32c(7), i32c(32<<16), 0xfc, 11, 0)))
		return m
	}},
	{"copy bomb", meter.ReasonFuel, func() *built {
		m := withMemory(32)
		m.function("run", m.kind("", ""), nil, ops(0x03, 0x40, i32c(0), i32c(1), i32c(31<<16), 0xfc, 10, 0, 0, 0x0c, 0, 0x0b))
		return m
	}},
	{"init bomb", meter.ReasonFuel, func() *built {
		m := withMemory(4)
		m.counted = true
		m.data = [][]byte{ops(1, leb(200_000), make([]byte, 200_000))}
		m.function("run", m.kind("", ""), nil, ops(0x03, 0x40, i32c(0), i32c(0), i32c(200_000), 0xfc, 8, 0, 0, 0x0c, 0, 0x0b))
		return m
	}},
	{"table bomb", meter.ReasonFuel, func() *built {
		m := newModule()
		m.tables = [][]byte{ops(0x70, 0, leb(4096))}
		m.function("run", m.kind("", ""), nil, ops(0x03, 0x40, i32c(0), i32c(1), i32c(4095), 0xfc, 14, 0, 0,
			i32c(0), 0xd0, 0x70, i32c(4096), 0xfc, 17, 0, 0x0c, 0, 0x0b))
		return m
	}},
	{"recursion", meter.ReasonDepth, func() *built {
		m := newModule()
		m.function("run", m.kind("", ""), nil, call(0))
		return m
	}},
	{"wide recursion", meter.ReasonDepth, func() *built {
		m := newModule()
		m.function("run", m.kind("", ""), ops(1, leb(4096), 0x7e), call(0))
		return m
	}},
	{"indirect recursion", meter.ReasonDepth, func() *built {
		m := newModule()
		m.tables = [][]byte{{0x70, 0, 1}}
		m.elements = [][]byte{ops(0, i32c(0), 0x0b, 1, 0)}
		m.function("run", m.kind("", ""), nil, ops(i32c(0), 0x11, 0, 0))
		return m
	}},
	{"memory hog", meter.ReasonFuel, func() *built {
		m := withMemory(0)
		m.function("run", m.kind("", ""), nil, ops(0x03, 0x40, i32c(1), 0x40, 0, 0x1a, 0x0c, 0, 0x0b))
		return m
	}},
	{"table hog", meter.ReasonFuel, func() *built {
		m := newModule()
		m.tables = [][]byte{{0x6f, 0, 0}}
		m.function("run", m.kind("", ""), nil, ops(0x03, 0x40, 0xd0, 0x6f, i32c(100), 0xfc, 15, 0, 0x1a, 0x0c, 0, 0x0b))
		return m
	}},
	{"log flood", meter.ReasonFuel, func() *built {
		m := newModule()
		m.imports = [][]byte{ops(name("elicit_guardian_v1"), name("log"), 0, m.kind("iii", ""))}
		m.function("run", m.kind("", ""), nil, ops(0x03, 0x40, i32c(0), i32c(0), i32c(0), call(0), 0x0c, 0, 0x0b))
		return m
	}},
	{"br_table monster", meter.ReasonFuel, func() *built {
		m := newModule()
		m.function("run", m.kind("", ""), ops(1, 1, 0x7f),
			ops(0x03, 0x40, times(800, ops(0x02, 0x40)), 0x20, 0, i32c(1), 0x6a, 0x22, 0,
				0x0e, leb(9000), times(9000, leb(800)), leb(800), times(801, []byte{0x0b})))
		return m
	}},
	{"value juggler", meter.ReasonFuel, func() *built {
		m := newModule()
		wide := strings.Repeat("I", 128)
		k := m.kind(wide, wide)
		m.function("run", m.kind("", ""), nil, ops(times(128, ops(0x42, 1)), 0x03, k, times(20, ops(0x02, k, 0x0c, 0, 0x0b)),
			0x0c, 0, 0x0b, 0x00))
		return m
	}},
}

func withMemory(pages int) *built {
	m := newModule()
	m.memory = [][]byte{{0, byte(pages)}}
	m.exports = [][]byte{ops(name("memory"), 2, 0)}
	return m
}

// TestHostileGuestsStop runs each on both engines with several budgets.
func TestHostileGuestsStop(t *testing.T) {
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			src := h.guest().bytes()
			metered := rewrite(t, src)
			for _, fuel := range []int{0, 1, 1000, 300_000} {
				o := both(t, metered, "run", fuel, 256)
				want := h.reason
				if fuel <= 1 && want == meter.ReasonDepth && o.reason == meter.ReasonFuel {
					want = meter.ReasonFuel
				}
				if o.reason != want && !(fuel == 1000 && o.reason == meter.ReasonFuel) || o.trap == "" {
					t.Errorf("with %d fuel: got %v, want a trap with reason %d", fuel, o, want)
				}
				// The debt stays below the cost of one body, and of the operation that was refused.
				if owed := -o.fuel; owed > int64(129*len(src)+32<<13) {
					t.Errorf("with %d fuel: %d owed", fuel, owed)
				}
				if o.memory > 32<<16 {
					t.Errorf("%d bytes of memory", o.memory)
				}
			}
		})
	}
}

// TestStartSectionSpins shows that a start section runs on the fuel of the limits.
func TestStartSectionSpins(t *testing.T) {
	m := newModule()
	m.start = m.function("run", m.kind("", ""), nil, ops(0x03, 0x40, 0x0c, 0, 0x0b))
	o := both(t, rewrite(t, m.bytes()), "run", 1000, 256)
	if !strings.Contains(o.trap, "start") || !strings.Contains(o.trap, "unreachable") {
		t.Errorf("got %v, want a trap of the start function", o)
	}
}

// TestGrowthStopsAtTheLimit shows that a guest told -1 goes on.
func TestGrowthStopsAtTheLimit(t *testing.T) {
	m := withMemory(1)
	m.memory = [][]byte{ops(1, 1, leb(60_000))}
	m.tables = [][]byte{{0x70, 0, 5}}
	grow := func(n int) []byte { return ops(i32c(n), 0x40, 0) }
	table := func(n int) []byte { return ops(0xd0, 0x70, i32c(n), 0xfc, 15, 0) }
	m.function("run", m.kind("", "iiiiiiii"), nil,
		ops(grow(31), grow(1), grow(-1), grow(0), table(4091), table(1), table(-1), 0xfc, 16, 0))
	o := both(t, rewrite(t, m.bytes()), "run", 40_000, 256)
	const none = 1<<32 - 1
	want := []uint64{1, none, none, 32, 5, none, none, 4096}
	if o.trap != "" || len(o.results) != len(want) {
		t.Fatalf("got %v, want %v", o, want)
	}
	for i := range want {
		if o.results[i] != want[i] {
			t.Errorf("result %d: got %d, want %d", i, o.results[i], want[i])
		}
	}
	// 8 results, 17 operators, 7 growths of 513−1 extra, 31 pages, 4,091 entries.
	if used, want := 40_000-o.fuel, int64(8+8/4+(7*2+3+1)+7*512+31*1024+4091/2); used != want {
		t.Errorf("used %d fuel, want %d", used, want)
	}
}
