package meter_test

import (
	"bytes"
	"testing"

	"github.com/elicit-engine/elicit/plugins/meter"
)

// TestNothingReachesTheCounters hands in modules that are valid only if the rewriter's own globals, locals or types
// count.
func TestNothingReachesTheCounters(t *testing.T) {
	body := func(code ...any) func(*built) {
		return func(m *built) { m.function("run", m.kind("", ""), nil, ops(code...)) }
	}
	cases := []struct {
		name, code string
		fill       func(*built)
	}{
		{"sets the fuel", meter.Invalid, body(0x42, 9, 0x24, 0)},
		{"reads the depth", meter.Invalid, body(0x23, 1, 0x1a)},
		{"sets the reason", meter.Invalid, body(i32c(0), 0x24, 2)},
		{"sets the fuel local", meter.Invalid, body(0x42, 9, 0x21, 0)},
		{"reads the spare local", meter.Invalid, body(0x20, 1, 0x1a)},
		{"in dead code", meter.Invalid, body(0x00, 0x24, 0)},
		{"blocks of a type to come", meter.Invalid, body(0x02, 1, 0x0b)},
		{"calls a function to come", meter.Invalid, body(call(1))},
		{"calls a type to come", meter.Invalid, body(i32c(0), 0x11, 1, 0)},
		{"has a function of a type to come", meter.Invalid, func(m *built) {
			m.function("", m.kind("", "ii"), nil, ops(i32c(1), i32c(2)))
			m.function("run", 1, nil, ops(i32c(1), i32c(2)))
		}},
		{"exports the fuel", meter.Invalid, func(m *built) {
			body()(m)
			m.exports = append(m.exports, ops(name("mine"), 3, 0))
		}},
		{"exports a reserved name", meter.NameReserved, func(m *built) {
			m.function(meter.FuelExport, m.kind("", ""), nil, nil)
		}},
		{"exports another reserved name", meter.NameReserved, func(m *built) {
			m.function(meter.ReservedPrefix+"x", m.kind("", ""), nil, nil)
		}},
		{"starts a global from the fuel", meter.Invalid, func(m *built) { m.globals = [][]byte{{0x7e, 0, 0x23, 1, 0x0b}} }},
		{"imports a clock", meter.ImportRefused, imports("wasi_snapshot_preview1", "clock_time_get", 0, 0)},
		{"imports log as another type", meter.ImportRefused, imports("elicit_guardian_v1", "log", 0, 0)},
		{"imports a global", meter.ImportRefused, imports("elicit_guardian_v1", "fuel", 3, 0x7e, 1)},
		{"imports a memory", meter.ImportRefused, imports("elicit_guardian_v1", "memory", 2, 0, 1)},
		{"imports a table", meter.ImportRefused, imports("elicit_guardian_v1", "table", 1, 0x70, 0, 1)},
		{"imports a tag", meter.ImportRefused, imports("elicit_guardian_v1", "tag", 4, 0, 0)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := newModule()
			c.fill(m)
			out, no := meter.Rewrite(m.bytes(), meter.Limits{})
			if no == nil || out != nil || no.Code != c.code {
				t.Errorf("got %v, want %s", no, c.code)
			}
		})
	}
}

func imports(module, field string, kind ...any) func(*built) {
	return func(m *built) {
		m.kind("", "")
		m.imports = [][]byte{ops(name(module), name(field), ops(kind...))}
	}
}

// TestMeteredIsNotMeteredAgain keeps a module from bringing counters of its own.
func TestMeteredIsNotMeteredAgain(t *testing.T) {
	m := newModule()
	m.function("run", m.kind("", ""), nil, nil)
	if _, no := meter.Rewrite(rewrite(t, m.bytes()), meter.Limits{}); no == nil || no.Code != meter.NameReserved {
		t.Errorf("got %v, want %s", no, meter.NameReserved)
	}
}

