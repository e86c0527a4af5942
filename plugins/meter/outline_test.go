package meter_test

import (
	"testing"

	"github.com/elicit-engine/elicit/plugins/internal/assemble"
	"github.com/elicit-engine/elicit/plugins/meter"
)

func TestOutline(t *testing.T) {
	m := withMemory(3)
	m.imports = [][]byte{ops(name("elicit_guardian_v1"), name("log"), 0, m.kind("iii", ""))}
	m.globals = [][]byte{ops(0x7f, 0, i32c(-65536), 0x0b), ops(0x7e, 1, assemble.Long(1<<40), 0x0b),
		ops(0x7d, 0, 0x43, 0, 0, 0x80, 0x3f, 0x0b)}
	for i, n := range []string{"a", "b", "c"} {
		m.exports = append(m.exports, ops(name(n), 3, i))
	}
	m.start = m.function("run", m.kind("", ""), nil, nil)
	m.function("wide", m.kind("iIfFr", "Ir"), nil, ops(0x20, 1, 0x20, 4))
	m.exports = append(m.exports, ops(name("log"), 0, 0))
	m.data = [][]byte{{1, 3, 1, 2, 3}}
	src := ops(m.bytes(), 0, leb(18), name("elicit.guardian"), []byte("{}"))
	metered, o, no := meter.Read(src, meter.Limits{})
	if no != nil {
		t.Fatal(no)
	}
	if again, _ := meter.Rewrite(src, meter.Limits{}); string(again) != string(metered) {
		t.Error("Read and Rewrite differ")
	}
	for _, c := range []struct{ name, params, results string }{{"run", "", ""}, {"wide", "iIfFr", "Ir"},
		{"log", "iii", ""}} {
		if p, r, ok := o.Function(c.name); p != c.params || r != c.results || !ok {
			t.Errorf("%s: got %s → %s, %t", c.name, p, r, ok)
		}
	}
	for _, c := range []struct {
		name, of string
		mutable  bool
		value    int64
	}{{"a", "i", false, -65536}, {"b", "I", true, 1 << 40}, {"c", "f", false, 0}} {
		if of, mutable, value, ok := o.Global(c.name); of != c.of || mutable != c.mutable || value != c.value || !ok {
			t.Errorf("%s: got %s, %t, %d, %t", c.name, of, mutable, value, ok)
		}
	}
	if _, _, ok := o.Function("memory"); ok {
		t.Error("the memory is a function")
	}
	if _, _, _, ok := o.Global("run"); ok {
		t.Error("a function is a global")
	}
	least, most := o.Pages()
	if !o.Memory("memory") || o.Memory("run") || o.Memory("none") || least != 3 || most != 32 {
		t.Errorf("memory of %d to %d pages", least, most)
	}
	if !o.Starts() || o.Functions() != 2 || o.DataBytes() != 3 || o.LongestBody() != 6 || string(o.Manifest()) != "{}" {
		t.Errorf("starts %t, %d functions, %d bytes, longest %d, manifest %q", o.Starts(), o.Functions(), o.DataBytes(),
			o.LongestBody(), o.Manifest())
	}
	if list := o.Named("w"); len(list) != 1 || list[0] != "wide" {
		t.Errorf("named w: %v", list)
	}
	if list := o.Imports(); len(list) != 1 || list[0] != (meter.Import{Module: "elicit_guardian_v1", Name: "log",
		Params: "iii", Fuel: 128}) {
		t.Errorf("imports %v", list)
	}
}

// TestWithRuntime lets a large guest in where the permit says so, and nowhere else.
func TestWithRuntime(t *testing.T) {
	m := withMemory(100)
	m.function("run", m.kind("", ""), nil, nil)
	m.data = [][]byte{ops(1, leb(900_000), make([]byte, 900_000))}
	for _, c := range []struct {
		limits meter.Limits
		want   string
	}{
		{meter.Limits{}, meter.ModuleTooLarge},
		{meter.Limits{ModuleBytes: 1 << 30, DataBytes: 1 << 30}, meter.MemoryTooLarge},
		{meter.Limits{ModuleBytes: 1 << 30, DataBytes: 1 << 30, MemoryPages: 100}, meter.DataTooLarge},
		{meter.Limits{Runtime: true}, ""},
		{meter.Limits{Runtime: true, DataBytes: 1000}, meter.DataTooLarge},
	} {
		_, no := meter.Rewrite(m.bytes(), c.limits)
		if c.want == "" && no != nil || c.want != "" && (no == nil || no.Code != c.want) {
			t.Errorf("%+v: got %v, want %q", c.limits, no, c.want)
		}
	}
}

func TestRearranges(t *testing.T) {
	for _, c := range []struct {
		name string
		code []byte
		want bool
	}{
		{"nothing", nil, false},
		{"table.get", ops(i32c(0), 0x25, 0, 0x1a), false},
		{"table.size", ops(0xfc, 16, 0, 0x1a), false},
		{"memory.init", ops(i32c(0), i32c(0), i32c(0), 0xfc, 8, 0, 0), false},
		{"memory.copy", ops(i32c(0), i32c(0), i32c(0), 0xfc, 10, 0, 0), false},
		{"memory.fill", ops(i32c(0), i32c(0), i32c(0), 0xfc, 11, 0), false},
		{"data.drop", ops(0xfc, 9, 0), true},
		{"table.set", ops(i32c(0), 0xd0, 0x70, 0x26, 0), true},
		{"table.init", ops(i32c(0), i32c(0), i32c(0), 0xfc, 12, 0, 0), true},
		{"elem.drop", ops(0xfc, 13, 0), true},
		{"table.copy", ops(i32c(0), i32c(0), i32c(0), 0xfc, 14, 0, 0), true},
		{"table.grow", ops(0xd0, 0x70, i32c(0), 0xfc, 15, 0, 0x1a), true},
		{"table.fill", ops(i32c(0), 0xd0, 0x70, i32c(0), 0xfc, 17, 0), true},
		{"in dead code", ops(0x00, 0xfc, 13, 0), true},
	} {
		m := withMemory(1)
		m.tables = [][]byte{{0x70, 0, 1}}
		m.elements = [][]byte{{1, 0, 0}}
		m.data, m.counted = [][]byte{{1, 0}}, true
		m.function("run", m.kind("", ""), nil, c.code)
		if _, o, no := meter.Read(m.bytes(), meter.Limits{}); no != nil || o.Rearranges() != c.want {
			t.Errorf("%s: %v, want %t", c.name, no, c.want)
		}
	}
}
