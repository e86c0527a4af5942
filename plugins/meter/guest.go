package meter

import "strings"

// guest is a module being read: what the checks of later sections and the rewriting need of it.
type guest struct {
	limits   Limits // settled
	src      []byte // the whole module, which nothing writes to
	types    []signature
	funcs    []uint32 // type of every function, imported ones first
	imported int
	tables   []table
	memory   *bounds // nil without one
	globals  []global
	exports  map[string]export // by name
	elements []byte            // reference type of each element segment
	declared []bool            // functions that ref.func may name
	segments int               // data segments announced by the data count section, -1 without one
	coded    int               // bodies read
	inits    map[int]bool      // data segments that memory.init names
	bulk     int               // bytes in data segments
	copied   int               // bytes in active ones
	entries  int               // of element segments
	longest  int               // bytes of the longest body
	first    int               // function of the start section, -1 without one
	wanted   []Import          // in the guest's order
	// rearranges says that some instruction changes a table, or drops a segment.
	rearranges bool
	distance   int      // what a load costs more, as more memory is further away
	targets    int      // functions that a reference may name, which an indirect call may go to
	raw        [13]span // by section id; zero for a section that is not there
	loopLocals int      // of all bodies: see appetite
	carried    int
	looks      int
	manifest   *span // nil without the section
	out        rewritten
}

type table struct {
	of byte
	bounds
}

type global struct {
	of      byte
	mutable bool
	value   int64 // of an integer, as it begins
}

// export is what a name leads to: a kind of the binary format and an index.
type export struct {
	kind  byte
	index int
}

// span is a section's content in the source, its leading count left out where the writer needs another one.
type span struct{ from, to, count int }

// order gives each section's place: the data count section (12) stands between element (9) and code (10).
var order = [13]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 10}

func (m *guest) read(src []byte) *Refusal {
	m.src, m.segments, m.first, m.exports = src, -1, -1, map[string]export{}
	r := &reader{src: src, end: len(src)}
	r.header()
	place := 0
	for r.more() {
		at := r.at
		id := r.byte()
		body := r.part(r.index())
		switch {
		case id == 13:
			r.refuse(Unsupported, at, "exception handling")
		case id > 13:
			r.refuse(Malformed, at, "malformed section id")
		case id != 0 && order[id] <= place:
			r.refuse(Malformed, at, "unexpected section order")
		case id != 0:
			place = order[id]
		}
		if r.no != nil {
			break
		}
		m.section(id, body)
		body.finish()
		r.adopt(body)
	}
	if r.no == nil && m.coded != len(m.funcs)-m.imported {
		r.refuse(Malformed, len(src), "function and code section have inconsistent lengths")
	}
	if r.no == nil && m.segments > 0 && m.raw[11].count != m.segments {
		r.refuse(Malformed, len(src), "data count and data section have inconsistent lengths")
	}
	return r.no
}

func (m *guest) section(id byte, r *reader) {
	whole := span{from: r.at, to: r.end}
	peek := *r
	if id != 0 && id != 8 && id != 12 {
		whole.count = peek.index()
		whole.from = peek.at
	}
	switch id {
	case 0:
		m.readCustom(r)
	case 1:
		m.readTypes(r)
	case 2:
		m.readImports(r)
	case 3:
		m.readFunctions(r)
	case 4:
		m.readTables(r)
	case 5:
		m.readMemory(r)
	case 6:
		m.readGlobals(r)
	case 7:
		m.readExports(r)
	case 8:
		m.readStart(r)
	case 9:
		m.readElements(r)
	case 10:
		m.readCode(r)
	case 11:
		m.readData(r)
	case 12:
		m.segments = r.index()
	}
	if id != 0 {
		m.raw[id] = whole
	}
}

func (m *guest) readCustom(r *reader) {
	at := r.at
	name := r.name()
	if name == ManifestSection && r.no == nil {
		if m.manifest != nil {
			r.refuse(BadManifest, at, "more than one elicit.guardian section")
		} else if r.end-r.at > m.limits.ManifestBytes {
			r.refuse(BadManifest, at, "the elicit.guardian section has more bytes than the limit")
		}
		m.manifest = &span{from: r.at, to: r.end}
	}
	r.at = r.end
}

func (m *guest) readImports(r *reader) {
	n := r.few(maxLinks, "more than 1,000 imports")
	for i := 0; i < n && r.no == nil; i++ {
		at := r.at
		module, name := r.name(), r.name()
		if kind := r.byte(); kind != 0 {
			r.refuse(ImportRefused, at, module+"."+name+" is not a function; a guest brings its own memory, tables and globals")
			r.blame(module + "." + name)
			return
		}
		of := m.typeIndex(r)
		if r.no == nil {
			m.want(r, at, module, name, m.types[of])
		}
		m.funcs = append(m.funcs, of)
		m.declared = append(m.declared, false)
		m.imported++
	}
}