// TestOutsideThePinnedSet names each proposal and the offset it begins at.
func TestOutsideThePinnedSet(t *testing.T) {
	at := func(code ...any) func(*built) {
		return func(m *built) {
			m.memory = [][]byte{{0, 1}}
			m.function("run", m.kind("", ""), nil, ops(0x01, ops(code...)))
		}
	}
	cases := []struct {
		name, detail string
		fill         func(*built)
	}{
		{"v128.const", "SIMD", at(0xfd, 12, make([]byte, 16), 0x1a)},
		{"v128 local type", "SIMD", func(m *built) { m.types = [][]byte{{0x60, 1, 0x7b, 0}} }},
		{"atomic.fence", "threads", at(0xfe, 3, 0)},
		{"shared memory", "shared memory (threads)", func(m *built) { m.memory = [][]byte{{3, 1, 1}} }},
		{"throw", "exception handling", at(0x08, 0)},
		{"try_table", "exception handling", at(0x1f, 0x40, 0, 0x0b)},
		{"return_call", "tail calls", at(0x12, 0)},
		{"memory64", "memory64", func(m *built) { m.memory = [][]byte{{4, 1}} }},
		{"two memories", "multi-memory", func(m *built) { m.memory = [][]byte{{0, 1}, {0, 1}} }},
		{"load from memory 1", "multi-memory", at(i32c(0), 0x28, 0x40, 1, 0, 0x1a)},
		{"struct.new", "garbage collection", at(0xfb, 0, 0)},
		{"struct type", "garbage collection", func(m *built) { m.types = [][]byte{{0x5f, 0}} }},
		{"call_ref", "typed references", at(0x14, 0)},
		{"extended constant", "constant expression beyond one constant", func(m *built) {
			m.globals = [][]byte{{0x7f, 0, 0x41, 1, 0x41, 1, 0x6a, 0x0b}}
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := newModule()
			c.fill(m)
			_, no := meter.Rewrite(m.bytes(), meter.Limits{})
			if no == nil || no.Code != meter.Unsupported || no.Detail != c.detail || no.Offset < 8 {
				t.Errorf("got %+v, want %s", no, c.detail)
			}
		})
	}
}

// TestLimits crosses each limit by one.
func TestLimits(t *testing.T) {
	simple := func(m *built) *built {
		m.function("run", m.kind("", ""), nil, nil)
		return m
	}
	cases := []struct {
		name, code string
		limits     meter.Limits
		guest      *built
	}{
		{"module", meter.ModuleTooLarge, meter.Limits{ModuleBytes: 20}, simple(newModule())},
		{"functions", meter.TooMany, meter.Limits{Functions: 1}, simple(simple(newModule()))},
		{"body", meter.BodyTooLarge, meter.Limits{BodyBytes: 1}, simple(newModule())},
		{"metered body", meter.BodyTooLarge, meter.Limits{BodyBytes: 12}, hostile[0].guest()},
		{"data", meter.DataTooLarge, meter.Limits{DataBytes: 2}, &built{start: -1, memory: [][]byte{{0, 1}},
			data: [][]byte{{1, 3, 1, 2, 3}}}},
		{"memory", meter.MemoryTooLarge, meter.Limits{}, withMemory(33)},
		{"table", meter.TableTooLarge, meter.Limits{}, &built{start: -1, tables: [][]byte{ops(0x70, 0, leb(4097))}}},
		{"tables", meter.TooMany, meter.Limits{}, &built{start: -1, tables: [][]byte{{0x70, 0, 1}, {0x70, 0, 1}, {0x70, 0, 1},
			{0x70, 0, 1}, {0x70, 0, 1}}}},
		{"parameters", meter.TooMany, meter.Limits{},
			&built{start: -1, types: [][]byte{ops(0x60, vector(bytes.Repeat([]byte{0x7f}, 129)...), 0)}}},
		{"above the hard maximum", meter.MemoryTooLarge, meter.Limits{MemoryPages: 1 << 30},
			&built{start: -1, memory: [][]byte{ops(0, leb(257))}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, no := meter.Rewrite(c.guest.bytes(), c.limits); no == nil || no.Code != c.code {
				t.Errorf("got %v, want %s", no, c.code)
			}
		})
	}
}

