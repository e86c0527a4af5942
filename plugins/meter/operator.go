package meter

// The operators without control flow: what each takes and gives, and what it costs.

func (c *checker) numeric(op byte) {
	takes, gives := arithmetic(op)
	c.charge(worth(op))
	c.takeAll(takes)
	c.giveOne(typeOf(gives))
	if makesNaN(op) {
		c.canonical(typeOf(gives))
	}
}

// worth is what a numeric operator costs.
func worth(op byte) int {
	switch {
	case divides(op), op == 0x91, op == 0x95, op == 0x9f, op == 0xa3:
		return costDivide
	case op >= 0x8d && op <= 0x90, op >= 0x9b && op <= 0x9e:
		return costRound
	case makesNaN(op), op >= 0xa8 && op <= 0xab, op >= 0xae && op <= 0xb1:
		return costSlow
	}
	return 1
}

// divides names division and remainder of integers.
func divides(op byte) bool {
	return op >= 0x6d && op <= 0x70 || op >= 0x7f && op <= 0x82
}

// arithmetic spells the operands and the result of the operators 0x45 to 0xc4.
func arithmetic(op byte) (takes string, gives byte) {
	switch {
	case op == 0x45, op >= 0x67 && op <= 0x69, op == 0xc0, op == 0xc1:
		return "i", 'i'
	case op <= 0x4f, op >= 0x6a && op <= 0x78:
		return "ii", 'i'
	case op == 0x50, op == 0xa7:
		return "I", 'i'
	case op <= 0x5a:
		return "II", 'i'
	case op <= 0x60:
		return "ff", 'i'
	case op <= 0x66:
		return "FF", 'i'
	case op <= 0x7b, op >= 0xc2:
		return "I", 'I'
	case op <= 0x8a:
		return "II", 'I'
	case op <= 0x91:
		return "f", 'f'
	case op <= 0x98:
		return "ff", 'f'
	case op <= 0x9f:
		return "F", 'F'
	case op <= 0xa6:
		return "FF", 'F'
	}
	return conversion(op)
}

// conversion spells 0xa8 to 0xbf.
func conversion(op byte) (takes string, gives byte) {
	const from = "ffFF" + "iiffFF" + "iiIIF" + "iiIIf" + "fFiI"
	const to = "iiii" + "IIIIII" + "fffff" + "FFFFF" + "iIfF"
	return from[op-0xa8 : op-0xa8+1], to[op-0xa8]
}

// access checks the loads 0x28 to 0x35 and stores 0x36 to 0x3e.
func (c *checker) access(op byte) {
	const value, align = "iIfFiiiiIIIIIIiIfFiiIII", "23230011001122" + "232301012"
	c.charge(1)
	if op < 0x36 {
		c.charge(c.m.distance)
	}
	if c.m.memory == nil {
		c.refuse("unknown memory")
	}
	at := c.r.at
	exponent := c.r.u32()
	if exponent >= 0x40 && c.r.no == nil {
		c.r.refuse(Unsupported, at, "multi-memory")
	}
	if exponent > uint32(align[op-0x28]-'0') {
		c.refuse("alignment above the natural one")
	}
	c.r.u32()
	t := typeOf(value[op-0x28])
	if op >= 0x36 {
		c.takeOne(t)
		c.takeOne(i32)
		return
	}
	c.takeOne(i32)
	c.giveOne(t)
}

func (c *checker) literal(op byte) {
	c.charge(1)
	switch op {
	case 0x41:
		c.r.signed(32)
		c.giveOne(i32)
	case 0x42:
		c.r.signed(64)
		c.giveOne(i64)
	case 0x43:
		c.r.part(4)
		c.giveOne(f32)
	case 0x44:
		c.r.part(8)
		c.giveOne(f64)
	}
}

