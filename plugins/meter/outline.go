package meter

import "strings"

// Outline says what an accepted module holds, as far as its host must know it. It is of the module handed in, with
// memory as the limits leave it.
type Outline struct{ m *guest }

// Function returns the type of an exported function in the letters of an Import, r and e for references.
func (o *Outline) Function(name string) (params, results string, ok bool) {
	e, ok := o.m.exports[name]
	if !ok || e.kind != 0 {
		return "", "", false
	}
	of := o.m.types[o.m.funcs[e.index]]
	return letters(of.params), letters(of.results), true
}

// Global returns an exported global: its type as a letter, whether the guest may set it, and the integer it begins
// with.
func (o *Outline) Global(name string) (of string, mutable bool, value int64, ok bool) {
	e, ok := o.m.exports[name]
	if !ok || e.kind != 3 {
		return "", false, 0, false
	}
	g := o.m.globals[e.index]
	return letters([]byte{g.of}), g.mutable, g.value, true
}

// Memory reports whether the name is that of the memory.
func (o *Outline) Memory(name string) bool {
	e, ok := o.m.exports[name]
	return ok && e.kind == 2
}

// Named lists the exports whose names begin with prefix, in no order.
func (o *Outline) Named(prefix string) (names []string) {
	for name := range o.m.exports {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names
}

// Pages are the sizes the memory has at first and at most; both 0 without one.
func (o *Outline) Pages() (least, most int) {
	if o.m.memory == nil {
		return 0, 0
	}
	return int(o.m.memory.least), int(o.m.memory.most)
}

// Imports are the functions the guest imports, in its order.
func (o *Outline) Imports() []Import { return o.m.wanted }

// Functions counts the functions the guest defines.
func (o *Outline) Functions() int { return o.m.coded }

// LongestBody is the size of the longest function body in bytes, before metering.
func (o *Outline) LongestBody() int { return o.m.longest }

// DataBytes is the size of all data segments.
func (o *Outline) DataBytes() int { return o.m.bulk }

// Starts reports whether the module has a start section, which runs when it is instantiated.
func (o *Outline) Starts() bool { return o.m.first >= 0 }

// Rearranges reports whether an instruction of the guest could change a table or drop a segment. Where none could, an
// instance is its memory and its globals, and nothing else of it ever changes.
func (o *Outline) Rearranges() bool { return o.m.rearranges }

// Manifest is the content of the elicit.guardian section, nil when there is none. The bytes belong to the module.
func (o *Outline) Manifest() []byte {
	if o.m.manifest == nil {
		return nil
	}
	return o.m.src[o.m.manifest.from:o.m.manifest.to:o.m.manifest.to]
}
