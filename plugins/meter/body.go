package meter

// slotsPerWeight is how many values a frame may hold for each unit of depth it takes: 256 units are 128 KiB of values.
const slotsPerWeight = 64

// weight is the share of the depth a call of the function takes: its frame on an engine that keeps every value there,
// arguments once more as the caller passes them.
func (c *checker) weight() int {
	return 1 + (len(c.locals)+len(c.of.params)+len(c.of.results)+c.highest)/slotsPerWeight
}

// code appends the instructions of one body.
type code struct {
	b      []byte
	m      *guest
	fuel   int // the local that carries the fuel
	spare  int // the local an operand is peeked into
	weight int // what a call of the function takes of the depth
}

// body appends the checked body, metered, and reports whether it kept within twice the limit.
func (o *rewritten) body(c *checker) bool {
	c.fold()
	w := code{b: o.draft[:0], m: c.m, fuel: len(c.locals), spare: len(c.locals) + 1, weight: c.weight()}
	w.b = appendUnsigned(w.b, c.head.count+2+c.floatTypes())
	w.b = append(w.b, c.r.src[c.head.from:c.head.to]...)
	w.b = append(w.b, 1, i64, 1, i32)
	w.declareFloats(c)
	if c.calls {
		w.enterDepth()
	} else if w.weight > 1 {
		w.checkDepth()
	}
	straight := c.straight()
	w.enterFuel(c.segments[0].cost, straight)
	if straight {
		w.plain(c)
	} else {
		w.wrapped(c, o.wrapper(c))
	}
	o.draft = w.b
	o.bodies = append(appendUnsigned(o.bodies, len(w.b)), w.b...)
	return len(w.b) <= 2*c.m.limits.BodyBytes
}

// plain copies a body that was charged on entry.
func (w *code) plain(c *checker) {
	at := c.first
	for _, k := range c.marks {
		if k.kind == markNaN {
			w.b = append(w.b, c.r.src[at:k.at]...)
			at = k.at
			w.put(c, k)
		}
	}
	w.b = append(w.b, c.r.src[at:c.r.end]...)
}

// wrapped puts the body into a block that every way out of it ends at, and gives back fuel and depth behind that.
func (w *code) wrapped(c *checker, blockType []byte) {
	w.b = append(append(w.b, opBlock), blockType...)
	at := c.first
	for _, k := range c.marks {
		w.b = append(w.b, c.r.src[at:k.at]...)
		at = k.at + k.skip
		w.put(c, k)
	}
	w.b = append(w.b, c.r.src[at:c.r.end]...) // its end closes the block
	w.local(0x20, w.fuel)
	w.global(0x24, w.m.fuel())
	if c.calls {
		w.global(0x23, w.m.depth())
		w.i32const(int64(w.weight))
		w.op(0x6a)
		w.global(0x24, w.m.depth())
	}
	w.op(opEnd)
}

// wrapper spells the type of the block around a body: no parameters, the function's results. More than one result
// needs a type, appended behind the guest's own.
func (o *rewritten) wrapper(c *checker) []byte {
	results := c.of.results
	switch len(results) {
	case 0:
		return []byte{0x40}
	case 1:
		return results
	}
	for i, known := range o.appends {
		if same(known, results) {
			return appendSigned(nil, int64(len(c.m.types)+i))
		}
	}
	o.appends = append(o.appends, results)
	return appendSigned(nil, int64(len(c.m.types)+len(o.appends)-1))
}

func (w *code) put(c *checker, k mark) {
	switch k.kind {
	case markSegment:
		if s := c.segments[k.arg]; !s.folded {
			w.segment(s)
		}
	case markFlush:
		w.local(0x20, w.fuel)
		w.global(0x24, w.m.fuel())
	case markReload:
		w.global(0x23, w.m.fuel())
		w.local(0x21, w.fuel)
	case markReturn:
		w.b = appendUnsigned(append(w.b, 0x0c), k.arg)
	case markMemoryBulk:
		w.peek(func() { w.spared(3, 0x88) })
	case markMemoryFill:
		w.peek(w.filling)
	case markTableCopy:
		w.peek(func() { w.spared(0, 0x86) })
	case markTableFill:
		w.peek(func() { w.spared(5, 0x86) })
	case markTableInit:
		w.peek(func() { w.spared(6, 0x86) })
	case markMemoryGrow:
		w.peek(func() { w.growth(10, 0x86, w.m.memory.most, 0x3f, 0) })
	case markNaN:
		w.makeCanonical(c, byte(k.arg))
	case markTableGrow:
		table := appendUnsigned([]byte{0xfc, 16}, k.arg)
		w.peek(func() { w.growth(1, 0x88, w.m.tables[k.arg].most, table...) })
	}
}

