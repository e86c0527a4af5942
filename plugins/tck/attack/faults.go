package attack

import (
	"bytes"
	"fmt"

	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

// traps end by themselves, each in another way, in the middle of something.
func traps() (list []Made) {
	add := func(name string, body []byte, change ...func(*assemble.Module)) {
		work := bytes.Repeat(assemble.Code(0x20, 2, assemble.Const(1), 0x6a, 0x21, 2), 20)
		list = append(list, Made{Name: "trap: " + name, Module: asked(assemble.Code(work, body, says),
			append(change, saying)...), Fuel: 5_000_000})
	}
	drop := func(op int, takes ...[]byte) []byte { return assemble.Code(bytes.Join(takes, nil), op, 0x1a) }
	zero, one := assemble.Const(0), assemble.Const(1)
	add("division by zero", drop(0x6d, one, zero))
	add("division that overflows", drop(0x6d, assemble.Const(-1<<31), assemble.Const(-1)))
	add("remainder by zero", drop(0x82, assemble.Long(1), assemble.Long(0)))
	nan, large := []byte{0x44, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f}, []byte{0x44, 0, 0, 0, 0, 0, 0, 0xf0, 0x43}
	for op := 0xaa; op <= 0xab; op++ {
		add(fmt.Sprintf("truncation %x of NaN", op), drop(op, nan))
		add(fmt.Sprintf("truncation %x of too much", op), drop(op, large))
	}
	add("unreachable", []byte{0})
	for _, at := range []int{65533, 65536, -1, -4} {
		add(fmt.Sprintf("a load from %d", at), assemble.Code(assemble.Const(at), 0x28, 0, 0, 0x1a))
		add(fmt.Sprintf("a store to %d", at), assemble.Code(assemble.Const(at), one, 0x36, 0, 0))
	}
	add("a load with an offset", assemble.Code(one, 0x28, 0, assemble.Unsigned(1<<32-1), 0x1a))
	for _, c := range []struct{ name, op string }{{"memory.fill", "\xfc\x0b\x00"}, {"memory.copy",
		"\xfc\x0a\x00\x00"}} {
		add(c.name+" over the end", assemble.Code(assemble.Const(65530), zero, assemble.Const(7), []byte(c.op)))
		add(c.name+" of nothing behind the end", assemble.Code(assemble.Const(65537), zero, zero, []byte(c.op)))
	}
	with := table(8, 8, 0x70)
	add("table.fill over the end", assemble.Code(one, 0xd0, 0x70, assemble.Const(8), 0xfc, 17, 0), with)
	add("table.copy over the end", assemble.Code(one, zero, assemble.Const(8), 0xfc, 14, 0, 0), with)
	add("table.init over the end", assemble.Code(one, zero, assemble.Const(8), 0xfc, 12, 0, 0), with)
	add("table.init of what was dropped", assemble.Code(0xfc, 13, 0, zero, zero, one, 0xfc, 12, 0, 0), with)
	add("table.get behind the end", assemble.Code(assemble.Const(8), 0x25, 0, 0x1a), with)
	add("table.set behind the end", assemble.Code(assemble.Const(8), 0xd0, 0x70, 0x26, 0), with)
	add("an indirect call of nothing", assemble.Code(one, 0x11, 0, 0), with)
	add("an indirect call of another type", assemble.Code(zero, zero, one, 0xfc, 12, 0, 0, zero, zero, 0x11, 1, 0,
		0x1a), func(m *assemble.Module) { m.Type("", "") }, with)
	return list
}

// debts have work done on a budget that does not pay for it.
func debts() (list []Made) {
	logs := func(m *assemble.Module) { m.Import(log, "log", "iii", "") }
	line := assemble.Code(assemble.Const(1), assemble.Const(16), assemble.Const(2), assemble.Call(0))
	base := int64(4_000)
	add := func(name string, fuel int64, body []byte, change ...func(*assemble.Module)) {
		list = append(list, Made{Name: fmt.Sprintf("debt: %s, on %d", name, fuel),
			Module: asked(assemble.Code(body, says), append([]func(*assemble.Module){saying}, change...)...),
			Fuel:   fuel})
	}
	for _, fuel := range []int64{20, base, base + 257, base + 5_000} {
		add("3,000 lines of log in an arm", fuel, assemble.Code(0x20, 1, 4, 0x40, bytes.Repeat(line, 3_000),
			0x0b), logs)
		add("a line of log behind each of 500 branches", fuel, bytes.Repeat(assemble.Code(2, 0x40, 0x20, 2, 0x0d,
			0, line, 0x0b), 500), logs)
		add("20,000 operators in an arm", fuel, assemble.Code(0x20, 1, 4, 0x40, bytes.Repeat(assemble.Code(0x20,
			0, 0x1a), 10_000), 0x0b))
		add("1,000 arms of nine", fuel, bytes.Repeat(assemble.Code(0x20, 1, 4, 0x40,
			bytes.Repeat(assemble.Code(0x20, 0, 0x1a), 5), 0x0b), 1_000))
		add("a table filled in an arm", fuel, assemble.Code(0x20, 1, 4, 0x40, assemble.Const(0), 0xd0, 0x70,
			assemble.Const(4_096), 0xfc, 17, 0, 0x0b), table(4_096, 4_096, 0x70))
	}
	for _, n := range []int{1, 8, 32} {
		add(fmt.Sprintf("%d pages", n), int64(n)*1_024+1_400, nil, pages(n, n))
		add(fmt.Sprintf("%d pages, just too little", n), int64(n)*1_024, nil, pages(n, n))
	}
	elements := func(m *assemble.Module) {
		m.More(4, assemble.Code(0x70, 0, assemble.Unsigned(4_096)))
		m.More(9, assemble.Code(0, assemble.Const(0), 0x0b, assemble.Unsigned(4_096), make([]byte, 4_096)))
	}
	add("a table begun", 100_000, nil, elements)
	add("a table begun and paid for", 300_000, nil, elements)
	starts := func(body []byte) func(*assemble.Module) {
		return func(m *assemble.Module) { m.Start = m.Func("", "", "", body) }
	}
	worked := assemble.Code(assemble.Const(1_000), 0x21, 0, 3, 0x40, 0x20, 0, assemble.Const(1), 0x6b, 0x22, 0,
		0x0d, 0, 0x0b)
	add("a start section", 20_000, nil, starts(worked))
	add("a start section, just too little", base, nil, starts(worked))
	add("a start section without an end", base, nil, starts(assemble.Forever()))
	add("a start section that traps", base, nil, starts([]byte{0}))
	return list
}

// states leave something behind that the next evaluation must not see, and answer with it.
func states() (list []Made) {
	// The answer is as long as what was left: one letter more each time it is asked, if anything stays.
	grown := func(read, write []byte) []byte {
		return assemble.Code(read, assemble.Const(1), 0x6a, 0x21, 2, write, assemble.Long(16<<32), 0x20, 2, 0xad, 0x84)
	}
	add := func(name string, body []byte, change ...func(*assemble.Module)) {
		fill := func(m *assemble.Module) { m.Data, m.DataAt = bytes.Repeat([]byte("1"), 64), 16 }
		list = append(list, Made{Name: "state: " + name, Module: asked(body, append(change, fill)...), Fuel: 5_000_000})
	}
	global := func(m *assemble.Module) { m.Global("", assemble.I32, true, assemble.Const(0)) }
	add("a global", grown(assemble.Code(0x23, 1), assemble.Code(0x20, 2, 0x24, 1)), global)
	add("the first page", grown(assemble.Code(assemble.Const(8), 0x28, 0, 0), assemble.Code(assemble.Const(8),
		0x20, 2, 0x36, 0, 0)))
	add("the last byte", grown(assemble.Code(assemble.Const(65535), 0x2d, 0, 0),
		assemble.Code(assemble.Const(65535), 0x20, 2, 0x3a, 0, 0)))
	add("pages", grown(assemble.Code(assemble.Const(1), 0x40, 0), nil))
	add("entries of a table", grown(assemble.Code(0xd0, 0x70, assemble.Const(1), 0xfc, 15, 0), nil), table(1, 64, 0x70))
	add("a table's entry", grown(assemble.Code(assemble.Const(1), 0x25, 0, 0xd1, 0x45),
		assemble.Code(assemble.Const(1), 0xd2, 0, 0x26, 0)), table(2, 2, 0x70))
	add("what alloc wrote", grown(assemble.Code(assemble.Const(4096), 0x2d, 0, 0, assemble.Const(0x7f), 0x71,
		assemble.Const(5), 0x76), nil))
	for _, depth := range []int{1, 200, 250, 251, 252, 253, 254, 255, 256, 1_000} {
		list = append(list, Made{Name: fmt.Sprintf("depth: %d", depth), Module: deep(depth, 0), Fuel: 5_000_000})
	}
	for _, locals := range []int{62, 64, 127, 500} {
		list = append(list, Made{Name: fmt.Sprintf("depth: 100 with %d locals", locals), Module: deep(100,
			locals), Fuel: 5_000_000})
	}
	return list
}

// deep calls itself that often and comes back.
func deep(depth, locals int) []byte {
	return asked(assemble.Code(assemble.Const(depth), assemble.Call(0), says), saying, func(m *assemble.Module) {
		m.FuncWith(assemble.Code(1, assemble.Unsigned(locals), assemble.I64), "", "i", "",
			assemble.Code(0x20, 0, 4, 0x40, 0x20, 0, assemble.Const(1), 0x6b, assemble.Call(0), 0x0b))
	})
}
