package main

import "github.com/elicit-engine/elicit/wasm/module"

const (
	customSection, typeSection, importSection, functionSection = 0, 1, 2, 3
	startSection, elementSection, codeSection                  = 8, 9, 10
	dataSection, dataCountSection                              = 11, 12
)

// sections has the sections of a module by number, without custom ones. order has the numbers in their order, and
// customSection for each in custom. nameTable is the section of names, which the packed module does not have.
type sections struct {
	order     []byte
	content   map[byte][]byte
	custom    [][]byte
	nameTable []byte
}

func readSections(wasm []byte) *sections {
	list, err := module.Sections(wasm)
	if err != nil {
		panic(unreadable(err.Error()))
	}
	m := &sections{content: map[byte][]byte{}}
	for _, s := range list {
		if s.ID == customSection {
			head := &reader{rest: s.Content}
			if string(head.take(head.number())) == "name" {
				m.nameTable = head.rest
				continue
			}
			m.custom = append(m.custom, s.Content)
		} else {
			m.content[s.ID] = s.Content
		}
		m.order = append(m.order, s.ID)
	}
	return m
}

// append appends the module after its first eight bytes.
func (m *sections) append(dst []byte) []byte {
	write := func(id byte, content []byte) {
		dst = module.Section{ID: id, Content: content}.Append(dst)
	}
	custom := m.custom
	for _, id := range m.order {
		if start := m.content[startSection]; id == elementSection && start != nil {
			write(startSection, start)
		}
		if id == customSection {
			write(id, custom[0])
			custom = custom[1:]
			continue
		}
		write(id, m.content[id])
	}
	return dst
}

// types returns the types of functions.
func (m *sections) types() (types [][]byte) {
	r := &reader{rest: m.content[typeSection]}
	for range r.number() {
		start := r.rest
		r.take(1)
		r.take(r.number())
		r.take(r.number())
		types = append(types, start[:len(start)-len(r.rest)])
	}
	return types
}

// kinds returns the index of each function's type, without the functions that are imported.
func (m *sections) kinds() []int {
	r := &reader{rest: m.content[functionSection]}
	kinds := make([]int, r.number())
	for i := range kinds {
		kinds[i] = r.number()
	}
	return kinds
}

// setTypes replaces the types, and the indexes of the functions' types.
func (m *sections) setTypes(types [][]byte, kinds []int) {
	m.content[typeSection] = appendNumber(nil, uint64(len(types)))
	for _, t := range types {
		m.content[typeSection] = append(m.content[typeSection], t...)
	}
	m.content[functionSection] = appendNumber(nil, uint64(len(kinds)))
	for _, kind := range kinds {
		m.content[functionSection] = appendNumber(m.content[functionSection], uint64(kind))
	}
}

// imports returns the number of functions that are imported.
func (m *sections) imports() (n int) {
	r := &reader{rest: m.content[importSection]}
	for range r.number() {
		r.take(r.number())
		r.take(r.number())
		if r.take(1)[0] != 0 {
			panic(unreadable("an import that is no function"))
		}
		r.number()
		n++
	}
	return n
}

// names returns the functions by name.
func (m *sections) names() map[string]int64 {
	const ofFunctions = 1
	names := map[string]int64{}
	r := &reader{rest: m.nameTable}
	for len(r.rest) > 0 {
		id := r.take(1)[0]
		part := &reader{rest: r.take(r.number())}
		if id != ofFunctions {
			continue
		}
		for range part.number() {
			n := part.number()
			names[string(part.take(part.number()))] = int64(n)
		}
	}
	return names
}

// list is a list of contents with their sizes.
type list struct {
	count int
	bytes []byte
}

func (l *list) add(content []byte) {
	l.count++
	l.bytes = append(appendNumber(l.bytes, uint64(len(content))), content...)
}

func (l *list) section() []byte { return append(appendNumber(nil, uint64(l.count)), l.bytes...) }
