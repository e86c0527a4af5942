// Package assemble puts Wasm modules together byte by byte, for tests that need guests no compiler would make.
package assemble

import "slices"

// Module is a guest in the making. Every exported field may be changed before Bytes is called.
type Module struct {
	Pages, MostPages int // of the memory; no maximum when MostPages is 0
	NoMemory         bool
	Data             []byte // of an active segment at DataAt
	DataAt           int
	Start            int    // the start function, -1 for none
	Manifest         string // the custom section, none when empty
	Table            bool   // a table of one function, and an element segment that begins unused
	types            [][]byte
	imports          [][]byte
	funcs            [][]byte
	globals          [][]byte
	exports          [][]byte
	bodies           [][]byte
	more             map[int][][]byte
}

// Manifest is a valid one.
const Manifest = `{"name":"test","version":"1","phases":["before_show","before_send"],"reads":["/request","/answer"]}`

// New is an empty module with a memory of one page.
func New() *Module { return &Module{Pages: 1, Start: -1, Manifest: Manifest} }

// Guest is a whole guest of ABI 1.0 whose functions have these bodies, without their end. elicit_alloc and the other
// two get their parameters as locals 0 and 1, and an i32 and an i64 to use as locals behind them.
func Guest(alloc, evaluate []byte) *Module {
	m := New()
	m.Global("elicit_guardian_abi", I32, false, Const(1<<16))
	m.Func("elicit_alloc", "i", "i", alloc)
	m.Func("elicit_evaluate", "ii", "I", evaluate)
	m.Func("elicit_check_settings", "ii", "I", Says(0, 0))
	return m
}

// Saying is a guest that answers every question with the text.
func Saying(text string) *Module {
	m := Guest(Const(4096), Says(16, len(text)))
	m.Data, m.DataAt = []byte(text), 16
	return m
}

// Says is the body that returns ptr<<32|len.
func Says(ptr, length int) []byte { return Long(ptr<<32 | length) }

// I32 and I64 are value types.
const (
	I32 = 0x7f
	I64 = 0x7e
)

// Import adds a function of another module and returns its index. Imports go before Func.
func (m *Module) Import(module, name, params, results string) int {
	m.imports = append(m.imports, Code(text(module), text(name), 0, m.kind(params, results)))
	return len(m.imports) - 1
}

// Func adds a function, exported unless name is empty, and returns its index.
func (m *Module) Func(name, params, results string, body []byte) int {
	return m.FuncWith(Code(2, 1, I32, 1, I64), name, params, results, body)
}

// FuncWith is Func with locals of one's own: the vector of their declarations.
func (m *Module) FuncWith(locals []byte, name, params, results string, body []byte) int {
	m.funcs = append(m.funcs, Unsigned(m.kind(params, results)))
	code := Code(locals, body, 0x0b)
	m.bodies = append(m.bodies, Code(Unsigned(len(code)), code))
	at := len(m.imports) + len(m.funcs) - 1
	if name != "" {
		m.Export(name, 0, at)
	}
	return at
}

// Global adds a global that begins with a constant, exported unless name is empty.
func (m *Module) Global(name string, of byte, mutable bool, begins []byte) {
	flag := 0
	if mutable {
		flag = 1
	}
	m.globals = append(m.globals, Code(int(of), flag, begins, 0x0b))
	if name != "" {
		m.Export(name, 3, len(m.globals)-1)
	}
}

// Export adds an export of any kind: 0 function, 1 table, 2 memory, 3 global.
func (m *Module) Export(name string, kind, index int) {
	m.exports = append(m.exports, Code(text(name), kind, Unsigned(index)))
}

// Type adds a function type, unless it is there, and returns its index.
func (m *Module) Type(params, results string) int { return m.kind(params, results) }

// More puts a member behind those that a section has by other means. The data count section follows by itself.
func (m *Module) More(section int, member []byte) {
	if m.more == nil {
		m.more = map[int][][]byte{}
	}
	m.more[section] = append(m.more[section], member)
}

func (m *Module) kind(params, results string) int {
	of := Code(0x60, letters(params), letters(results))
	at := slices.IndexFunc(m.types, func(known []byte) bool { return slices.Equal(known, of) })
	if at < 0 {
		m.types = append(m.types, of)
		at = len(m.types) - 1
	}
	return at
}

// Bytes is the module.
func (m *Module) Bytes() []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id int, members ...[]byte) {
		members = append(slices.Clip(members), m.more[id]...)
		if len(members) > 0 {
			content := Code(Unsigned(len(members)), slices.Concat(members...))
			out = append(out, Code(id, Unsigned(len(content)), content)...)
		}
	}
	exports := m.exports
	section(1, m.types...)
	section(2, m.imports...)
	section(3, m.funcs...)
	var tables, elements, memories, data [][]byte
	if m.Table {
		tables, elements = [][]byte{Code(0x70, 0, 1)}, [][]byte{Code(1, 0, 0)}
	}
	section(4, tables...)
	if !m.NoMemory {
		memories = [][]byte{Code(0, Unsigned(m.Pages))}
		if m.MostPages > 0 {
			memories[0] = Code(1, Unsigned(m.Pages), Unsigned(m.MostPages))
		}
		exports = append(slices.Clip(exports), Code(text("memory"), 2, 0))
	}
	section(5, memories...)
	section(13)
	section(6, m.globals...)
	section(7, exports...)
	if m.Start >= 0 {
		at := Unsigned(m.Start)
		out = append(out, Code(8, Unsigned(len(at)), at)...)
	}
	section(9, elements...)
	if m.Data != nil {
		data = [][]byte{Code(0, Const(m.DataAt), 0x0b, Unsigned(len(m.Data)), m.Data)}
	}
	if n := len(m.more[11]); n > 0 {
		count := Unsigned(len(data) + n)
		out = append(out, Code(12, Unsigned(len(count)), count)...)
	}
	section(10, m.bodies...)
	section(11, data...)
	if m.Manifest != "" {
		out = append(out, Custom("elicit.guardian", m.Manifest)...)
	}
	return out
}

// Custom is a custom section.
func Custom(name, content string) []byte {
	body := Code(text(name), []byte(content))
	return Code(0, Unsigned(len(body)), body)
}

// Code strings instructions together: an int is one byte, bytes stand for themselves.
func Code(parts ...any) (b []byte) {
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			b = append(b, byte(p))
		case []byte:
			b = append(b, p...)
		}
	}
	return b
}

// Const is i32.const, Long i64.const, Call a call.
func Const(v int) []byte { return append([]byte{0x41}, signed(v)...) }
func Long(v int) []byte  { return append([]byte{0x42}, signed(v)...) }
func Call(f int) []byte  { return append([]byte{0x10}, Unsigned(f)...) }

// Forever is the shortest loop without an end.
func Forever() []byte { return []byte{0x03, 0x40, 0x0c, 0, 0x0b} }

// Unsigned is an unsigned LEB128.
func Unsigned(v int) (b []byte) {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

func signed(v int) (b []byte) {
	for {
		low := byte(v & 0x7f)
		v >>= 7
		if v == 0 && low&0x40 == 0 || v == -1 && low&0x40 != 0 {
			return append(b, low)
		}
		b = append(b, low|0x80)
	}
}

func text(s string) []byte { return append(Unsigned(len(s)), s...) }

func letters(s string) []byte {
	types := map[rune]byte{'i': I32, 'I': I64, 'f': 0x7d, 'F': 0x7c, 'r': 0x70}
	b := Unsigned(len(s))
	for _, letter := range s {
		b = append(b, types[letter])
	}
	return b
}
