package meter

// flow is the metering plan of one body. A segment is a stretch of code entered at one point; its cost is taken there.
// Every segment but the entry has a parent that runs at least as often, unless it is a loop's head. So a small segment
// may be charged with its parent: that can only charge more than was run, never less.
type flow struct {
	first    int       // where the code begins
	begin    int       // offset of the instruction at hand
	now      int       // the segment instructions are charged to, nowhere in dead code
	segments []segment // the entry first, a parent before its children
	marks    []mark    // in the order of their offsets
	calls    bool      // calls a function of the guest
	peeks    bool      // has an operator charged by an operand
	flushes  bool      // calls anything
	floats   [2]bool   // has results made canonical: of f64, of f32
}

const nowhere = -1

// foldAt is the cost up to which an arm is charged with its parent: about what charging it apart would cost to run.
const foldAt = 8

type segment struct {
	parent int   // an index below its own
	cost   int64 // in fuel; complete after fold
	loop   bool  // entered again by a branch, so it is charged in each round
	folded bool  // its cost went to its parent
}

// mark is a place where the rewriter puts code in, or leaves bytes out.
type mark struct {
	at, skip int
	kind     markKind
	arg      int // a segment, a label depth or a table
}

type markKind uint8

const (
	markSegment    markKind = iota // take a segment's cost
	markFlush                      // before a call: fuel local to global
	markReload                     // after a call: global to local
	markReturn                     // return becomes a branch to the wrapper's end
	markMemoryBulk                 // charge the operand on top by 8 bytes
	markMemoryFill                 // likewise, and more for nothing
	markTableCopy                  // charge the entries that the operand on top counts
	markTableFill                  // likewise, 32 each
	markTableInit                  // likewise, 64 each
	markMemoryGrow                 // charge the pages a growth will get
	markTableGrow                  // charge the entries a growth will get
)

func (f *flow) start(at int, cost int64) {
	f.first, f.begin, f.now = at, at, 0
	f.segments = append(f.segments[:0], segment{cost: cost})
	f.marks = f.marks[:0]
	f.calls, f.peeks, f.flushes, f.floats = false, false, false, [2]bool{}
}

// charge adds to the cost of the segment at hand.
func (f *flow) charge(cost int) {
	if f.now >= 0 {
		f.segments[f.now].cost += int64(cost)
	}
}

// open begins a segment at an offset below parent; in dead code there is nothing to charge.
func (f *flow) open(at, parent int, loop bool) {
	if parent == nowhere {
		f.now = nowhere
		return
	}
	f.now = len(f.segments)
	f.segments = append(f.segments, segment{parent: parent, loop: loop})
	f.mark(at, 0, markSegment, f.now)
}

func (f *flow) mark(at, skip int, kind markKind, arg int) {
	f.marks = append(f.marks, mark{at, skip, kind, arg})
}

// fold charges loops for looking, and small arms with their parents. A parent stands before its children in the list,
// so one pass from the end sees every cost complete.
func (f *flow) fold() {
	for i := len(f.segments) - 1; i > 0; i-- {
		s := &f.segments[i]
		if s.loop {
			s.cost += costLook
		}
		if !s.loop && s.cost <= foldAt {
			f.segments[s.parent].cost += s.cost
			s.folded = true
		}
	}
}

// straight reports that everything is charged on entry: no loop, no arm apart, no call, no peek. Such a function needs
// no fuel local to be carried along.
func (f *flow) straight() bool {
	if f.flushes || f.peeks {
		return false
	}
	for _, s := range f.segments[1:] {
		if !s.folded {
			return false
		}
	}
	return true
}
