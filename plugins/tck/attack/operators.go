package attack

import (
	"bytes"
	"fmt"

	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

// Operator is a guest that spends its whole budget on one operator, with as little else as the operator needs.
type Operator struct {
	Name   string
	Module []byte
	WASI   bool
}

// The operands that operators take, as letters of a signature.
var operands = map[byte][]byte{
	'i': assemble.Const(7), 'I': assemble.Long(7), 'f': {0x43, 0, 0, 0x40, 0x40}, 'F': {0x44, 0, 0, 0, 0, 0, 0, 8,
		0x40},
}

// Operators are guests for all operators whose cost could differ from engine to engine. Numeric operators
// get each operand pushed again. The others are used as a guest would use them to make the most of its fuel.
func Operators() []Operator {
	list := numeric()
	list = append(list, accesses()...)
	list = append(list, bulk()...)
	list = append(list, tables()...)
	list = append(list, calls()...)
	return append(list, flows()...)
}

// busy is a guest that repeats the code forever, 64 times a round. Settings have it run once, which ends in the
// fault refused.
func busy(name string, code []byte, change ...func(*assemble.Module)) Operator {
	return rounds(name, 64, code, change...)
}

func rounds(name string, times int, code []byte, change ...func(*assemble.Module)) Operator {
	return prepared(name, times, nil, code, change...)
}

// prepared is rounds with something done before.
func prepared(name string, times int, before, code []byte, change ...func(*assemble.Module)) Operator {
	m := assemble.New()
	m.Global("elicit_guardian_abi", assemble.I32, false, assemble.Const(1<<16))
	for _, c := range change {
		c(m)
	}
	body := assemble.Code(before, 0x03, 0x40, bytes.Repeat(code, times), 0x0c, 0, 0x0b, 0x00)
	m.Func("elicit_alloc", "i", "i", assemble.Const(4096))
	locals := assemble.Code(4, 4, assemble.I32, 2, assemble.I64, 1, 0x7d, 1, 0x7c)
	m.FuncWith(locals, "elicit_evaluate", "ii", "I", body)
	m.FuncWith(locals, "elicit_check_settings", "ii", "I", assemble.Code(code, assemble.Long(0)))
	src := m.Bytes()
	return Operator{Name: name, Module: src, WASI: bytes.Contains(src, []byte("wasi_snapshot_preview1"))}
}

func numeric() (list []Operator) {
	for op := 0x45; op <= 0xc4; op++ {
		takes := numericTakes(op)
		var code []byte
		for i := range len(takes) {
			code = append(code, operands[takes[i]]...)
		}
		list = append(list, busy(fmt.Sprintf("numeric %02x", op), assemble.Code(code, op, 0x1a)))
	}
	for op := range 8 {
		list = append(list, busy(fmt.Sprintf("saturating %d", op), assemble.Code(operands["ffFF"[op%4]], 0xfc, op,
			0x1a)))
	}
	// Chained, with operands that compilers do not know.
	for _, c := range []struct {
		name       string
		local, op  int
		with, tail []byte
	}{{"i32.div chained", 0, 0x6d, assemble.Code(0x20, 1, assemble.Const(1), 0x72), nil}, {"i64.rem chained", 6,
		0x81, assemble.Long(-7), nil},
		{"i64.div chained", 6, 0x7f, assemble.Code(0x20, 7, assemble.Long(1), 0x84), nil},
		{"f64.div chained", 9, 0xa3, operands['F'], nil}, {"f64.sqrt chained", 9, 0x9f, nil, nil},
		{"f32.sqrt chained", 8, 0x91, nil, nil},
		{"f64.nearest chained", 9, 0x9e, nil, nil}, {"f64.floor chained", 9, 0x9c, nil, nil}, {"f64.min chained",
			9, 0xa4, operands['F'], nil},
		{"f64.copysign chained", 9, 0xa6, operands['F'], nil}, {"i64.mul chained", 6, 0x7e, assemble.Code(0x20,
			7), nil},
		{"i64.popcnt chained", 6, 0x7b, nil, nil}, {"i32.clz chained", 0, 0x67, nil, nil}, {"i32.rotl chained", 0,
			0x77, assemble.Code(0x20, 1), nil}} {
		list = append(list, busy(c.name, assemble.Code(0x20, c.local, c.with, c.op, 0x21, c.local)))
	}
	list = append(list, busy("u64 to f64", assemble.Code(0x20, 6, 0xba, 0x21, 9)), busy("f64 to u64, saturating",
		assemble.Code(0x20, 9, 0xfc, 7, 0x21, 6)),
		busy("f64 to i32", assemble.Code(operands['F'], 0x21, 9, 0x20, 9, 0xab, 0x21, 0)))
	return list
}

// numericTakes spells the operands of a numeric operator.
func numericTakes(op int) string {
	for _, r := range []struct {
		last  int
		takes string
	}{{0x45, "i"}, {0x4f, "ii"}, {0x50, "I"}, {0x5a, "II"}, {0x60, "ff"}, {0x66, "FF"}, {0x69, "i"}, {0x78, "ii"},
		{0x7b, "I"}, {0x8a, "II"},
		{0x91, "f"}, {0x98, "ff"}, {0x9f, "F"}, {0xa6, "FF"}, {0xa7, "I"}, {0xa9, "f"}, {0xab, "F"}, {0xad, "i"},
		{0xaf, "f"}, {0xb1, "F"}, {0xb3, "i"},
		{0xb5, "I"}, {0xb6, "F"}, {0xb8, "i"}, {0xba, "I"}, {0xbb, "f"}, {0xbc, "f"}, {0xbd, "F"}, {0xbe, "i"},
		{0xbf, "I"}, {0xc1, "i"}} {
		if op <= r.last {
			return r.takes
		}
	}
	return "I"
}

func pages(least, most int) func(*assemble.Module) {
	return func(m *assemble.Module) { m.Pages, m.MostPages = least, most }
}

func accesses() (list []Operator) {
	for op := 0x28; op <= 0x35; op++ {
		list = append(list, busy(fmt.Sprintf("load %02x", op), assemble.Code(0x20, 0, op, 0, 0, 0x1a)))
	}
	for op := 0x36; op <= 0x3e; op++ {
		list = append(list, busy(fmt.Sprintf("store %02x", op), assemble.Code(0x20, 0,
			operands["iIfFiiIII"[op-0x36]], op, 0, 0)))
	}
	list = append(list, busy("memory.size", assemble.Code(0x3f, 0, 0x1a)), busy("memory.grow 0",
		assemble.Code(assemble.Const(0), 0x40, 0, 0x1a)),
		busy("memory.grow refused", assemble.Code(assemble.Const(-1), 0x40, 0, 0x1a)), busy("memory.grow 1",
			assemble.Code(assemble.Const(1), 0x40, 0, 0x1a)))
	// The address of each load follows from the last one's, over the whole of memory: a linear congruence in place
	// of what is read.
	for _, n := range []int{4, 16, 32, 256} {
		c := rounds(fmt.Sprintf("chase over %d pages", n), 64, assemble.Code(0x20, 2, assemble.Const(1664525),
			0x6c, assemble.Const(1013904223), 0x6a, 0x22, 2,
			assemble.Const(n<<16-4), 0x71, 0x28, 0, 0, 0x20, 2, 0x6a, 0x21, 2), pages(n, n), func(m *assemble.Module) {
			if n > 32 {
				m.Import("wasi_snapshot_preview1", "sched_yield", "", "i")
			}
		})
		list = append(list, c)
	}
	return append(list, pointers(32, 64), pointers(256, 128))
}

// pointers makes one cycle of pointers through all of memory, with so many bytes from one to the next, and follows
// it. Each load waits for the last one, and no processor guesses its address.
func pointers(n, stride int) Operator {
	count := n << 16 / stride
	next := assemble.Code(0x20, 2, assemble.Const(1664525), 0x6c, assemble.Const(1013904223), 0x6a,
		assemble.Const(count-1), 0x71, assemble.Const(stride), 0x6c)
	before := assemble.Code(3, 0x40, 0x20, 2, assemble.Const(stride), 0x6c, next, 0x36, 2, 0, 0x20, 2,
		assemble.Const(1), 0x6a, 0x22, 2,
		assemble.Const(count), 0x49, 0x0d, 0, 0x0b)
	return prepared(fmt.Sprintf("pointers over %d pages", n), 64, before, assemble.Code(0x20, 3, 0x28, 2, 0, 0x21,
		3), pages(n, n), func(m *assemble.Module) {
		if n > 32 {
			m.Import(wasi, "sched_yield", "", "i")
		}
	})
}

func bulk() (list []Operator) {
	segment := func(m *assemble.Module) { m.More(11, assemble.Code(1, assemble.Unsigned(4096), make([]byte, 4096))) }
	for _, n := range []int{0, 1, 16, 256, 4096, 1 << 20} {
		list = append(list, busy(fmt.Sprintf("memory.fill %d", n), assemble.Code(assemble.Const(0),
			assemble.Const(1), assemble.Const(n), 0xfc, 11, 0), pages(32, 32)),
			busy(fmt.Sprintf("memory.copy %d", n), assemble.Code(assemble.Const(1<<20), assemble.Const(1),
				assemble.Const(n), 0xfc, 10, 0, 0), pages(32, 32)))
		if n <= 4096 {
			list = append(list, busy(fmt.Sprintf("memory.init %d", n), assemble.Code(assemble.Const(0),
				assemble.Const(0), assemble.Const(n), 0xfc, 8, 0, 0), segment))
		}
	}
	return append(list, busy("data.drop", assemble.Code(0xfc, 9, 0), segment))
}

// table gives the guest a table of that many entries, and a passive segment of as many functions.
func table(n, most int, of byte) func(*assemble.Module) {
	return func(m *assemble.Module) {
		f := m.Func("named", "", "", nil)
		m.More(4, assemble.Code(int(of), 1, assemble.Unsigned(n), assemble.Unsigned(most)))
		m.More(9, assemble.Code(1, 0, assemble.Unsigned(n), bytes.Repeat(assemble.Unsigned(f), n)))
	}
}

func tables() (list []Operator) {
	const entries = 4096
	with := table(entries, entries, 0x70)
	list = append(list, busy("ref.func", assemble.Code(0xd2, 0, 0x1a), with), busy("ref.null", assemble.Code(0xd0,
		0x70, 0x1a)),
		busy("ref.is_null", assemble.Code(0xd0, 0x70, 0xd1, 0x1a)), busy("table.get",
			assemble.Code(assemble.Const(1), 0x25, 0, 0x1a), with),
		busy("table.get, tested", assemble.Code(assemble.Const(1), 0x25, 0, 0xd1, 0x1a), with),
		busy("table.set ref.func", assemble.Code(assemble.Const(1), 0xd2, 0, 0x26, 0), with),
		busy("table.set ref.null", assemble.Code(assemble.Const(1), 0xd0, 0x70, 0x26, 0), with),
		busy("table.set of extern", assemble.Code(assemble.Const(1), 0xd0, 0x6f, 0x26, 0), table(entries, entries,
			0x6f)),
		busy("table.set table.get", assemble.Code(assemble.Const(1), assemble.Const(2), 0x25, 0, 0x26, 0), with),
		busy("table.size", assemble.Code(0xfc, 16, 0, 0x1a), with),
		busy("table.grow 0", assemble.Code(0xd0, 0x70, assemble.Const(0), 0xfc, 15, 0, 0x1a), with),
		busy("table.grow 1", assemble.Code(0xd0, 0x70, assemble.Const(1), 0xfc, 15, 0, 0x1a), table(0, entries, 0x70)),
		busy("table.grow 64", assemble.Code(0xd0, 0x70, assemble.Const(64), 0xfc, 15, 0, 0x1a), table(0, entries,
			0x70)),
		busy("elem.drop", assemble.Code(0xfc, 13, 0), with))
	for _, n := range []int{0, 1, 16, 512, entries} {
		list = append(list,
			busy(fmt.Sprintf("table.fill %d", n), assemble.Code(assemble.Const(0), 0xd0, 0x70, assemble.Const(n),
				0xfc, 17, 0), with),
			busy(fmt.Sprintf("table.fill %d, held", n), assemble.Code(assemble.Const(0), assemble.Const(0), 0x25,
				0, assemble.Const(n), 0xfc, 17, 0), with),
			busy(fmt.Sprintf("table.fill %d of extern", n), assemble.Code(assemble.Const(0), 0xd0, 0x6f,
				assemble.Const(n), 0xfc, 17, 0), table(entries, entries, 0x6f)),
			busy(fmt.Sprintf("table.copy %d", n), assemble.Code(assemble.Const(0), assemble.Const(0),
				assemble.Const(n), 0xfc, 14, 0, 0), with),
			busy(fmt.Sprintf("table.init %d", n), assemble.Code(assemble.Const(0), assemble.Const(0),
				assemble.Const(n), 0xfc, 12, 0, 0), with))
	}
	return list
}
