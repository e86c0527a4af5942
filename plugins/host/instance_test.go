package host

import (
	"testing"

	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

// TestInstances holds that an instance serves again exactly when nothing but its memory has changed.
func TestInstances(t *testing.T) {
	ops, i32 := assemble.Code, assemble.Const
	// adds 1 to a cell of memory and says the cell
	counting := ops(i32(60_000), i32(60_000), 0x28, 2, 0, i32(1), 0x6a, 0x36, 2, 0, assemble.Says(60_000, 4))
	with := func(evaluate []byte, change func(*assemble.Module)) []byte {
		m := assemble.Guest(i32(4096), evaluate)
		m.Data, m.DataAt = []byte{7}, 60_000
		m.Global("", assemble.I32, true, i32(5))
		change(m)
		return m.Bytes()
	}
	nothing := func(*assemble.Module) {}
	for _, c := range []struct {
		name   string
		module []byte
		again  bool
	}{
		{"writes to memory", with(counting, nothing), true},
		{"sets a global and sets it back", with(ops(i32(9), 0x24, 1, i32(5), 0x24, 1, counting), nothing), true},
		{"sets a global nobody sees", with(ops(i32(9), 0x24, 1, counting), nothing), false},
		{"counts in a global", with(ops(0x23, 1, i32(1), 0x6a, 0x24, 1, counting), nothing), false},
		{"grows", with(ops(i32(1), 0x40, 0, 0x1a, counting), nothing), false},
		{"grows by nothing", with(ops(i32(0), 0x40, 0, 0x1a, counting), nothing), true},
		{"starts", with(counting, func(m *assemble.Module) { m.Start = m.Func("", "", "", nil) }), false},
		{"initializes", with(counting, func(m *assemble.Module) { m.Func("_initialize", "", "", nil) }), true},
		{"traps", with(ops(counting, 0x1a, 0x00), nothing), false},
		{"says nothing", with(ops(counting, 0x1a, assemble.Says(0, 0)), nothing), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, h := range hosts(t) {
				e := Evaluation{Digest: load(t, h, c.module, false), Question: []byte("a question")}
				first := h.Evaluate(e)
				kept := h.idle != 0
				if kept != c.again || kept != (len(h.guests[e.Digest].now.idle) == 1) {
					t.Errorf("%s: kept %t, want %t", name, kept, c.again)
				}
				for range 3 {
					if again := h.Evaluate(e); same(again) != same(first) {
						t.Errorf("%s: got %s, at first %s", name, same(again), same(first))
					}
				}
				if first.Fault == "" && string(first.Output) != "\x08\x00\x00\x00" {
					t.Errorf("%s: %s", name, same(first))
				}
			}
		})
	}
}

// TestIdleIsBounded loads more guests than may be kept warm.
func TestIdleIsBounded(t *testing.T) {
	h := New(Options{})
	defer h.Close()
	for i := range maxIdle>>21 + 5 {
		m := assemble.Saying(pass)
		m.Pages, m.DataAt = 32, 16+i
		if r := h.Evaluate(Evaluation{Digest: load(t, h, m.Bytes(), false)}); r.Fault != "" &&
			r.Fault != guardian.FaultBadOutput {
			t.Fatal(r.Fault)
		}
	}
	if h.idle > maxIdle || h.idle == 0 {
		t.Errorf("%d bytes are kept idle", h.idle)
	}
}
