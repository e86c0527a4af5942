package attack

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

// importing calls an import with these arguments, whose result is dropped where it has one.
func importing(name, module, function string, args ...int) Operator {
	params, results := strings.Repeat("i", len(args)), "i"
	reads := module == log && function != "log"
	if module == log && !reads {
		results = ""
	}
	if function == "clock_time_get" {
		params = "iIi"
	}
	var code []byte
	for at, letter := range []byte(params) {
		if letter == 'I' {
			code = append(code, assemble.Long(args[at])...)
		} else {
			code = append(code, assemble.Const(args[at])...)
		}
	}
	code = assemble.Code(code, assemble.Call(0))
	if results != "" {
		code = append(code, 0x1a)
	}
	return busy(name, code, func(m *assemble.Module) {
		m.Import(module, function, params, results)
		m.Pages = 16
		if reads {
			m.Manifest = strings.Replace(m.Manifest, `"reads"`, `"data":"4 MiB","reads"`, 1)
		}
		// 64 vectors of 1,024 bytes at 64, or 64 subscriptions to a clock.
		vector := assemble.Code(0, 0x10, 0, 0, 0, 4, 0, 0)
		m.Data, m.DataAt = bytes.Repeat(vector, 64), 64
	})
}

const wasi, log = "wasi_snapshot_preview1", "elicit_guardian_v1"

func calls() []Operator {
	list := []Operator{
		importing("log nothing", log, "log", 1, 0, 0), importing("log 1 KiB", log, "log", 1, 4096, 1024),
		importing("log 512 KiB", log, "log", 1, 0, 512<<10),
		importing("data_size", log, "data_size"), importing("data_read 0", log, "data_read", 0, 4096, 0),
		importing("data_read 64", log, "data_read", 1<<20, 4096, 64),
		importing("data_read 1 KiB", log, "data_read", 1<<20, 4096, 1<<10),
		importing("data_read 1,008 KiB", log, "data_read", 3<<20, 4096, 1008<<10),
		importing("sched_yield", wasi, "sched_yield"), importing("fd_close", wasi, "fd_close", 1),
		importing("clock_time_get", wasi, "clock_time_get", 1, 0, 1024), importing("random_get 0", wasi,
			"random_get", 4096, 0),
		importing("random_get 1,024", wasi, "random_get", 4096, 1024), importing("fd_write, 1 vector", wasi,
			"fd_write", 1, 64, 1, 32),
		importing("fd_write, 64 vectors", wasi, "fd_write", 1, 64, 64, 32), importing("fd_write, no vector", wasi,
			"fd_write", 1, 64, 0, 32),
		importing("poll_oneoff, 1 clock", wasi, "poll_oneoff", 4096, 16384, 1, 32),
		importing("poll_oneoff, 64 clocks", wasi, "poll_oneoff", 8192, 16384, 64, 32),
		importing("fd_fdstat_get", wasi, "fd_fdstat_get", 1, 4096), importing("args_sizes_get", wasi,
			"args_sizes_get", 16, 32),
	}
	callee := func(locals []byte, params, results string, body []byte) func(*assemble.Module) {
		return func(m *assemble.Module) { m.FuncWith(locals, "callee", params, results, body) }
	}
	none := []byte{0}
	wide := strings.Repeat("i", 128)
	pushed := bytes.Repeat(assemble.Code(0x20, 1), 128)
	list = append(list, busy("call", assemble.Call(0), callee(none, "", "", nil)),
		busy("call of 4 parameters", assemble.Code(operands['i'], operands['i'], operands['i'], operands['i'],
			assemble.Call(0), 0x1a), callee(none, "iiii", "i", assemble.Code(0x20, 0))),
		rounds("call of 128 parameters", 16, assemble.Code(pushed, assemble.Call(0)), callee(none, wide, "", nil)),
		rounds("call of 128 parameters and results", 1, assemble.Code(pushed, bytes.Repeat(assemble.Call(0), 64),
			bytes.Repeat([]byte{0x1a}, 128)), callee(none, wide, wide, bytes.Clone(identity(128)))),
		busy("call of 4,000 locals", assemble.Call(0), callee(assemble.Code(1, assemble.Unsigned(4000),
			assemble.I64), "", "", nil)),
		busy("call of 60 locals", assemble.Call(0), callee(assemble.Code(1, 60, assemble.I64), "", "", nil)))
	indirect := func(m *assemble.Module) {
		f := m.FuncWith(none, "callee", "", "", nil)
		m.More(4, assemble.Code(0x70, 1, 8, 8))
		m.More(9, assemble.Code(0, assemble.Const(0), 0x0b, 8, bytes.Repeat([]byte{byte(f)}, 8)))
		m.Type("", "")
	}
	list = append(list, manyCallees()...)
	// The type of the callee is the first the module has.
	return append(list, busy("call_indirect", assemble.Code(assemble.Const(3), 0x11, 0, 0), indirect),
		busy("call_indirect, imports exported", assemble.Code(assemble.Const(3), 0x11, 1, 0), func(m *assemble.Module) {
			m.Export("out", 0, m.Import(log, "log", "iii", ""))
		}, indirect))
}

