package meter

// checker validates one function body by the algorithm of the Wasm specification's appendix and plans its metering
// on the way: which segments cost what, and where code goes in. It is reused from body to body.
type checker struct {
	m       *guest  // what earlier sections declared
	r       *reader // of this body alone
	of      signature
	head    span    // the local declarations; count is the number of groups
	locals  []byte  // parameters, then declared locals
	stack   []byte  // types of the operands, the top last; unknown ones only in dead code
	highest int     // the most operands at once: see weight
	frames  []frame // open ones, the function's own first
	flow
	appetite
}

// frame is an open block, loop, if or the function itself.
type frame struct {
	op       byte // opcode, 0 for the function
	of       signature
	height   int  // of the operand stack below it
	dead     bool // the rest of it cannot be reached
	outer    int  // the segment that opened it
	own      int  // the segment of a loop's head
	lowest   int  // the outermost frame a branch inside goes to
	escaped  bool // that frame is outside; known when it closes
	targeted bool // a branch goes to its label
	ways     int  // how many ways lead to the code behind it
	before   int  // the chain where it was opened
	last     int  // the chain at the last of these ways
}

const (
	opBlock = 0x02
	opLoop  = 0x03
	opIf    = 0x04
	opElse  = 0x05
	opEnd   = 0x0b
)

// labelled are the values a branch to the frame carries.
func (f *frame) labelled() []byte {
	if f.op == opLoop {
		return f.of.params
	}
	return f.of.results
}

func (c *checker) function(r *reader, index uint32) {
	c.r, c.of = r, c.m.types[index]
	c.stack, c.frames, c.highest = c.stack[:0], c.frames[:0], 0
	c.locals = append(c.locals[:0], c.of.params...)
	c.readLocals()
	c.flow.start(r.at, c.entryCost())
	c.sit(len(c.locals))
	c.push(frame{of: signature{results: c.of.results}})
	for len(c.frames) > 0 && r.no == nil {
		c.instruction()
	}
	if r.more() {
		r.refuse(Malformed, r.at, "code after the end of a function")
	}
}

func (c *checker) readLocals() {
	from := c.r.at
	groups := c.r.count()
	c.head = span{from: c.r.at, count: groups}
	for i := 0; i < groups && c.r.no == nil; i++ {
		n := c.r.index()
		t := c.r.value()
		if n > maxLocals-len(c.locals) {
			c.r.refuse(TooMany, from, "more than 4,096 locals")
			return
		}
		for range n {
			c.locals = append(c.locals, t)
		}
	}
	c.head.to = c.r.at
}

// refuse names the instruction at hand.
func (c *checker) refuse(detail string) { c.r.refuse(Invalid, c.begin, detail) }

func (c *checker) push(f frame) {
	f.height, f.outer, f.own, f.lowest, f.before = len(c.stack), c.now, c.now, len(c.frames), c.chain
	c.frames = append(c.frames, f)
	c.give(f.of.params)
}

func (c *checker) top() *frame { return &c.frames[len(c.frames)-1] }

// pop checks that the frame's results lie on the stack, alone, and closes it.
func (c *checker) pop() frame {
	f := c.top()
	c.take(f.of.results)
	if len(c.stack) != f.height {
		c.refuse("values remain on the stack at the end of a block")
	}
	at := len(c.frames) - 1
	c.way(f, false)
	closed := *f
	closed.escaped = f.lowest < at
	if f.op == opLoop {
		c.leaveLoop()
	}
	c.frames = c.frames[:at]
	if at > 0 {
		c.top().lowest = min(c.top().lowest, closed.lowest)
	}
	return closed
}

// die marks the rest of the frame as out of reach.
func (c *checker) die() {
	f := c.top()
	c.stack = c.stack[:f.height]
	f.dead = true
	c.now = nowhere
}

func (c *checker) give(types []byte) {
	c.stack = append(c.stack, types...)
	c.highest = max(c.highest, len(c.stack))
}

func (c *checker) giveOne(t byte) {
	c.stack = append(c.stack, t)
	c.highest = max(c.highest, len(c.stack))
}

// takeAny pops a value of any type.
func (c *checker) takeAny() byte {
	f := c.top()
	if len(c.stack) == f.height {
		if !f.dead {
			c.refuse("type mismatch: the stack is empty")
		}
		return unknown
	}
	t := c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
	return t
}

func (c *checker) takeOne(want byte) {
	if got := c.takeAny(); got != want && got != unknown && want != unknown {
		c.refuse("type mismatch")
	}
}

func (c *checker) take(types []byte) {
	for i := len(types) - 1; i >= 0 && c.r.no == nil; i-- {
		c.takeOne(types[i])
	}
}

// takeAll is take for types spelled in letters.
func (c *checker) takeAll(letters string) {
	for i := len(letters) - 1; i >= 0; i-- {
		c.takeOne(typeOf(letters[i]))
	}
}

// label returns the frame that a branch goes to, and notes the branch there. The frames that the branch leaves learn of
// it when they close, so a branch costs the same at any depth.
func (c *checker) label(depth uint32) *frame {
	if int(depth) >= len(c.frames) {
		c.refuse("unknown label")
		return &c.frames[0]
	}
	at := len(c.frames) - 1 - int(depth)
	c.frames[at].targeted = true
	c.branches()
	c.way(&c.frames[at], c.frames[at].op == opLoop)
	c.top().lowest = min(c.top().lowest, at)
	return &c.frames[at]
}

// blockType reads the type of a block: nothing, one value, or a type the guest defined.
func (c *checker) blockType() signature {
	at := c.r.at
	if at < c.r.end {
		switch b := c.r.src[at]; b {
		case 0x40:
			c.r.at++
			return signature{}
		default:
			if b&0xc0 != 0x40 { // not one byte of a negative number
				break
			}
			c.r.value()
			return signature{results: c.r.src[at : at+1 : at+1]}
		}
	}
	index := c.r.signed(33)
	if index < 0 {
		c.r.refuse(Malformed, at, "malformed block type")
		return signature{}
	}
	if index >= int64(len(c.m.types)) {
		c.r.refuse(Invalid, at, "unknown type")
		return signature{}
	}
	return c.m.types[index]
}
