package main

// instr is an instruction of a function's body.
type instr struct {
	op   byte
	a, b int64    // the value, index or type; of a load or store, the alignment and the offset
	to   *label   // what the instruction opens, closes or branches to
	all  []*label // what br_table branches to
	raw  []byte   // the encoding; nil for an instruction with labels, and for one that was made here
}

// label is a block, a loop or an if.
type label struct {
	loop  bool
	used  bool // a branch goes there
	depth int  // while the instructions are written: how many were open before it
}

// The instructions that this package knows by name.
const (
	opUnreachable, opNop, opReturn          = 0x00, 0x01, 0x0f
	opBlock, opLoop, opIf, opElse, opEnd    = 0x02, 0x03, 0x04, 0x05, 0x0b
	opBr, opBrIf, opBrTable                 = 0x0c, 0x0d, 0x0e
	opCall, opCallIndirect                  = 0x10, 0x11
	opDrop, opSelect                        = 0x1a, 0x1b
	opLocalGet, opLocalSet, opLocalTee      = 0x20, 0x21, 0x22
	opGlobalGet, opGlobalSet                = 0x23, 0x24
	opI32Load, opI64Load, opI32Load8U       = 0x28, 0x29, 0x2d
	opI32Store, opI64Store, opLastStore     = 0x36, 0x37, 0x3e
	opMemorySize, opMemoryGrow              = 0x3f, 0x40
	opI32Const, opI64Const                  = 0x41, 0x42
	opF32Const, opF64Const                  = 0x43, 0x44
	opI32Eqz, opI32LtU                      = 0x45, 0x49
	opI32Add, opI32Sub, opI32Mul, opI32And  = 0x6a, 0x6b, 0x6c, 0x71
	opI32ShrU, opI64Add                     = 0x76, 0x7c
	opI32WrapI64, opI64ExtendI32U, opLastOp = 0xa7, 0xad, 0xc4
	opPrefix, subCopy, subFill              = 0xfc, 10, 11
)

// void is the type of a block without a result.
const void = -0x40

// instructions reads the instructions of a function to its end.
func (r *reader) instructions() (list []instr) {
	open := []*label{{}}
	target := func() *label {
		n := r.number()
		if n >= len(open) {
			panic(unreadable("a branch leaves its function"))
		}
		return open[len(open)-1-n]
	}
	for len(open) > 0 {
		start := r.rest
		i := instr{op: r.take(1)[0]}
		switch op := i.op; {
		case op == opBlock, op == opLoop, op == opIf:
			i.a = r.signed()
			i.to = &label{loop: op == opLoop}
			open = append(open, i.to)
		case op == opElse:
			i.to = open[len(open)-1]
		case op == opEnd:
			i.to = open[len(open)-1]
			open = open[:len(open)-1]
		case op == opBr, op == opBrIf:
			i.to = target()
		case op == opBrTable:
			for range r.number() + 1 {
				i.all = append(i.all, target())
			}
		default:
			r.immediates(&i)
			i.raw = start[:len(start)-len(r.rest)]
		}
		list = append(list, i)
	}
	return list
}

// immediates reads what follows the opcode of an instruction without labels.
func (r *reader) immediates(i *instr) {
	switch op := i.op; {
	case op == opI32Const, op == opI64Const:
		i.a = r.signed()
	case op == opCallIndirect, op >= opI32Load && op <= opLastStore:
		i.a, i.b = int64(r.number()), int64(r.number())
	case op == opCall, op >= opLocalGet && op <= opGlobalSet, op == opMemorySize, op == opMemoryGrow:
		i.a = int64(r.number())
	case op == opF32Const:
		r.take(4)
	case op == opF64Const:
		r.take(8)
	case op == opPrefix:
		switch i.a = int64(r.number()); {
		case i.a == subCopy:
			r.take(2)
		case i.a == subFill:
			r.take(1)
		case i.a > 7: // the others convert numbers
			panic(unreadable("an instruction of another kind"))
		}
	case op <= opNop, op == opReturn, op == opDrop, op == opSelect, op > opF64Const && op <= opLastOp:
	default:
		panic(unreadable("an instruction of another kind"))
	}
}

// appendInstructions appends the encoding, without the blocks and loops that no branch goes to.
func appendInstructions(dst []byte, list []instr) []byte {
	for _, i := range list {
		switch {
		case i.op == opBr, i.op == opBrIf, i.op == opIf, i.op == opBlock && i.a != void:
			i.to.used = true
		}
		for _, to := range i.all {
			to.used = true
		}
	}
	depth := 1 // the function itself is the label 0
	for at, i := range list {
		switch op := i.op; {
		case i.raw != nil:
			dst = append(dst, i.raw...)
			continue
		case op == opBlock || op == opLoop || op == opIf:
			if i.to.used {
				i.to.depth = depth
				depth++
				dst = appendSigned(append(dst, op), i.a)
			}
			continue
		case op == opEnd:
			if !i.to.used && at < len(list)-1 {
				continue
			}
			depth--
		}
		dst = append(dst, i.op)
		switch op := i.op; {
		case op == opBr, op == opBrIf:
			dst = appendNumber(dst, uint64(depth-1-i.to.depth))
		case op == opBrTable:
			dst = appendNumber(dst, uint64(len(i.all)-1))
			for _, to := range i.all {
				dst = appendNumber(dst, uint64(depth-1-to.depth))
			}
		case op == opI32Const, op == opI64Const:
			dst = appendSigned(dst, i.a)
		case op >= opI32Load && op <= opLastStore:
			dst = appendNumber(appendNumber(dst, uint64(i.a)), uint64(i.b))
		case op == opCall, op >= opLocalGet && op <= opGlobalSet:
			dst = appendNumber(dst, uint64(i.a))
		}
	}
	return dst
}

// some, as an immediate of a pattern, matches every number.
const some = -1 << 62

// matches tells whether list begins with pattern.
func matches(list []instr, pattern ...instr) bool {
	if len(list) < len(pattern) {
		return false
	}
	for k, p := range pattern {
		if i := list[k]; i.op != p.op || p.a != some && i.a != p.a || p.b != some && i.b != p.b {
			return false
		}
	}
	return true
}

// replace asks rewrite at each instruction how many instructions to replace, and with what.
func replace(list []instr, rewrite func(rest []instr) (int, []instr)) []instr {
	out := make([]instr, 0, len(list))
	for at := 0; at < len(list); {
		n, by := rewrite(list[at:])
		if n == 0 {
			n, by = 1, list[at:at+1]
		}
		out = append(out, by...)
		at += n
	}
	return out
}
