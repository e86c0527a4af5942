package attack

import "github.com/elicit-engine/elicit/plugins/internal/assemble"

// features are modules that are Wasm, and more Wasm than guests may be.
func features() (list []Made) {
	const unsupported = "unsupported_feature"
	add := func(name string, body []byte, change ...func(*assemble.Module)) {
		list = append(list, Made{Name: "feature: " + name, Module: asked(body, change...), Refused: unsupported})
	}
	section := func(id int, member ...any) func(*assemble.Module) {
		return func(m *assemble.Module) { m.More(id, assemble.Code(member...)) }
	}
	memory := func(member ...any) func(*assemble.Module) {
		return func(m *assemble.Module) {
			m.NoMemory = true
			m.More(5, assemble.Code(member...))
		}
	}
	locals := func(of int) func(*assemble.Module) {
		return func(m *assemble.Module) { m.FuncWith(assemble.Code(1, 1, of), "", "", "", nil) }
	}
	add("SIMD", assemble.Code(0xfd, 12, make([]byte, 16), 0x1a, says))
	add("SIMD, a local", says, locals(0x7b))
	add("SIMD, a type", says, section(1, 0x60, 1, 0x7b, 0))
	add("SIMD, a block", assemble.Code(2, 0x7b, 0x0b, 0x1a, says))
	add("threads, an instruction", assemble.Code(0xfe, 3, 0, says))
	add("threads, a shared memory", says, memory(3, 1, 1))
	add("memory64", says, memory(4, 1))
	add("custom page sizes", says, memory(8, 0, 0))
	add("custom page sizes with a maximum", says, memory(9, 0, 1, 0))
	add("two memories", says, section(5, 0, 1))
	add("a load from another memory", assemble.Code(assemble.Const(0), 0x28, 0x42, 1, 0, 0x1a, says))
	add("a tail call", assemble.Code(0x12, 0))
	add("an indirect tail call", assemble.Code(assemble.Const(0), 0x13, 0, 0))
	add("call_ref", assemble.Code(0x14, 0))
	add("return_call_ref", assemble.Code(0x15, 0))
	add("ref.as_non_null", assemble.Code(0xd0, 0x70, 0xd4, 0x1a, says))
	add("br_on_null", assemble.Code(0xd0, 0x70, 0xd5, 0, says))
	add("a typed reference", says, locals(0x64))
	add("a nullable typed reference, a block", assemble.Code(2, 0x63, 0, 0x0b, says))
	add("a struct", says, section(1, 0x5f, 0))
	add("an array", says, section(1, 0x5e, 0x7f, 1))
	add("a recursive type", says, section(1, 0x4e, 0))
	add("struct.new", assemble.Code(0xfb, 0, 0))
	add("i31ref", says, locals(0x6c))
	add("anyref, a block", assemble.Code(2, 0x6e, 0x0b, says))
	add("exnref, a local", says, locals(0x69))
	add("exnref, a block", assemble.Code(2, 0x69, 0x0b, says))
	add("exnref, a table", says, section(4, 0x69, 0, 1))
	add("exnref, a type", says, section(1, 0x60, 1, 0x69, 0))
	add("exnref, a null", assemble.Code(0xd0, 0x69, 0x1a, says))
	add("throw", assemble.Code(0x08, 0))
	add("throw_ref", assemble.Code(0x0a))
	add("try", assemble.Code(0x06, 0x40, 0x0b, says))
	add("try_table", assemble.Code(0x1f, 0x40, 0, 0x0b, says))
	add("tags", says, section(13, 0, 0))
	add("an extended constant", says, func(m *assemble.Module) {
		m.Global("", assemble.I32, false, assemble.Code(assemble.Const(1), assemble.Const(2), 0x6a))
	})
	add("wide arithmetic", assemble.Code(assemble.Long(1), assemble.Long(1), assemble.Long(1), assemble.Long(1),
		0xfc, 19, 0x1a, 0x1a, says))
	add("table.init of externref", assemble.Code(assemble.Const(0), assemble.Const(0), assemble.Const(0), 0xfc,
		12, 0, 0, says), table(1, 1, 0x6f),
		func(m *assemble.Module) { m.More(9, assemble.Code(5, 0x6f, 0)) })
	list[len(list)-1].Refused = "invalid_module" // the segment at hand is of functions
	return list
}
