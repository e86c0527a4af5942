package attack

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

// limits are modules that go to a limit, and as many that go one further.
func limits() (list []Made) {
	// pair makes both; make gets a number of parts.
	pair := func(name string, most int, refused string, part func(n int) []byte) {
		list = append(list, Made{Name: fmt.Sprintf("limit: %d %s", most, name), Module: part(most), Fuel: 5_000_000},
			Made{Name: fmt.Sprintf("limit: %d %s", most+1, name), Module: part(most + 1), Refused: refused})
	}
	times := func(f func(m *assemble.Module, i int), less int) func(n int) []byte {
		return func(n int) []byte {
			return asked(says, saying, func(m *assemble.Module) {
				for i := range n - less {
					f(m, i)
				}
			})
		}
	}
	more := func(section int, member ...any) func(m *assemble.Module, i int) {
		return func(m *assemble.Module, _ int) { m.More(section, assemble.Code(member...)) }
	}
	const many, table, body = "too_many_parts", "table_too_large", "body_too_large"
	pair("types", 10_000, many, times(more(1, 0x60, 0, 0), 2))
	pair("imports", 1_000, many, times(func(m *assemble.Module, _ int) { m.Import(log, "log", "iii", "") }, 0))
	pair("exports", 1_000, many, times(func(m *assemble.Module, i int) { m.Export(fmt.Sprint(i), 3, 0) }, 5))
	pair("globals", 10_000, many, times(func(m *assemble.Module, _ int) {
		m.Global("", assemble.I64, true,
			assemble.Long(1))
	}, 1))
	pair("data segments", 10_000, many, times(more(11, 1, 0), 1))
	pair("active data segments", 10_000, many, times(more(11, 0, assemble.Const(32), 0x0b, 1, 0x20), 1))
	pair("element segments", 10_000, many, times(more(9, 1, 0, 0), 0))
	pair("functions", 10_000, many, times(func(m *assemble.Module, _ int) {
		m.FuncWith([]byte{0}, "", "", "",
			nil)
	}, 3))
	pair("tables", 4, many, times(more(4, 0x70, 0, 1), 0))
	pair("entries of a table", 4_096, table, func(n int) []byte {
		return asked(says, saying, func(m *assemble.Module) { m.More(4, assemble.Code(0x70, 0, assemble.Unsigned(n))) })
	})
	pair("entries of element segments", 8_192, table, func(n int) []byte {
		return asked(says, saying, func(m *assemble.Module) {
			m.More(4, assemble.Code(0x70, 0, assemble.Unsigned(4_096)))
			m.More(9, assemble.Code(0, assemble.Const(0), 0x0b, assemble.Unsigned(4_096), make([]byte, 4_096)))
			m.More(9, assemble.Code(1, 0, assemble.Unsigned(n-4_096), make([]byte, n-4_096)))
		})
	})
	pair("pages", 32, "memory_too_large", func(n int) []byte { return asked(says, saying, pages(n, 64)) })
	pair("bytes of an export's name", 1_024, many, func(n int) []byte {
		return asked(says, saying, func(m *assemble.Module) { m.Export(strings.Repeat("n", n), 3, 0) })
	})
	pair("targets of a br_table", 10_000, many, func(n int) []byte {
		return asked(assemble.Code(2, 0x40, assemble.Const(3), 0x0e, assemble.Unsigned(n), make([]byte, n+1),
			0x0b, says), saying)
	})
	pair("loops in each other", 32, body, func(n int) []byte {
		return asked(assemble.Code(bytes.Repeat([]byte{3, 0x40}, n), bytes.Repeat([]byte{0x0b}, n), says), saying)
	})
	pair("locals touched in loops", 4_000, body, func(n int) []byte {
		return asked(says, saying, touching(25,
			n/25-1, n%25))
	})
	pair("parameters", 128, many, func(n int) []byte {
		return asked(says, saying, func(m *assemble.Module) {
			m.FuncWith([]byte{0}, "", strings.Repeat("i", n),
				"", nil)
		})
	})
	pair("locals", 4_096, many, func(n int) []byte {
		return asked(says, saying, func(m *assemble.Module) {
			m.FuncWith(assemble.Code(1, assemble.Unsigned(n), assemble.I32), "", "", "", nil)
		})
	})
	pair("bytes of a body", 32<<10, body, func(n int) []byte {
		return asked(says, saying, func(m *assemble.Module) {
			m.FuncWith([]byte{0}, "", "", "",
				bytes.Repeat([]byte{1}, n-2))
		})
	})
	pair("bytes of data", 256<<10, "data_too_large", func(n int) []byte {
		return asked(says, saying, func(m *assemble.Module) {
			m.More(11, assemble.Code(1, assemble.Unsigned(n-2),
				make([]byte, n-2)))
		})
	})
	pair("values carried by calls", 200_000, body, func(n int) []byte {
		return asked(says, saying, func(m *assemble.Module) {
			f := m.FuncWith([]byte{0}, "", strings.Repeat("i", 50), strings.Repeat("i", 50), identity(50))
			calls := assemble.Code(bytes.Repeat(assemble.Const(0), 50), bytes.Repeat(assemble.Call(f), 2_000),
				bytes.Repeat([]byte{0x1a}, 50))
			m.FuncWith(assemble.Code(1, assemble.Unsigned(n-200_000), assemble.I32), "", "", "", calls)
		})
	})
	return list
}

