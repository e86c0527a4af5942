package meter_test

// random makes valid modules out of bytes. The modules that it makes count their own operators in the exported global
// "steps", apart from the rewriter: before each statement the number of operators in it. So a test can hold the fuel
// against work that was really done.
type random struct {
	bytes   []byte
	results []string
	own     string // results of the function at hand
	depth   int    // labels open, the function's own not counted
}

const (
	rndFunctions = 4
	stepsGlobal  = 0
	otherGlobal  = 1
	tickOps      = 4
	localI32     = 3
	localI64     = 3 // index of the i64 local
	localF64     = 4
)

func (r *random) roll(n int) int {
	if len(r.bytes) == 0 {
		return 0
	}
	v := int(r.bytes[0]) % n
	r.bytes = r.bytes[1:]
	return v
}

func randomModule(bytes []byte) []byte {
	r := &random{bytes: bytes}
	m := withMemory(1)
	m.memory = [][]byte{{1, 1, 4}}
	m.tables = [][]byte{{0x70, 1, 6, 20}}
	m.globals = [][]byte{{0x7f, 1, 0x41, 0, 0x0b}, {0x7f, 1, 0x41, 7, 0x0b}}
	m.exports = append(m.exports, ops(name("steps"), 3, stepsGlobal), ops(name("other"), 3, otherGlobal))
	m.counted, m.data = true, [][]byte{ops(1, leb(100), make([]byte, 100))}
	m.elements = [][]byte{{0, 0x41, 0, 0x0b, 5, 0, 1, 2, 3, 4}, {1, 0, 2, 0, 1}}
	none := m.kind("", "")
	r.results = []string{"i", []string{"", "i", "ii", "iIF"}[r.roll(4)], []string{"", "i", "ii"}[r.roll(3)], "i"}
	kinds := make([]int, rndFunctions)
	for i, results := range r.results {
		kinds[i] = m.kind("", results)
	}
	for i, results := range r.results {
		export := ""
		if i == 0 {
			export = "run"
		}
		r.depth, r.own = 0, results
		body := r.statements(3 + r.roll(5))
		m.function(export, kinds[i], []byte{3, localI32, 0x7f, 1, 0x7e, 1, 0x7c}, ops(tick(len(results)), body,
			values(results)))
	}
	m.function("", none, nil, tick(0))
	return m.bytes()
}

func tick(n int) []byte {
	return ops(0x23, stepsGlobal, i32c(n+tickOps), 0x6a, 0x24, stepsGlobal)
}

// values pushes constants of the given types.
func values(types string) (b []byte) {
	for _, t := range types {
		switch t {
		case 'i':
			b = append(b, 0x20, 0)
		case 'I':
			b = append(b, 0x20, localI64)
		case 'F':
			b = append(b, 0x20, localF64)
		}
	}
	return b
}

func (r *random) statements(n int) (b []byte) {
	for range n {
		if len(r.bytes) > 0 {
			b = append(b, r.statement()...)
		}
	}
	return b
}

// expression is an i32 and the number of its operators.
func (r *random) expression() ([]byte, int) {
	switch r.roll(9) {
	case 0, 1:
		return i32c(r.roll(256) - 64), 1
	case 2, 3:
		return ops(0x20, r.roll(localI32)), 1
	case 4:
		a, n := r.expression()
		b, k := r.expression()
		return ops(a, b, []int{0x6a, 0x6b, 0x6c, 0x71, 0x72, 0x48, 0x46, 0x6d, 0x70}[r.roll(9)]), n + k + 1
	case 5:
		a, n := r.expression()
		return ops(a, 0x2d, 0, 0), n + 1
	case 6:
		return ops(0x23, otherGlobal), 1
	case 7:
		return ops(0x20, localI64, 0xa7), 2
	default:
		a, n := r.expression()
		return ops(0x20, 0, 0x20, 1, a, 0x1b), n + 3
	}
}

