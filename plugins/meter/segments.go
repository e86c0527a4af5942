package meter

// Element and data segments, and the constant expressions they and globals begin with. An expression is one
// instruction: with imported globals refused nothing else is valid in the pinned set.
//
// Some valid modules are refused because wazero and other engines differ. wazero leaves out an active element segment
// that does not fit its table. It keeps the bytes of active data segments for memory.init, and has no passive segments
// of externref. A guest could distinguish engines by each of these, and no toolchain makes them.

// constant returns the value of an integer.
func (m *guest) constant(r *reader, want byte) (value int64) {
	at := r.at
	var got byte
	switch r.byte() {
	case 0x41:
		value = r.signed(32)
		got = i32
	case 0x42:
		value = r.signed(64)
		got = i64
	case 0x43:
		r.part(4)
		got = f32
	case 0x44:
		r.part(8)
		got = f64
	case 0xd0:
		got = r.reference()
	case 0xd2:
		m.declare(r)
		got = funcref
	case 0x23:
		r.refuse(Invalid, at, "a constant may read imported globals only, and there are none")
	default:
		r.refuse(Unsupported, at, "constant expression beyond one constant")
	}
	if got != want {
		r.refuse(Invalid, at, "type mismatch in a constant")
	}
	at = r.at
	if r.byte() != 0x0b {
		r.refuse(Unsupported, at, "constant expression beyond one constant")
	}
	return value
}

// declare reads a function index outside of code, which lets ref.func name the function.
func (m *guest) declare(r *reader) {
	at := r.at
	i := r.index()
	if i >= len(m.funcs) {
		r.refuse(Invalid, at, "unknown function")
		return
	}
	m.declared[i] = true
}

func (m *guest) readElements(r *reader) {
	n := r.few(maxSegments, "more than 10,000 element segments")
	for i := 0; i < n && r.no == nil; i++ {
		m.readElement(r)
	}
}

// readElement reads a segment: bit 0 of its kind says passive or declared, bit 1 an explicit table (or declared), bit 2
// expressions instead of indices.
func (m *guest) readElement(r *reader) {
	at := r.at
	kind := r.u32()
	if kind > 7 {
		r.refuse(Malformed, at, "malformed element segment")
		return
	}
	into, offset := -1, uint32(0)
	if kind&1 == 0 {
		into = 0
		if kind&2 != 0 {
			into = r.index()
		}
		if into >= len(m.tables) {
			r.refuse(Invalid, at, "unknown table")
			return
		}
		offset = uint32(m.constant(r, i32))
	}
	of := byte(funcref)
	if kind&3 != 0 {
		if kind&4 != 0 {
			of = r.reference()
		} else if r.byte() != 0 {
			r.refuse(Malformed, at, "malformed element kind")
		}
	}
	if r.no == nil && into >= 0 && m.tables[into].of != of {
		r.refuse(Invalid, at, "type mismatch between segment and table")
	}
	members := r.count()
	if m.entries += members; m.entries > 2*m.limits.TableEntries {
		r.refuse(TableTooLarge, at, "the element segments together have more than twice the entries a table may have")
	}
	if r.no == nil && into >= 0 && int64(offset)+int64(members) > int64(m.tables[into].least) {
		r.refuse(Invalid, at, "an element segment ends behind its table: no instance could begin")
	}
	for i := 0; i < members && r.no == nil; i++ {
		if kind&4 != 0 {
			m.constant(r, of)
		} else {
			m.declare(r)
		}
	}
	m.elements = append(m.elements, of)
}

func (m *guest) readData(r *reader) {
	most := maxSegments
	if m.limits.Runtime {
		most = runtimeSegments
	}
	begin := r.at
	n := r.few(most, "more data segments than the limit")
	if m.segments >= 0 && n != m.segments {
		r.refuse(Malformed, begin, "data count and data section have inconsistent lengths")
	}
	total := 0
	for i := 0; i < n && r.no == nil; i++ {
		at := r.at
		kind := r.u32()
		if kind > 2 {
			r.refuse(Malformed, at, "malformed data segment")
		}
		if kind == 2 && r.u32() != 0 || kind != 1 && m.memory == nil {
			r.refuse(Invalid, at, "unknown memory")
		}
		offset := uint32(0)
		if kind != 1 {
			offset = uint32(m.constant(r, i32))
		}
		if kind != 1 && m.inits[i] {
			r.refuse(Unsupported, at, "memory.init of an active data segment, which is gone by then")
		}
		p := r.part(r.index())
		if r.no == nil && kind != 1 && int64(offset)+int64(p.end-p.at) > int64(m.memory.least)<<16 {
			r.refuse(Invalid, at, "a data segment ends behind the memory: no instance could begin")
		}
		if kind != 1 {
			m.copied += p.end - p.at
		}
		if total += p.end - p.at; total > m.limits.DataBytes {
			r.refuse(DataTooLarge, at, "the data segments have more bytes than the limit")
		}
	}
	m.bulk = total
}

// countedByName refuses a reference to an import that is charged by its operand. An indirect call would not know that
// it calls one. Exports, globals and elements, which alone make references possible, stand before the code.
func (m *guest) countedByName(r *reader) {
	for i, f := range m.wanted {
		if f.Counted && m.declared[i] {
			name := f.Module + "." + f.Name
			r.refuse(ImportRefused, r.at, name+" may be called by its name alone, and not exported or put into a table")
			r.blame(name)
			return
		}
	}
}

func (m *guest) readCode(r *reader) {
	at := r.at
	n := r.count()
	if n != len(m.funcs)-m.imported {
		r.refuse(Malformed, at, "function and code section have inconsistent lengths")
	}
	m.countedByName(r)
	for _, declared := range m.declared {
		if declared { // exports, globals and elements alone make references possible, and stand before the code
			m.targets++
		}
	}
	m.out.bodies = make([]byte, 0, (r.end-r.at)+(r.end-r.at)/2)
	c := &checker{m: m}
	for i := 0; i < n && r.no == nil; i++ {
		at := r.at
		body := r.part(r.index())
		if body.end-body.at > m.limits.BodyBytes {
			r.refuse(BodyTooLarge, at, "a function body has more bytes than the limit")
			return
		}
		m.longest = max(m.longest, body.end-body.at)
		c.function(body, m.funcs[m.imported+i])
		if body.no == nil {
			c.eaten(at)
		}
		r.adopt(body)
		if r.no == nil && !m.out.body(c) {
			r.refuse(BodyTooLarge, at, "a function body is too dense in loops and calls to be metered")
		}
		m.coded++
	}
}
