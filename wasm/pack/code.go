package main

import "slices"

// functions rewrites functions. callers leads from a function that never returns to its caller to the function, added
// here, that calls it.
type functions struct{ callers map[int64]int64 }

// noReturn names functions of the runtime that never return to their caller. The caller returns 1, and the goroutine
// goes on elsewhere, or at the beginning of the caller (morestack), or never.
var noReturn = []string{"runtime.sigpanic", "runtime.morestack_noctxt", "runtime.morestack", "runtime.goPanicIndex",
	"runtime.goPanicIndexU", "runtime.goPanicSliceAlen", "runtime.goPanicSliceAlenU", "runtime.goPanicSliceAcap",
	"runtime.goPanicSliceAcapU", "runtime.goPanicSliceB", "runtime.goPanicSliceBU", "runtime.goPanicSlice3Alen",
	"runtime.goPanicSlice3Acap", "runtime.goPanicSlice3B", "runtime.goPanicSlice3C", "runtime.panicdivide",
	"runtime.panicshift", "runtime.panicwrap", "runtime.panicdottypeE", "runtime.panicdottypeI",
	"runtime.panicnildottype", "runtime.gopanic", "runtime.throw"}

// goType is the type of Go's functions: from a place to whether the goroutine stops. Functions of the others are added.
var goType, callerType, startType = []byte{0x60, 1, 0x7f, 1, 0x7f}, []byte{0x60, 1, 0x7e, 1, 0x7f}, []byte{0x60, 0, 0}

// rewriteCode replaces the functions of a module by shorter ones. The module starts with start, before anything else.
func rewriteCode(m *sections, start []byte) {
	types := m.types()
	plain := slices.IndexFunc(types, func(t []byte) bool { return slices.Equal(t, goType) })
	caller, starter := len(types), len(types)+1
	types = append(types, callerType, startType)
	kinds := m.kinds()
	next := m.imports() + len(kinds)
	names := m.names()
	f := &functions{callers: map[int64]int64{}}
	bodies := &reader{rest: m.content[codeSection]}
	if bodies.number() != len(kinds) || plain < 0 {
		panic(unreadable("the sections disagree about functions"))
	}
	var added [][]byte
	for _, name := range noReturn {
		if callee, is := names[name]; is {
			f.callers[callee] = int64(next + len(added))
			added = append(added, callerOf(callee))
		}
	}
	if f.callers[names["runtime.sigpanic"]] == 0 {
		panic(unreadable("the functions have no names"))
	}
	code := list{}
	for _, kind := range kinds {
		body := bodies.take(bodies.number())
		if kind == plain {
			body = f.rewrite(body)
		}
		code.add(body)
	}
	for _, body := range added {
		kinds = append(kinds, caller)
		code.add(body)
	}
	kinds = append(kinds, starter)
	code.add(start)
	m.content[codeSection] = code.section()
	m.setTypes(types, kinds)
	m.content[startSection] = appendNumber(nil, uint64(next+len(added)))
}

// callerOf returns a function that calls another one, with the place to which it would return.
func callerOf(callee int64) []byte {
	return appendInstructions([]byte{0}, []instr{{op: opGlobalGet}, eight, sub, setSP, {op: opGlobalGet},
		{op: opLocalGet}, {op: opI64Store, a: 3}, zero, {op: opCall, a: callee}, {op: opEnd, to: &label{}}})
}

// rewrite returns a shorter body of a function. A body is unchanged if its local 1 is not the stack pointer.
func (f *functions) rewrite(body []byte) []byte {
	r := &reader{rest: body}
	for i := range r.number() {
		if n, kind := r.number(), r.take(1)[0]; i == 0 && (n != 1 || kind != 0x7f) {
			return body
		}
	}
	locals := body[:len(body)-len(r.rest)]
	list := r.instructions()
	if len(r.rest) > 0 {
		panic(unreadable("a function is longer than its instructions"))
	}
	if !matches(list, instr{op: opGlobalGet}, instr{op: opLocalSet, a: 1}) {
		return body
	}
	return appendInstructions(slices.Clone(locals), f.shorten(list))
}