// TestManifest keeps one custom section and drops the others.
func TestManifest(t *testing.T) {
	section := func(title, content string) []byte {
		body := ops(name(title), []byte(content))
		return ops(0, leb(len(body)), body)
	}
	m := newModule()
	m.function("run", m.kind("", ""), nil, nil)
	plain := m.bytes()
	src := ops(plain[:8], section("before", "x"), plain[8:], section("elicit.guardian", `{"name":"a"}`),
		section("name", "junk"))
	out := rewrite(t, src)
	for what, module := range map[string][]byte{"source": src, "metered": out} {
		if got, no := meter.Manifest(module); no != nil || string(got) != `{"name":"a"}` {
			t.Errorf("%s: got %q, %v", what, got, no)
		}
	}
	if bytes.Contains(out, []byte("junk")) || bytes.Contains(out, []byte("before")) {
		t.Error("another custom section survived")
	}
	if got, no := meter.Manifest(plain); got != nil || no != nil {
		t.Errorf("without one: got %q, %v", got, no)
	}
	twice := ops(src, section("elicit.guardian", "{}"))
	if _, no := meter.Manifest(twice); no == nil || no.Code != meter.BadManifest {
		t.Errorf("two of them: got %v", no)
	}
	if _, no := meter.Rewrite(twice, meter.Limits{}); no == nil || no.Code != meter.BadManifest {
		t.Errorf("two of them, rewritten: got %v", no)
	}
	if _, no := meter.Rewrite(ops(plain, section("elicit.guardian", string(make([]byte, 16<<10+1)))),
		meter.Limits{}); no == nil || no.Code != meter.BadManifest {
		t.Errorf("a large one: got %v", no)
	}
}

// TestIntegers feeds padded, overlong and overflowing LEB128.
func TestIntegers(t *testing.T) {
	cases := []struct {
		name string
		code []byte
		good bool
	}{
		{"i32 padded to five bytes", []byte{0x41, 0x81, 0x80, 0x80, 0x80, 0x00, 0x1a}, true},
		{"i32 of six bytes", []byte{0x41, 0x81, 0x80, 0x80, 0x80, 0x80, 0x00, 0x1a}, false},
		{"i32 with bits above", []byte{0x41, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x1a}, false},
		{"i32 minus one in five", []byte{0x41, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x1a}, true},
		{"i64 of ten bytes", []byte{0x42, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f, 0x1a}, true},
		{"i64 with bits above", []byte{0x42, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02, 0x1a}, false},
		{"u32 padded", []byte{0x02, 0x40, 0x0c, 0x80, 0x80, 0x80, 0x80, 0x00, 0x0b}, true},
		{"u32 of six bytes", []byte{0x02, 0x40, 0x0c, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00, 0x0b}, false},
		{"u32 with bits above", []byte{0x02, 0x40, 0x0c, 0x80, 0x80, 0x80, 0x80, 0x10, 0x0b}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := newModule()
			m.function("run", m.kind("", ""), nil, c.code)
			_, no := meter.Rewrite(m.bytes(), meter.Limits{})
			if (no == nil) != c.good || no != nil && no.Code != meter.Malformed {
				t.Errorf("got %v, want good %t", no, c.good)
			}
		})
	}
}

// TestTruncated cuts every hostile guest at every byte: none is a module, none panics.
func TestTruncated(t *testing.T) {
	for _, h := range hostile {
		src := h.guest().bytes()
		for n := 0; n < len(src); n += 1 + n/500 {
			out, no := meter.Rewrite(src[:n], meter.Limits{})
			if no == nil && n > 8 && len(out) > 0 && endsWhole(src, n) {
				continue
			}
			if no == nil && n != 8 {
				t.Fatalf("%s cut at %d was rewritten", h.name, n)
			}
		}
	}
}

// endsWhole reports that the cut fell between sections and left no function without its body.
func endsWhole(src []byte, n int) bool {
	_, no := meter.Manifest(src[:n])
	return no == nil
}
