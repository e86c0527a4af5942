package meter_test

import "github.com/elicit-engine/elicit/plugins/internal/assemble"

// built is a module put together in a test. Sections are written as far as they have members.
type built struct {
	types, imports, funcs, tables, memory, globals, exports, elements, bodies, data [][]byte
	start                                                                           int // of a function, -1 without one
	counted                                                                         bool
	custom                                                                          []byte
}

func newModule() *built { return &built{start: -1} }

var letterTypes = map[byte]byte{'i': 0x7f, 'I': 0x7e, 'f': 0x7d, 'F': 0x7c, 'r': 0x70}

func vector(members ...byte) []byte { return append(leb(len(members)), members...) }

func spell(letters string) []byte {
	var b []byte
	for i := range len(letters) {
		b = append(b, letterTypes[letters[i]])
	}
	return vector(b...)
}

func name(s string) []byte { return vector([]byte(s)...) }

// The words of the assembler, short because tests are made of them.
var (
	leb  = assemble.Unsigned
	ops  = assemble.Code
	i32c = assemble.Const
	call = assemble.Call
)

func times(n int, b []byte) (all []byte) {
	for range n {
		all = append(all, b...)
	}
	return all
}

func (m *built) kind(params, results string) int {
	m.types = append(m.types, ops(0x60, spell(params), spell(results)))
	return len(m.types) - 1
}

// function adds one whose body is given without its end. Locals are pairs of a count and a letter.
func (m *built) function(export string, kind int, locals []byte, body []byte) int {
	m.funcs = append(m.funcs, leb(kind))
	if locals == nil {
		locals = []byte{0}
	}
	code := ops(locals, body, 0x0b)
	m.bodies = append(m.bodies, ops(leb(len(code)), code))
	at := len(m.imports) + len(m.funcs) - 1
	if export != "" {
		m.exports = append(m.exports, ops(name(export), 0, leb(at)))
	}
	return at
}

func (m *built) bytes() []byte {
	out := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, members [][]byte) {
		if len(members) > 0 {
			content := leb(len(members))
			for _, member := range members {
				content = append(content, member...)
			}
			out = append(append(append(out, id), leb(len(content))...), content...)
		}
	}
	section(1, m.types)
	section(2, m.imports)
	section(3, m.funcs)
	section(4, m.tables)
	section(5, m.memory)
	section(6, m.globals)
	section(7, m.exports)
	if m.start >= 0 {
		at := leb(m.start)
		out = append(append(append(out, 8), leb(len(at))...), at...)
	}
	section(9, m.elements)
	if m.counted {
		out = append(out, 12, 1, byte(len(m.data)))
	}
	section(10, m.bodies)
	section(11, m.data)
	return append(out, m.custom...)
}
