package meter

// Limits of what makes engines' compilers grow faster than the bytes of a body. wazero's compiler is the hungriest: it
// makes a block parameter for every local in every loop that touches it, and wherever control comes together. V8's
// optimizing compiler keeps all values alive for each branch. The limits are some twenty times what compilers of C,
// Rust, AssemblyScript and Go need.
const (
	maxLoopLocals = 4_000      // of one body: for each loop, the locals touched in it, and one
	maxNested     = 32         // loops inside of loops
	maxCarried    = 200_000    // of one body: for each branch, call and block, the values alive there
	allLoopLocals = 20_000     // of all bodies
	allCarried    = 500_000    // likewise
	allLooks      = 20_000_000 // of all bodies: blocks looked through, see fork, and 8 for each block around a block
	runtimeTimes  = 4          // so much more in all for a guest with Limits.Runtime
	maxTargets    = 10_000     // of one br_table
)

// appetite counts these things in one body.
type appetite struct {
	opened     []int // for each open loop, how many were opened before it
	touched    []int // for each local, how many loops had been opened when it was touched last
	loops      int   // opened so far
	loopLocals int   // see maxLoopLocals
	carried    int   // see maxCarried
	chain      int   // of blocks with one way into each, behind the last place where ways came together
	looks      int   // see allLooks
}

// sit starts the counts of a body.
func (a *appetite) sit(locals int) {
	a.opened, a.touched = a.opened[:0], a.touched[:0]
	for range locals {
		a.touched = append(a.touched, -1)
	}
	a.loops, a.loopLocals, a.carried, a.chain, a.looks = 0, 0, locals, 0, 0
}

func (c *checker) enterLoop() {
	c.opened = append(c.opened, c.loops)
	c.loops++
	c.loopLocals++ // the fuel is a local, too
	if len(c.opened) > maxNested {
		c.r.refuse(BodyTooLarge, c.begin, "more than 32 loops inside of each other")
	}
}

func (a *appetite) leaveLoop() { a.opened = a.opened[:len(a.opened)-1] }

// touch counts a local for each open loop that it was not touched in yet. Those are the innermost ones, so what
// this costs is what it counts.
func (a *appetite) touch(local int) {
	for i := len(a.opened) - 1; i >= 0 && a.opened[i] >= a.touched[local]; i-- {
		a.loopLocals++
	}
	a.touched[local] = a.loops
}

// branches counts the values alive where control may go somewhere else.
func (c *checker) branches() { c.carry(len(c.locals) + len(c.stack)) }

func (a *appetite) carry(values int) { a.carried += values }

// Wherever code uses a local, wazero's compiler looks for its value in the blocks before, one by one, until it comes to
// a place where ways came together: it keeps what it has found there. It does so for each use, and at such a place for
// each local and each way. Dead code is not compiled, so it makes no way.

// fork begins a block behind a branch, an if or a loop. The ways into a loop come together at its head.
func (c *checker) fork(loop bool) {
	if loop {
		c.looks += c.chain * (len(c.locals) + 1)
		c.chain = 0
		return
	}
	c.chain++
}

// way notes a way from here to the code behind a frame, or back to a loop's head.
func (c *checker) way(f *frame, back bool) {
	if c.now == nowhere {
		return
	}
	c.looks += c.chain * (len(c.locals) + 1)
	if !back {
		f.ways++
		f.last = c.chain
	}
}

// join begins the block behind a frame.
func (c *checker) join(f *frame) {
	if f.op == opIf && f.outer != nowhere {
		f.ways++
		f.last = f.before + 1
		c.looks += f.last * (len(c.locals) + 1)
	}
	if c.chain = 0; f.ways == 1 {
		c.chain = f.last + 1
	}
}

// eaten refuses a body that asks for too much, and adds it to what the module asks for.
func (c *checker) eaten(at int) {
	times := 1
	if c.m.limits.Runtime {
		times = runtimeTimes
	}
	c.m.loopLocals += c.loopLocals
	c.m.carried += c.carried
	c.m.looks += c.looks
	switch {
	case c.loopLocals > maxLoopLocals:
		c.r.refuse(BodyTooLarge, at, "the loops of a function touch more than 4,000 locals together")
	case c.carried > maxCarried:
		c.r.refuse(BodyTooLarge, at, "the branches and calls of a function carry more than 200,000 values together")
	case c.m.looks > times*allLooks:
		c.r.refuse(TooMany, at, "the branches of the functions are too deep inside of each other, or too many in a row")
	case c.m.loopLocals > times*allLoopLocals:
		c.r.refuse(TooMany, at, "the loops of all functions touch more locals together than the limit")
	case c.m.carried > times*allCarried:
		c.r.refuse(TooMany, at, "the branches and calls of all functions carry more values together than the limit")
	}
}
