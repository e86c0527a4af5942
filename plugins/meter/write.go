package meter

// rewritten collects the code section while bodies are checked, and what the other sections need for it.
type rewritten struct {
	bodies  []byte   // the metered bodies so far, each with its length before it
	draft   []byte   // the body at hand, before its length is known
	appends [][]byte // result lists of two and more that wrappers need a type for
}

// Sections as the writer puts them out; the data count stands before the code.
var sections = [...]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11}

// write assembles the module. Sections nobody had to touch are the source's own bytes.
func (m *guest) write() []byte {
	out := append(make([]byte, 0, len(m.src)+len(m.src)/2+256), m.src[:8]...)
	for _, id := range sections {
		from := len(out)
		out = m.content(out, id)
		if len(out) > from {
			out = frameSection(out, from, id)
		}
	}
	if m.manifest != nil {
		from := len(out)
		out = appendName(out, ManifestSection)
		out = append(out, m.src[m.manifest.from:m.manifest.to]...)
		out = frameSection(out, from, 0)
	}
	return out
}

// content appends a section's content, nothing for a section the module does not have.
func (m *guest) content(out []byte, id byte) []byte {
	raw := m.raw[id]
	count, rest := raw.count, m.src[raw.from:raw.to]
	if m.raw[id] == (span{}) && id != 6 && id != 7 {
		return out
	}
	switch id {
	case 1:
		out = append(appendUnsigned(out, count+len(m.out.appends)), rest...)
		return m.appendTypes(out)
	case 4:
		return m.appendTables(out)
	case 5:
		return m.appendMemory(out)
	case 6:
		out = append(appendUnsigned(out, count+4), rest...)
		return m.appendCounters(out)
	case 7:
		out = append(appendUnsigned(out, count+4), rest...)
		return m.appendExports(out)
	case 8, 12:
		return append(out, rest...)
	case 10:
		return append(appendUnsigned(out, count), m.out.bodies...)
	}
	return append(appendUnsigned(out, count), rest...)
}

func (m *guest) appendTypes(out []byte) []byte {
	for _, results := range m.out.appends {
		out = append(out, 0x60, 0)
		out = append(appendUnsigned(out, len(results)), results...)
	}
	return out
}

func (m *guest) appendTables(out []byte) []byte {
	out = appendUnsigned(out, len(m.tables))
	for _, t := range m.tables {
		out = t.bounds.append(append(out, t.of))
	}
	return out
}

func (m *guest) appendMemory(out []byte) []byte {
	if m.memory == nil {
		return append(out, 0)
	}
	return m.memory.append(append(out, 1))
}

func (b bounds) append(out []byte) []byte {
	return appendUnsigned(appendUnsigned(append(out, 1), int(b.least)), int(b.most))
}

// The counters stand behind the guest's own globals, in this order.
func (m *guest) fuel() int   { return len(m.globals) }
func (m *guest) depth() int  { return len(m.globals) + 1 }
func (m *guest) reason() int { return len(m.globals) + 2 }

func (m *guest) appendCounters(out []byte) []byte {
	out = appendSigned(append(out, i64, 1, 0x42), int64(m.limits.Fuel))
	out = appendSigned(append(out, opEnd, i32, 1, 0x41), int64(m.limits.Depth))
	out = append(out, opEnd, i32, 1, 0x41, ReasonNone)
	return append(out, opEnd, i32, 0, 0x41, Version, opEnd)
}

func (m *guest) appendExports(out []byte) []byte {
	for i, name := range [...]string{FuelExport, DepthExport, ReasonExport, VersionExport} {
		out = append(appendName(out, name), 3)
		out = appendUnsigned(out, m.fuel()+i)
	}
	return out
}

// frameSection puts id and length before the content that begins at from.
func frameSection(out []byte, from int, id byte) []byte {
	var head [6]byte
	h := appendUnsigned(append(head[:0], id), len(out)-from)
	out = append(out, h...)
	copy(out[from+len(h):], out[from:len(out)-len(h)])
	copy(out[from:], h)
	return out
}

func appendName(out []byte, name string) []byte {
	return append(appendUnsigned(out, len(name)), name...)
}

func appendUnsigned(out []byte, v int) []byte {
	for v >= 0x80 {
		out = append(out, byte(v)|0x80)
		v >>= 7
	}
	return append(out, byte(v))
}

func appendSigned(out []byte, v int64) []byte {
	for {
		b := byte(v & 0x7f)
		v >>= 7
		if v == 0 && b&0x40 == 0 || v == -1 && b&0x40 != 0 {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}
