package meter

// The costs. One fuel is one operator; what engines do more work for costs more. README.md argues the numbers.
const (
	costEntry  = 8   // the call itself
	costLook   = 1   // taking a loop's cost, round by round
	costValues = 4   // parameters, locals and results set up or moved for one fuel
	costSlow   = 4   // arithmetic on floats with what keeps its NaNs canonical, and truncation
	costRound  = 6   // rounding a float
	costDivide = 10  // division, remainder, square root
	costTarget = 4   // br_table
	costCallee = 4   // looking up the target of call_indirect
	costFar    = 92  // more for a target that processors do not keep close
	costHost   = 128 // leaving the guest for an import; an import may cost more, see Import.Fuel
	costGrow   = 512 // growing
	costBulk   = 24  // setting up a bulk operation on memory
	costFill   = 64  // memory.fill
	costEmpty  = 128 // a memory.fill of no bytes, besides
	costTables = 128 // on a table
	costNamed  = 320 // ref.func: wazero's compiler keeps what it gives as long as the instance
	costDrop   = 4   // dropping a segment, table.get
	costSet    = 48  // table.set: V8 finds out what the reference calls
)

// entryCost is what entering the function costs before its first instruction.
func (c *checker) entryCost() int64 {
	return int64(costEntry + (len(c.locals)+len(c.of.results))/costValues)
}

// instruction reads, checks and charges one instruction.
func (c *checker) instruction() {
	c.begin = c.r.at
	op := c.r.byte()
	switch {
	case c.r.no != nil:
		return
	case op <= 0x11:
		c.control(op)
	case op >= 0x45 && op <= 0xc4:
		c.numeric(op)
	case op >= 0x28 && op <= 0x3e:
		c.access(op)
	case op >= 0x41 && op <= 0x44:
		c.literal(op)
	case op == 0xfc:
		c.prefixed()
	default:
		c.other(op)
	}
	c.looks += c.chain
}

func (c *checker) control(op byte) {
	switch op {
	case 0x00:
		c.charge(1)
		c.mark(c.begin, 0, markFlush, 0)
		c.die()
	case 0x01: // nop: engines keep no trace of it
	case opBlock, opLoop, opIf:
		c.openBlock(op)
	case opElse:
		c.elseArm()
	case opEnd:
		c.end()
	case 0x0c, 0x0d:
		c.branch(op == 0x0d)
	case 0x0e:
		c.branchTable()
	case 0x0f:
		c.charge(1 + len(c.of.results)/costValues)
		c.mark(c.begin, 1, markReturn, len(c.frames)-1)
		c.take(c.label(uint32(len(c.frames) - 1)).labelled())
		c.die()
	case 0x10, 0x11:
		c.call(op)
	default:
		c.r.refuse(Unsupported, c.begin, "exception handling")
	}
}

func (c *checker) openBlock(op byte) {
	of := c.blockType()
	c.carry(len(of.params) + len(of.results))
	if op == opIf {
		c.charge(1)
		c.takeOne(i32)
	}
	c.take(of.params)
	if c.r.no != nil {
		return
	}
	c.push(frame{op: op, of: of})
	c.looks += 8 * len(c.frames)
	if op == opLoop {
		c.enterLoop()
	}
	if op != opBlock {
		c.branches()
		c.fork(op == opLoop)
		c.open(c.r.at, c.now, op == opLoop)
		c.top().own = c.now
	}
}

func (c *checker) elseArm() {
	if c.top().op != opIf {
		c.r.refuse(Malformed, c.begin, "else without if")
		return
	}
	f := c.pop()
	c.now, c.chain = f.outer, f.before+1
	f.op, f.dead = opElse, false
	c.frames = append(c.frames, f)
	c.give(f.of.params)
	c.open(c.r.at, f.outer, false)
}

