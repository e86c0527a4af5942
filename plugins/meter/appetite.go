package meter

// Limits of what makes engines' compilers grow faster than the bytes of a body. wazero's compiler is the hungriest: it
// makes a block parameter for every local in every loop that touches it, and wherever control comes together. V8's
// optimizing compiler keeps all values alive for each branch. The limits are some twenty times what compilers of C,
// Rust, Zig, AssemblyScript and Go need.
const (
	maxLoopLocals = 4_000   // of one body: for each loop, the locals touched in it, and one
	maxNested     = 32      // loops inside of loops
	maxCarried    = 200_000 // of one body: for each branch, call and block, the values alive there
	allLoopLocals = 20_000  // of all bodies
	allCarried    = 500_000 // likewise
	runtimeTimes  = 4       // so much more in all for a guest with Limits.Runtime
	maxTargets    = 10_000  // of one br_table
)

// appetite counts these things in one body.
type appetite struct {
	opened     []int // for each open loop, how many were opened before it
	touched    []int // for each local, how many loops had been opened when it was touched last
	loops      int   // opened so far
	loopLocals int
	carried    int
}

// sit starts the counts of a body.
func (a *appetite) sit(locals int) {
	a.opened, a.touched = a.opened[:0], a.touched[:0]
	for range locals {
		a.touched = append(a.touched, -1)
	}
	a.loops, a.loopLocals, a.carried = 0, 0, locals
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

// eaten refuses a body that asks for too much, and adds it to what the module asks for.
func (c *checker) eaten(at int) {
	times := 1
	if c.m.limits.Runtime {
		times = runtimeTimes
	}
	c.m.loopLocals += c.loopLocals
	c.m.carried += c.carried
	switch {
	case c.loopLocals > maxLoopLocals:
		c.r.refuse(BodyTooLarge, at, "the loops of a function touch more than 4,000 locals together")
	case c.carried > maxCarried:
		c.r.refuse(BodyTooLarge, at, "the branches and calls of a function carry more than 200,000 values together")
	case c.m.loopLocals > times*allLoopLocals:
		c.r.refuse(TooMany, at, "the loops of all functions touch more locals together than the limit")
	case c.m.carried > times*allCarried:
		c.r.refuse(TooMany, at, "the branches and calls of all functions carry more values together than the limit")
	}
}