// blame names the import the refusal is about.
func (r *reader) blame(name string) {
	if r.no != nil && r.no.Code == ImportRefused {
		r.no.Import = name
	}
}

// want finds an import among those that are allowed.
func (m *guest) want(r *reader, at int, module, name string, of signature) {
	for _, i := range m.limits.Imports {
		if i.Module == module && i.Name == name && spelled(i.Params, of.params) && spelled(i.Results, of.results) {
			m.wanted = append(m.wanted, i)
			return
		}
	}
	r.refuse(ImportRefused, at, module+"."+name+" is not permitted with this type")
	r.blame(module + "." + name)
}

// typeIndex reads the index of a type the guest itself defined: types appended by the rewriter are out of its reach.
func (m *guest) typeIndex(r *reader) uint32 {
	at := r.at
	i := r.u32()
	if int(i) >= len(m.types) {
		r.refuse(Invalid, at, "unknown type")
		return 0
	}
	return i
}

func (m *guest) readFunctions(r *reader) {
	at := r.at
	n := r.count()
	if n > m.limits.Functions {
		r.refuse(TooMany, at, "more functions than the limit")
	}
	for i := 0; i < n && r.no == nil; i++ {
		m.funcs = append(m.funcs, m.typeIndex(r))
	}
	m.declared = make([]bool, len(m.funcs))
}

func (m *guest) readTables(r *reader) {
	at := r.at
	n := r.count()
	if n > maxTables {
		r.refuse(TooMany, at, "more than 4 tables")
	}
	for i := 0; i < n && r.no == nil; i++ {
		of := r.reference()
		b := r.bounds(uint32(m.limits.TableEntries), 1<<32-1, TableTooLarge, "the table starts above the limit")
		m.tables = append(m.tables, table{of, b})
	}
}

func (m *guest) readMemory(r *reader) {
	at := r.at
	n := r.count()
	if n > 1 {
		r.refuse(Unsupported, at, "multi-memory")
	}
	if n == 1 && r.no == nil {
		b := r.bounds(uint32(m.limits.MemoryPages), 1<<16, MemoryTooLarge, "the memory starts above the limit")
		m.memory = &b
		if b.most > farPages {
			m.distance = 3
		}
	}
}

func (m *guest) readGlobals(r *reader) {
	n := r.few(maxGlobals, "more than 10,000 globals")
	for i := 0; i < n && r.no == nil; i++ {
		g := global{of: r.value()}
		at := r.at
		switch r.byte() {
		case 0:
		case 1:
			g.mutable = true
		default:
			r.refuse(Malformed, at, "malformed mutability")
		}
		g.value = m.constant(r, g.of)
		m.globals = append(m.globals, g)
	}
}

func (m *guest) readExports(r *reader) {
	n := r.few(maxLinks, "more than 1,000 exports")
	for i := 0; i < n && r.no == nil; i++ {
		at := r.at
		name := r.name()
		if len(name) > maxNameBytes {
			r.refuse(TooMany, at, "an export's name of more than 1,024 bytes")
		}
		if strings.HasPrefix(name, ReservedPrefix) {
			r.refuse(NameReserved, at, name+" is exported by the rewriter alone")
		}
		if _, again := m.exports[name]; again {
			r.refuse(Invalid, at, "duplicate export name")
		}
		read := m.readExport(r)
		m.exports[name] = read
	}
}

func (m *guest) readExport(r *reader) export {
	at := r.at
	kind, index := r.byte(), r.index()
	var known int
	switch kind {
	case 0:
		known = len(m.funcs)
		if index < known {
			m.declared[index] = true
		}
	case 1:
		known = len(m.tables)
	case 2:
		if m.memory != nil {
			known = 1
		}
	case 3:
		known = len(m.globals)
	case 4:
		r.refuse(Unsupported, at, "exception handling")
	default:
		r.refuse(Malformed, at, "malformed export kind")
	}
	if index >= known {
		r.refuse(Invalid, at, "unknown export")
	}
	return export{kind, index}
}

func (m *guest) readStart(r *reader) {
	at := r.at
	i := r.index()
	if i >= len(m.funcs) {
		r.refuse(Invalid, at, "unknown function")
		return
	}
	m.first = i
	if of := m.types[m.funcs[i]]; len(of.params)+len(of.results) > 0 {
		r.refuse(Invalid, at, "the start function takes or gives values")
	}
}