// end closes a frame. The code after it runs at most once for each time the frame was opened; exactly once, or never
// again, when no branch inside leaves past the end.
func (c *checker) end() {
	f := c.pop()
	c.join(&f)
	if f.op == opIf && !same(f.of.params, f.of.results) {
		c.refuse("type mismatch: an if without else changes the stack")
	}
	if f.op == opLoop && !f.targeted && f.own != nowhere {
		c.segments[f.own].loop = false
	}
	if len(c.frames) == 0 {
		return
	}
	c.give(f.of.results)
	if c.now = f.outer; f.escaped {
		c.open(c.r.at, f.outer, false)
	}
	if f.targeted && f.op != opLoop {
		c.charge(1) // control arrives here from more than one place, and wazero jumps even from the line above
	}
}

func same(a, b []byte) bool { return string(a) == string(b) }

func (c *checker) branch(conditional bool) {
	depth := c.r.u32()
	if conditional {
		c.takeOne(i32)
	}
	if c.r.no != nil {
		return
	}
	types := c.label(depth).labelled()
	c.charge(1 + len(types)/costValues)
	c.take(types)
	if !conditional {
		c.die()
		return
	}
	c.give(types)
	c.fork(false)
	c.open(c.r.at, c.now, false)
}

// branchTable checks every target against the stack without taking anything from it but once, at the end.
func (c *checker) branchTable() {
	at := c.r.at
	n := c.r.count()
	if n > maxTargets {
		c.r.refuse(TooMany, at, "a br_table of more than 10,000 targets")
	}
	c.takeOne(i32)
	arity := -1
	for i := 0; i <= n && c.r.no == nil; i++ {
		f := c.label(c.r.u32())
		types := f.labelled()
		if arity < 0 {
			arity = len(types)
		}
		if len(types) != arity {
			c.refuse("type mismatch: the targets take different numbers of values")
			return
		}
		c.fits(types)
	}
	if c.r.no == nil {
		c.charge(costTarget + arity/costValues)
		c.die()
	}
}

// fits checks the values on the stack against types and leaves them there.
func (c *checker) fits(types []byte) {
	f := c.top()
	for i := range types {
		at := len(c.stack) - 1 - i
		if at < f.height {
			if !f.dead {
				c.refuse("type mismatch: the stack is empty")
			}
			return
		}
		if got := c.stack[at]; got != types[len(types)-1-i] && got != unknown {
			c.refuse("type mismatch")
			return
		}
	}
}

func (c *checker) call(op byte) {
	var of signature
	cost := 1
	if op == 0x10 {
		callee := c.r.index()
		if callee >= len(c.m.funcs) {
			c.refuse("unknown function")
			return
		}
		of = c.m.types[c.m.funcs[callee]]
		if callee < c.m.imported {
			cost += costHost + c.m.wanted[callee].Fuel
			if c.m.wanted[callee].Counted {
				c.peek(markMemoryBulk, 0, 0)
			}
		} else {
			c.calls = true
		}
	} else {
		of = c.m.typeAt(c.m.typeIndex(c.r))
		c.tableIndex(funcref)
		c.takeOne(i32)
		cost += costCallee + c.importable()
		if c.m.targets > farTargets {
			cost += costFar
		}
		if values := len(of.params) + len(of.results); values > wideCall {
			cost += values
		}
		c.calls = true
	}
	if c.r.no != nil {
		return
	}
	c.charge(cost)
	c.carry(len(of.params) + len(of.results))
	c.flushes = true
	c.mark(c.begin, 0, markFlush, 0)
	c.mark(c.r.at, 0, markReload, 0)
	c.take(of.params)
	c.give(of.results)
}

// importable is what an indirect call costs more when it may leave the guest: when a reference to an imported function
// can exist.
func (c *checker) importable() (cost int) {
	for i, declared := range c.m.declared[:c.m.imported] {
		if declared {
			cost = max(cost, costHost+c.m.wanted[i].Fuel)
		}
	}
	return cost
}

// typeAt is the type, or an empty one after a refusal of the index.
func (m *guest) typeAt(i uint32) signature {
	if int(i) < len(m.types) {
		return m.types[i]
	}
	return signature{}
}

// tableIndex reads a table's index; of is the type it must have, unknown for any.
func (c *checker) tableIndex(of byte) int {
	i := c.r.index()
	if i >= len(c.m.tables) {
		c.refuse("unknown table")
		return -1
	}
	if of != unknown && c.m.tables[i].of != of {
		c.refuse("type mismatch: the table holds other references")
		return -1
	}
	return i
}
