// Package attack makes hundreds of hostile guests: one for each operator, for each limit and one above it, for each
// feature that guests may not use, and for each way to get work done without paying. Tests make them when they need
// them, because code explains more than files.
package attack

import (
	"strings"
	"sync"

	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

// Made is one of them.
type Made struct {
	Name    string // "operator: memory.fill 0"
	File    string // the same in letters, digits and hyphens alone
	Module  []byte
	WASI    bool   // the operator permits WASI
	Fuel    int64  // the budget that it is asked with
	Refused string // the code of the problem it is refused with, "" for one that loads
}

// some is a budget that tells operators apart and is spent in no time.
const some = 40_000

// All are all of them, in an order that does not change. Names are unique.
var All = sync.OnceValue(func() []Made {
	var list []Made
	for _, o := range Operators() {
		list = append(list, Made{Name: "operator: " + o.Name, Module: o.Module, WASI: o.WASI,
			Fuel: some + 1_024*pagesOf(o)})
	}
	list = append(list, features()...)
	list = append(list, limits()...)
	list = append(list, bombs()...)
	list = append(list, traps()...)
	list = append(list, debts()...)
	list = append(list, states()...)
	for i := range list {
		list[i].File = strings.Join(strings.FieldsFunc(list[i].Name, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9')
		}), "-")
	}
	return list
})

// pagesOf is what the operator's memory takes of a budget before it begins.
func pagesOf(o Operator) int64 {
	for _, n := range []string{" 256 pages", " 32 pages", " 16 pages", "memory."} {
		if strings.Contains(o.Name, n) {
			return map[string]int64{" 256 pages": 256, " 32 pages": 32, " 16 pages": 16, "memory.": 64}[n]
		}
	}
	return 300
}

// Find returns the module of that file, nil when there is none.
func Find(file string) []byte { return byFile()[file] }

var byFile = sync.OnceValue(func() map[string][]byte {
	modules := map[string][]byte{}
	for _, m := range All() {
		modules[m.File] = m.Module
	}
	return modules
})

// asked is a guest with this body for elicit_evaluate. Its locals are six of i32 with the parameters, two of i64,
// one of f32, one of f64.
func asked(body []byte, change ...func(*assemble.Module)) []byte {
	m := assemble.New()
	m.Global("elicit_guardian_abi", assemble.I32, false, assemble.Const(1<<16))
	for _, c := range change {
		c(m)
	}
	m.Func("elicit_alloc", "i", "i", assemble.Const(4096))
	m.FuncWith(assemble.Code(4, 4, assemble.I32, 2, assemble.I64, 1, 0x7d, 1, 0x7c), "elicit_evaluate", "ii", "I", body)
	m.Func("elicit_check_settings", "ii", "I", assemble.Says(0, 0))
	return m.Bytes()
}

// says is the end of a body that answers {}, which lies at 16.
var says = assemble.Says(16, 2)

func saying(m *assemble.Module) { m.Data, m.DataAt = []byte("{}"), 16 }

// repeat strings together what f gives.
func repeat(n int, f func(i int) []byte) (b []byte) {
	for i := range n {
		b = append(b, f(i)...)
	}
	return b
}

// Sized is a guest of at least so many bytes, most of them functions that work. The benchmarks load it.
func Sized(size int) []byte {
	work := repeat(60, func(i int) []byte {
		return assemble.Code(0x20, 0, assemble.Const(i+2), 0x6c, 0x20, 1, 0x6a, 4, 0x40, 0x20, 0, 0x28, 2, 0,
			0x21, 1, 0x0b)
	})
	return asked(says, saying, func(m *assemble.Module) {
		for range size/(len(work)+8) + 1 {
			m.FuncWith(assemble.Code(1, 2, assemble.I32), "", "", "", work)
		}
	})
}