func (c *checker) other(op byte) {
	c.charge(1)
	switch op {
	case 0x1a:
		c.takeAny()
	case 0x1b, 0x1c:
		c.selects(op == 0x1c)
	case 0x20, 0x21, 0x22:
		c.local(op)
	case 0x23, 0x24:
		c.global(op)
	case 0x25, 0x26:
		c.entry(op)
	case 0x3f:
		c.memoryZero()
		c.giveOne(i32)
	case 0x40:
		c.memoryZero()
		c.peek(markMemoryGrow, 0, costGrow)
		c.takeOne(i32)
		c.giveOne(i32)
	case 0xd0:
		c.giveOne(c.r.reference())
	case 0xd1:
		if t := c.takeAny(); t != unknown && t != funcref && t != externref {
			c.refuse("type mismatch")
		}
		c.giveOne(i32)
	case 0xd2:
		c.functionReference()
	default:
		c.beyond(op)
	}
}

// beyond names the proposal an opcode belongs to.
func (c *checker) beyond(op byte) {
	switch op {
	case 0x12, 0x13:
		c.r.refuse(Unsupported, c.begin, "tail calls")
	case 0x14, 0x15, 0xd3, 0xd4, 0xd5, 0xd6:
		c.r.refuse(Unsupported, c.begin, "typed references")
	case 0x18, 0x19, 0x1f:
		c.r.refuse(Unsupported, c.begin, "exception handling")
	case 0xfb:
		c.r.refuse(Unsupported, c.begin, "garbage collection")
	case 0xfd:
		c.r.refuse(Unsupported, c.begin, "SIMD")
	case 0xfe:
		c.r.refuse(Unsupported, c.begin, "threads")
	default:
		c.r.refuse(Malformed, c.begin, "illegal opcode")
	}
}

func (c *checker) selects(typed bool) {
	if typed {
		if n := c.r.count(); n != 1 {
			c.refuse("select gives one value")
			return
		}
		t := c.r.value()
		c.takeOne(i32)
		c.takeOne(t)
		c.takeOne(t)
		c.giveOne(t)
		return
	}
	c.takeOne(i32)
	a, b := c.takeAny(), c.takeAny()
	if a == funcref || a == externref || b == funcref || b == externref || a != b && a != unknown && b != unknown {
		c.refuse("type mismatch in select")
	}
	c.giveOne(max(a, b))
}

// local checks the index against the guest's own locals: the rewriter's lie behind them.
func (c *checker) local(op byte) {
	i := c.r.index()
	if i >= len(c.locals) {
		c.refuse("unknown local")
		return
	}
	c.touch(i)
	if op != 0x20 {
		c.takeOne(c.locals[i])
	}
	if op != 0x21 {
		c.giveOne(c.locals[i])
	}
}

// global checks the index against the guest's own globals: the counters lie behind them.
func (c *checker) global(op byte) {
	i := c.r.index()
	if i >= len(c.m.globals) {
		c.refuse("unknown global")
		return
	}
	g := c.m.globals[i]
	if op == 0x23 {
		c.giveOne(g.of)
		return
	}
	if !g.mutable {
		c.refuse("the global is immutable")
	}
	c.takeOne(g.of)
}

func (c *checker) entry(op byte) {
	t := c.tableIndex(unknown)
	if t < 0 {
		return
	}
	if op == 0x26 {
		c.m.rearranges = true
		c.charge(costSet - 1)
		c.takeOne(c.m.tables[t].of)
	}
	c.takeOne(i32)
	if op == 0x25 {
		c.charge(costDrop - 1)
		c.giveOne(c.m.tables[t].of)
	}
}

func (c *checker) functionReference() {
	i := c.r.index()
	if i >= len(c.m.funcs) || !c.m.declared[i] {
		c.refuse("unknown or undeclared function reference")
		return
	}
	c.charge(costNamed - 1)
	c.m.rearranges = true // not to the guest's eyes: but what it leaves in wazero goes when the instance goes
	c.giveOne(funcref)
}

// memoryZero reads the byte that names the memory.
func (c *checker) memoryZero() {
	at := c.r.at
	if c.r.byte() != 0 {
		c.r.refuse(Unsupported, at, "multi-memory")
	}
	if c.m.memory == nil {
		c.refuse("unknown memory")
	}
}

// peek has the rewriter charge the operand on top of the stack before the instruction.
func (c *checker) peek(kind markKind, table, cost int) {
	c.charge(cost)
	c.mark(c.begin, 0, kind, table)
	c.peeks = true
}