// touching adds a function of nested loops that touch locals: each of the loops each of the locals, and one more
// that touches only some.
func touching(loops, locals, some int) func(*assemble.Module) {
	return func(m *assemble.Module) {
		touch := func(n int) []byte {
			return repeat(n, func(i int) []byte { return assemble.Code(0x20, assemble.Unsigned(i), 0x1a) })
		}
		extra := []byte{}
		if some > 0 {
			extra = assemble.Code(3, 0x40, touch(some-1), 0x0b)
		}
		m.FuncWith(assemble.Code(1, assemble.Unsigned(locals), assemble.I32), "", "", "",
			assemble.Code(bytes.Repeat([]byte{3, 0x40}, loops), touch(locals), bytes.Repeat([]byte{0x0b}, loops),
				extra))
	}
}

// bombs are small modules that make a compiler of wazero or V8 take minutes, gigabytes or both.
func bombs() (list []Made) {
	bomb := func(name, refused string, copies, locals int, body []byte) {
		module := asked(says, saying, func(m *assemble.Module) {
			for range copies {
				m.FuncWith(assemble.Code(1, assemble.Unsigned(locals), assemble.I32), "", "", "", body)
			}
		})
		list = append(list, Made{Name: "bomb: " + name, Module: module, Refused: refused, Fuel: some})
	}
	const body, many = "body_too_large", "too_many_parts"
	adds := func(i int) []byte {
		return assemble.Code(0x20, assemble.Unsigned(i), assemble.Const(i+1), 0x6a, 0x21, assemble.Unsigned(i))
	}
	gets := func(i int) []byte { return assemble.Code(0x20, assemble.Unsigned(i), 0x1a) }
	again := assemble.Code(0x20, 0, 0x0d, 0, 0x0b)
	nested := func(loops, locals int, touch func(int) []byte) []byte {
		return assemble.Code(bytes.Repeat([]byte{3, 0x40}, loops), repeat(locals, touch), bytes.Repeat(again, loops))
	}
	bomb("1,500 loops and 1,500 locals", body, 1, 1_500, nested(1_500, 1_500, adds))
	bomb("500 loops and 500 locals", body, 1, 500, nested(500, 500, adds))
	bomb("32 loops and 500 locals", body, 1, 500, nested(32, 500, adds))
	bomb("sixteen times 30 loops and 130 locals", many, 16, 130, nested(30, 130, adds))
	bomb("30 loops and 130 locals", "", 1, 130, nested(30, 130, adds))
	bomb("30 loops that read 130 locals", "", 5, 130, nested(30, 130, gets))
	bomb("loops in a row", body, 1, 600, repeat(100, func(i int) []byte {
		return assemble.Code(3, 0x40, repeat(60, func(j int) []byte {
			return assemble.Code(0x20, 0, 0x21,
				assemble.Unsigned((i*7+j)%600))
		}), again)
	}))
	joined := func(ifs, locals int) []byte {
		return assemble.Code(repeat(ifs, func(int) []byte { return assemble.Code(0x20, 0, 4, 0x40, 0x0b) }),
			repeat(locals, gets))
	}
	bomb("1,000 joins and 1,000 locals", body, 1, 1_000, joined(1_000, 1_000))
	bomb("190 joins and 990 locals", "", 1, 990, joined(190, 990))
	bomb("three times 190 joins and 990 locals", many, 3, 990, joined(190, 990))
	breaks := func(n, locals int) []byte {
		return assemble.Code(2, 0x40, repeat(n, func(i int) []byte {
			return assemble.Code(0x20, 0, 0x21, assemble.Unsigned(i%locals), 0x20, 0, 0x0d, 0)
		}), 0x0b, repeat(locals, gets))
	}
	bomb("1,000 ways out and 1,000 locals", body, 1, 1_000, breaks(1_000, 1_000))
	bomb("190 ways out and 990 locals", "", 1, 990, breaks(190, 990))
	bomb("a br_table of 1,000 to a loop of 1,000 locals", body, 1, 1_000,
		assemble.Code(3, 0x40, repeat(1_000, adds), 0x20, 0, 0x0e, assemble.Unsigned(1_000), make([]byte, 1_000),
			1, 0x0b))
	bomb("8,000 values under 100 branches", body, 1, 1,
		assemble.Code(bytes.Repeat([]byte{0x20, 0}, 8_000), bytes.Repeat(assemble.Code(2, 0x40, again), 100),
			bytes.Repeat([]byte{0x1a}, 8_000)))
	bomb("3,000 functions of 4,000 locals", many, 3_000, 4_000, nil)
	bomb("5,000 blocks in each other", many, 1, 2, assemble.Code(bytes.Repeat([]byte{2, 0x40}, 5_000),
		bytes.Repeat([]byte{0x0b}, 5_000)))
	ifs := func(n int) []byte {
		return assemble.Code(bytes.Repeat([]byte{0x20, 0, 4, 0x40}, n), bytes.Repeat([]byte{0x0b}, n))
	}
	row := func(n, locals int) []byte {
		return assemble.Code(2, 0x40, bytes.Repeat([]byte{0x20, 0, 0x0d, 0}, n), 0x0b, repeat(locals, gets))
	}
	bomb("2,000 ifs in each other", many, 1, 20, ifs(2_000))
	bomb("twenty-five times 4,000 ifs in each other", many, 25, 1, ifs(4_000))
	bomb("fifty times 1,000 ifs in each other", many, 50, 1, ifs(1_000))
	bomb("900 ifs in each other", "", 1, 1, ifs(900))
	bomb("four times 7,000 ways out in a row", many, 4, 1, row(7_000, 1))
	bomb("3,500 ways out, and 50 locals behind them", many, 1, 50, row(3_500, 50))
	bomb("300 ways out, and 50 locals behind them", "", 1, 50, row(300, 50))
	bomb("4,000 ifs with dead ends in a row", many, 2, 1, bytes.Repeat([]byte{0x20, 0, 4, 0x40, 0, 0x0b}, 4_000))
	bomb("dead branches that make no way", many, 4, 1, assemble.Code(2, 0x40, bytes.Repeat([]byte{
		2, 0x40, 0x20, 0, 4, 0x40, 0, 0x0c, 1, 0x0c, 1, 0x0b, 0x0b}, 2_500), 0x0b))
	bomb("loops in 1,000 ifs in each other", many, 8, 1, assemble.Code(
		bytes.Repeat(assemble.Code(0x20, 0, 4, 0x40, 3, 0x40, again), 1_000), bytes.Repeat([]byte{0x0b}, 1_000)))
	bomb("branches back at the end of long loops", many, 4, 1, assemble.Code(3, 0x40,
		bytes.Repeat([]byte{0x20, 0, 0x0d, 0}, 7_000), 0x0b))
	return list
}