// segment takes a segment's cost and traps when it was not there: nothing of the segment has run then.
func (w *code) segment(s segment) {
	w.local(0x20, w.fuel)
	w.i64const(s.cost)
	w.op(0x7d)
	w.local(0x22, w.fuel)
	w.trapIfSpent()
}

// enterFuel takes the entry's cost. A straight function is done with it then.
func (w *code) enterFuel(cost int64, straight bool) {
	w.global(0x23, w.m.fuel())
	w.i64const(cost)
	w.op(0x7d)
	w.local(0x22, w.fuel)
	if straight {
		w.global(0x24, w.m.fuel())
		w.local(0x20, w.fuel)
	}
	w.trapIfSpent()
}

// trapIfSpent traps when the fuel on top of the stack is below zero.
func (w *code) trapIfSpent() {
	w.i64const(0)
	w.op(0x53)
	w.op(opIf, 0x40)
	w.local(0x20, w.fuel)
	w.global(0x24, w.m.fuel())
	w.trap(ReasonFuel)
}

func (w *code) trap(reason int64) {
	w.i32const(reason)
	w.global(0x24, w.m.reason())
	w.op(0x00, opEnd)
}

func (w *code) enterDepth() {
	w.global(0x23, w.m.depth())
	w.i32const(int64(w.weight))
	w.op(0x6b)
	w.local(0x22, w.spare)
	w.global(0x24, w.m.depth())
	w.local(0x20, w.spare)
	w.i32const(0)
	w.op(0x48)
	w.op(opIf, 0x40)
	w.trap(ReasonDepth)
}

// checkDepth is enough for a frame that calls nothing.
func (w *code) checkDepth() {
	w.global(0x23, w.m.depth())
	w.i32const(int64(w.weight))
	w.op(0x48)
	w.op(opIf, 0x40)
	w.trap(ReasonDepth)
}

// peek charges what cost leaves on the stack, and leaves the operand on top as it was.
func (w *code) peek(cost func()) {
	w.local(0x22, w.spare)
	w.local(0x20, w.fuel)
	cost()
	w.op(0x7d)
	w.local(0x22, w.fuel)
	w.trapIfSpent()
}

// spared pushes the operand as i64, shifted.
func (w *code) spared(by int64, shift byte) {
	w.local(0x20, w.spare)
	w.op(0xad)
	w.i64const(by)
	w.op(shift)
}

// filling pushes the cost of a memory.fill: V8 takes 100 ns for one of no bytes.
func (w *code) filling() {
	w.spared(3, 0x88)
	w.i64const(costEmpty)
	w.i64const(0)
	w.local(0x20, w.spare)
	w.op(0x45, 0x1b, 0x7c)
}

// growth pushes the cost of growing by the operand: nothing when size and operand exceed most, as it fails then.
func (w *code) growth(by int64, shift byte, most uint32, size ...byte) {
	w.spared(by, shift)
	w.i64const(0)
	w.local(0x20, w.spare)
	w.op(0xad)
	w.op(size...)
	w.op(0xad, 0x7c)
	w.i64const(int64(most))
	w.op(0x58, 0x1b)
}

func (w *code) op(bytes ...byte)          { w.b = append(w.b, bytes...) }
func (w *code) local(op byte, index int)  { w.b = appendUnsigned(append(w.b, op), index) }
func (w *code) global(op byte, index int) { w.b = appendUnsigned(append(w.b, op), index) }
func (w *code) i32const(v int64)          { w.b = appendSigned(append(w.b, 0x41), v) }
func (w *code) i64const(v int64)          { w.b = appendSigned(append(w.b, 0x42), v) }
