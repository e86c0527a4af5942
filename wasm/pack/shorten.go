package main

// Go's compiler writes the same long sequences into every function. In its functions, local 0 is the place in the
// function where it is to go on, and local 1 is the stack pointer, which global 0 holds between functions.
//
// Nothing branches into the middle of a sequence, because only a block, a loop and an end are targets of branches.

var (
	getSP, setSP = instr{op: opLocalGet, a: 1}, instr{op: opGlobalSet}
	teeSP        = instr{op: opLocalTee, a: 1}
	someConst    = instr{op: opI32Const, a: some}
	zero, eight  = instr{op: opI32Const}, instr{op: opI32Const, a: 8}
	add, sub     = instr{op: opI32Add}, instr{op: opI32Sub}
	not          = instr{op: opI32Eqz}
	wrap, extend = instr{op: opI32WrapI64}, instr{op: opI64ExtendI32U}
	leave, nop   = instr{op: opReturn}, instr{op: opNop}
)

// push is how a call begins: it writes the place to which the call returns on the stack.
var push = []instr{getSP, eight, sub, teeSP, setSP, getSP, {op: opI64Const, a: some}, {op: opI64Store, a: 3}, zero,
	{op: opCall, a: some}}

// pushPlace and pushCallee are the indexes of the place and the call in push.
const pushPlace, pushCallee = 6, 9

// pop is how a call ends: the stack may have moved, and the goroutine may have to stop. Then the function returns 1.
var pop = []instr{{op: opGlobalGet}, {op: opLocalSet, a: 1}, {op: opBrIf}}

// end is how a function ends: it removes its frame, and then the place to which it returns.
var end = []instr{someConst, add, teeSP, setSP, getSP, eight, add, teeSP, setSP, zero, leave}

// shorten rewrites the instructions of a function of Go.
func (f *functions) shorten(list []instr) []instr {
	list = replace(direct(list), func(rest []instr) (int, []instr) {
		switch {
		case matches(rest, extend, wrap):
			return 2, nil
		case matches(rest, extend, instr{op: opI64Const, a: some}, instr{op: opI64Add}, wrap) &&
			rest[1].a >= 0 && rest[1].a < 1<<31:
			return 4, []instr{{op: opI32Const, a: rest[1].a}, add}
		case matches(rest, push...) && matches(rest[len(push):], pop...):
			if caller, ends := f.callers[rest[pushCallee].a]; ends {
				place := instr{op: opI64Const, a: rest[pushPlace].a}
				return len(push) + len(pop), []instr{place, {op: opCall, a: caller}, leave}
			}
		}
		return 0, nil
	})
	offsets(list)
	exit := exitOf(list)
	return replace(list, func(rest []instr) (int, []instr) {
		first := rest[0]
		switch {
		case first.op == opNop && len(rest) > 1:
			return 1, nil
		case matches(rest, instr{op: opLocalSet, a: some}, instr{op: opLocalGet, a: first.a}):
			return 2, []instr{{op: opLocalTee, a: first.a}}
		case matches(rest, pop...) && rest[2].to == exit:
			// This is longer, but the same after each call. The depth of a branch would differ, and compress badly.
			check := &label{}
			return len(pop), []instr{{op: opIf, a: void, to: check}, {op: opI32Const, a: 1}, leave,
				{op: opEnd, to: check}, rest[0], rest[1]}
		case matches(rest, end...):
			return len(end), []instr{{op: opI32Const, a: first.a + 8}, add, setSP, zero, leave}
		case matches(rest, teeSP, setSP, zero, leave):
			return 1, nil
		case len(rest) > 1 && rest[1].op == opI32Eqz && opposite[first.op] != 0:
			return 2, []instr{{op: opposite[first.op]}}
		case matches(rest, not, not, instr{op: opBrIf}), matches(rest, not, not, instr{op: opIf, a: void}):
			return 2, nil
		case matches(rest, instr{op: opI64Load, a: some, b: some}, wrap):
			return 2, []instr{{op: opI32Load, a: 2, b: first.b}}
		}
		return 0, nil
	})
}

// exitOf returns the block behind which the function returns 1, or nil if there is none.
func exitOf(list []instr) *label {
	if n := len(list); n > 3 && matches(list[n-3:], instr{op: opEnd}, instr{op: opI32Const, a: 1}, instr{op: opEnd}) {
		return list[n-3].to
	}
	return nil
}

// opposite has the opposite of each comparison of integers.
var opposite = [256]byte{
	0x46: 0x47, 0x47: 0x46, 0x48: 0x4e, 0x49: 0x4f, 0x4a: 0x4c, 0x4b: 0x4d, 0x4c: 0x4a, 0x4d: 0x4b, 0x4e: 0x48, 0x4f: 0x49,
	0x51: 0x52, 0x52: 0x51, 0x53: 0x59, 0x54: 0x5a, 0x55: 0x57, 0x56: 0x58, 0x57: 0x55, 0x58: 0x56, 0x59: 0x53, 0x5a: 0x54,
}

// offsets moves what is added to the stack pointer into the load or store that uses the sum as an address. The sum
// cannot exceed 32 bits, because the stack is in memory.
func offsets(list []instr) {
	for at := range list {
		if !matches(list[at:], getSP, someConst, add) || list[at+1].a < 0 {
			continue
		}
		if use := user(list[at+3:]); use != nil {
			use.b, use.raw = use.b+list[at+1].a, nil
			list[at+1], list[at+2] = nop, nop
		}
	}
}

// user returns the load or store that pops the address on top of the stack, or nil if another instruction pops it.
func user(list []instr) *instr {
	above := 0 // what lies above the address
	for at := range list {
		i := &list[at]
		pops, pushes, known := effect(*i)
		if !known {
			return nil
		}
		if pops > above {
			if i.op >= opI32Load && i.op <= opLastStore && pops == above+1 {
				return i
			}
			return nil
		}
		above += pushes - pops
	}
	return nil
}

// effect returns how many values an instruction pops and pushes. It does not know those that call or branch.
func effect(i instr) (pops, pushes int, known bool) {
	switch op := i.op; {
	case op == opNop:
		return 0, 0, true
	case op == opDrop, op == opLocalSet, op == opGlobalSet:
		return 1, 0, true
	case op == opSelect:
		return 3, 1, true
	case op == opLocalGet, op == opGlobalGet, op >= opI32Const && op <= opF64Const, op == opMemorySize:
		return 0, 1, true
	case op == opLocalTee, op >= opI32Load && op < opI32Store:
		return 1, 1, true
	case op >= opI32Store && op <= opLastStore:
		return 2, 0, true
	case op == opI32Eqz, op == 0x50, // i64.eqz
		op >= 0x67 && op <= 0x69, op >= 0x79 && op <= 0x7b, // counting bits
		op >= 0x8b && op <= 0x91, op >= 0x99 && op <= 0x9f, // of one floating-point number
		op >= opI32WrapI64 && op <= opLastOp: // conversions
		return 1, 1, true
	case op > opF64Const && op < opI32WrapI64:
		return 2, 1, true
	case op == opPrefix && i.a < subCopy:
		return 1, 1, true
	case op == opPrefix:
		return 3, 0, true
	}
	return 0, 0, false
}