// manyCallees are calls of so many functions that no processor guesses or keeps them: by chance out of a table, one
// after the other, and with 128 values each way.
func manyCallees() (list []Operator) {
	random := func(mask int) []byte {
		return assemble.Code(0x20, 2, assemble.Const(1664525), 0x6c, assemble.Const(1013904223), 0x6a, 0x22, 2,
			assemble.Const(16), 0x76, assemble.Const(mask), 0x71)
	}
	table := func(n int, params, results string, body func(i int) []byte) func(*assemble.Module) {
		return func(m *assemble.Module) {
			var entries []byte
			for i := range n {
				f := m.FuncWith([]byte{0}, "", params, results, body(i))
				entries = append(entries, assemble.Unsigned(f)...)
			}
			m.More(4, assemble.Code(0x70, 1, assemble.Unsigned(n), assemble.Unsigned(n)))
			m.More(9, assemble.Code(0, assemble.Const(0), 0x0b, assemble.Unsigned(n), entries))
		}
	}
	nothing := func(i int) []byte { return assemble.Code(assemble.Const(i), 0x1a) }
	for _, n := range []int{64, 512, 4096} {
		list = append(list, busy(fmt.Sprintf("call_indirect of %d, by chance", n),
			assemble.Code(random(n-1), 0x11, 0, 0), table(n, "", "", nothing)))
	}
	wide := strings.Repeat("i", 128)
	same := func(int) []byte { return identity(128) }
	for _, n := range []int{1, 64, 1024} {
		list = append(list, prepared(fmt.Sprintf("call_indirect of %d with 128 values, by chance", n), 1, nil,
			assemble.Code(identityOf(1, 128), bytes.Repeat(assemble.Code(random(n-1), 0x11, 0, 0), 32),
				bytes.Repeat([]byte{0x1a}, 128)), table(n, wide, wide, same)))
	}
	var row []byte
	for i := range 2000 {
		row = append(row, assemble.Call(i)...)
	}
	return append(list, rounds("call of 2,000", 1, row, table(2000, "", "", nothing)))
}

// identity gives all parameters back.
func identity(n int) (body []byte) {
	for i := range n {
		body = assemble.Code(body, 0x20, assemble.Unsigned(i))
	}
	return body
}

func flows() []Operator {
	blocks := func(n int) []byte {
		random := assemble.Code(0x20, 2, assemble.Const(1664525), 0x6c, assemble.Const(1013904223), 0x6a, 0x22, 2)
		entries := []byte{}
		for i := range n {
			entries = append(entries, assemble.Unsigned(i)...)
		}
		return assemble.Code(bytes.Repeat([]byte{2, 0x40}, n), random, assemble.Const(16), 0x76,
			assemble.Const(n-1), 0x71, 0x0e, assemble.Unsigned(n-1), entries,
			bytes.Repeat([]byte{0x0b}, n))
	}
	random := func(then ...any) []byte {
		return assemble.Code(0x20, 2, assemble.Const(1664525), 0x6c, assemble.Const(1013904223), 0x6a, 0x22, 2,
			assemble.Const(16), 0x76, 1, assemble.Code(then...))
	}
	carried := func(n int) func(*assemble.Module) {
		return func(m *assemble.Module) { m.Type(strings.Repeat("i", n), strings.Repeat("i", n)) }
	}
	return []Operator{
		rounds("br", 1, nil), busy("nothing but adding", assemble.Code(0x20, 2, assemble.Const(1), 0x6a, 0x21, 2)),
		busy("local.get", assemble.Code(0x20, 2, 0x1a)), busy("global.get", assemble.Code(0x23, 0, 0x1a)),
		busy("global.set", assemble.Code(0x20, 2, 0x24, 1), func(m *assemble.Module) {
			m.Global("", assemble.I32,
				true, assemble.Const(0))
		}),
		busy("select", assemble.Code(0x20, 2, 0x20, 3, 0x20, 4, 0x1b, 0x21, 2)),
		busy("br_if", assemble.Code(2, 0x40, 0x20, 2, 0x0d, 0, 0x0b)),
		busy("if", assemble.Code(0x20, 2, 4, 0x40, 0x0b)), busy("if else", assemble.Code(0x20, 2, 4, 0x40, 5, 0x0b)),
		busy("if by chance", random(assemble.Const(1), 0x71, 4, 0x40, 0x20, 3, assemble.Const(1), 0x6a, 0x21, 3, 0x0b)),
		busy("loop left at once", assemble.Code(3, 0x40, assemble.Const(0), 0x0d, 0, 0x0b)),
		rounds("br_table of 16, by chance", 16, blocks(16)), rounds("br_table of 256, by chance", 4, blocks(256)),
		rounds("br_table of 1,024, by chance", 1, blocks(1024)),
		rounds("loop that carries 120 values", 1, assemble.Code(identityOf(2, 120), 3, 0, assemble.Const(1), 0x0d,
			0, 0x0b, bytes.Repeat([]byte{0x1a}, 120)), carried(120)),
		{Name: "recursion", Module: recursion(0)}, {Name: "recursion with 60 locals", Module: recursion(60)},
	}
}

// identityOf pushes one local n times.
func identityOf(local, n int) []byte { return bytes.Repeat(assemble.Code(0x20, local), n) }

// recursion calls itself 200 deep, twice from each depth.
func recursion(locals int) []byte {
	m := assemble.New()
	m.Global("elicit_guardian_abi", assemble.I32, false, assemble.Const(1<<16))
	body := assemble.Code(0x20, 0, 0x45, 4, 0x40, 0x0f, 0x0b, 0x20, 0, assemble.Const(1), 0x6b, assemble.Call(0),
		0x20, 0, assemble.Const(1), 0x6b, assemble.Call(0))
	m.FuncWith(assemble.Code(1, locals, assemble.I64), "", "i", "", body)
	m.Func("elicit_alloc", "i", "i", assemble.Const(4096))
	m.Func("elicit_evaluate", "ii", "I", assemble.Code(assemble.Const(100), assemble.Call(0), assemble.Long(0)))
	m.Func("elicit_check_settings", "ii", "I", assemble.Says(0, 0))
	return m.Bytes()
}