func (r *random) statement() []byte {
	switch r.roll(20) {
	case 0, 1, 2:
		e, n := r.expression()
		return ops(tick(n+1), e, 0x21, r.roll(localI32))
	case 3:
		e, n := r.expression()
		f, k := r.expression()
		return ops(tick(n+k+1), e, f, 0x36, 2, 0)
	case 4, 5, 6:
		return r.conditional()
	case 7:
		return ops(0x02, 0x40, r.inside(), 0x0b)
	case 8, 9:
		e, n := r.expression()
		return ops(0x03, 0x40, r.inside(), tick(n+1), e, 0x0d, 0, 0x0b)
	case 10, 11:
		e, n := r.expression()
		if out := r.roll(r.depth + 1); out < r.depth {
			return ops(tick(n+1), e, 0x0d, out)
		}
		return ops(tick(n+1+len(r.own)), values(r.own), e, 0x0d, r.depth, tick(len(r.own)), times(len(r.own), []byte{0x1a}))
	case 12:
		return r.jump()
	case 13, 14:
		callee := r.roll(rndFunctions)
		drops := times(len(r.results[callee]), []byte{0x1a})
		return ops(tick(1+len(drops)), call(callee), drops)
	case 15:
		e, n := r.expression()
		return ops(tick(n+1), e, 0x11, 0, 0)
	case 16:
		return r.bulk()
	case 17:
		return ops(tick(4), 0x20, localI64, 0x42, r.roll(60), 0x7c, 0x21, localI64)
	case 18:
		// A block that gives a value, which a branch carries.
		e, n := r.expression()
		f, k := r.expression()
		return ops(tick(n+k+1), 0x02, 0x7f, e, f, 0x0d, 0, tick(2), 0x1a, 0x20, 1, 0x0b, tick(1), 0x21, 0)
	}
	return r.float()
}

// float computes with what may be a NaN, and tells at most that it is one: its bits are not the original's.
func (r *random) float() []byte {
	binary, unary := 0xa0+r.roll(6), 0x9b+r.roll(5)
	switch r.roll(4) {
	case 0:
		return ops(tick(5), 0x20, localF64, 0x20, 0, 0xb7, binary, 0x21, localF64)
	case 1:
		return ops(tick(7), 0x20, localF64, 0xb6, 0xbb, unary, 0x20, localF64, binary, 0x21, localF64)
	case 2:
		return ops(tick(6), 0x20, localF64, 0x20, localF64, unary, binary, 0xfc, 6, 0x21, localI64)
	}
	return ops(tick(7), 0x20, localF64, 0x20, localF64, binary, 0x22, localF64, 0x20, localF64, 0x61, 0x21, 1)
}

func (r *random) inside() []byte {
	if r.depth == 100 {
		return nil // labels are written as one byte
	}
	r.depth++
	b := r.statements(1 + r.roll(4))
	r.depth--
	return b
}

func (r *random) conditional() []byte {
	e, n := r.expression()
	if r.roll(2) == 0 {
		return ops(tick(n+1), e, 0x04, 0x40, r.inside(), 0x0b)
	}
	return ops(tick(n+1), e, 0x04, 0x40, r.inside(), 0x05, r.inside(), 0x0b)
}

// jump leaves for good; what follows it is dead code.
func (r *random) jump() []byte {
	e, n := r.expression()
	switch {
	case r.depth > 0 && r.roll(3) == 0:
		return ops(tick(n+1), e, 0x0e, 3, r.roll(r.depth), r.roll(r.depth), r.roll(r.depth), r.roll(r.depth))
	case r.depth > 0 && r.roll(4) > 0:
		return ops(tick(1), 0x0c, r.roll(r.depth))
	case r.roll(3) > 0:
		return ops(tick(1+len(r.own)), values(r.own), 0x0f)
	case r.roll(2) > 0:
		return ops(tick(1+len(r.own)), values(r.own), 0x0c, r.depth)
	}
	return ops(tick(1), 0x00)
}

func (r *random) bulk() []byte {
	switch r.roll(7) {
	case 0:
		return ops(tick(4), 0x20, 0, 0x20, 1, i32c(r.roll(256)), 0xfc, 11, 0)
	case 1:
		return ops(tick(4), 0x20, 1, 0x20, 0, i32c(r.roll(256)), 0xfc, 10, 0, 0)
	case 2:
		return ops(tick(4), i32c(r.roll(250)), i32c(0), i32c(r.roll(101)), 0xfc, 8, 0, 0)
	case 3:
		return ops(tick(3), i32c(r.roll(3)-1), 0x40, 0, 0x21, 2)
	case 4:
		return ops(tick(4), 0xd0, 0x70, i32c(r.roll(9)), 0xfc, 15, 0, 0x21, 2)
	case 5:
		return ops(tick(4), i32c(r.roll(4)), i32c(0), i32c(r.roll(3)), 0xfc, 12, 1, 0)
	}
	return ops(tick(4), i32c(r.roll(4)), i32c(0), i32c(r.roll(3)), 0xfc, 14, 0, 0)
}
