package meter

// maxNames bounds what is read of a name section, which no engine checks.
const maxNames = 100_000

// FunctionNames reads the names that a compiler left in the module's name section, by function index, imports first.
// They are for people: a module without them, or with a broken section, has none, and nothing depends on them.
func FunctionNames(module []byte) map[int]string {
	names := map[int]string{}
	r := &reader{src: module, end: len(module)}
	r.header()
	for r.more() {
		id := r.byte()
		body := r.part(r.index())
		if r.no == nil && id == 0 && body.name() == "name" && body.no == nil {
			functionNames(body, names)
		}
	}
	return names
}

// functionNames reads the subsections of a name section; that of functions has the number 1.
func functionNames(r *reader, names map[int]string) {
	for r.more() {
		id := r.byte()
		list := r.part(r.index())
		if r.no != nil || id != 1 {
			continue
		}
		for n := list.count(); n > 0 && list.no == nil && len(names) < maxNames; n-- {
			index, name := list.index(), list.name()
			if list.no == nil {
				names[index] = name
			}
		}
	}
}
