package pattern

// program is a pattern with its repetitions written out, as instructions that each lead to the next. It exists
// only while the ways between positions are collected. The code of ab*, written from the last instruction to
// the first:
//
//	0  accept
//	1  fork   next 2, other 0
//	2  char b next 1            position 1
//	3  char a next 1            position 2, the entry
//
// Its ways are: from the start to 2; from 2 to 1 and to the end; from 1 to 1 and to the end.
type program struct {
	b     *builder
	code  []instr
	work  int
	edges []edge
	ways  [][]edge // by position; the first are those from the start
	words bool     // some way needs a word boundary
	at    []int32  // code position of each pattern position
	seen  []uint32 // by instruction: a bit for each set of demands that reached it, and their round
	round uint32
}

// instr is one instruction. Each but the last leads to next, and a fork also to other. class and position
// belong to char, demand to check. Other kinds have zeros there.
type instr struct {
	kind        instrKind
	class       uint16
	demand      demand
	position    uint16
	next, other int32
}

type instrKind uint8

const (
	char instrKind = iota
	fork
	check
	accept
)

// demand is a condition on the place between two characters. A set of demands is a number below demands. A way
// may have several: \b$ asks for a boundary at the end.
type demand uint8

const (
	atBegin demand = 1 << iota
	atEnd
	atBoundary
	notBoundary
	demands
)

// edge leads to a position if its demands hold. Position 0 is the end of the pattern.
type edge struct {
	to     uint16
	demand demand
}

// program builds a narrow machine if the positions fit one word, and a wide one otherwise.
func (b *builder) program(root int32) machine {
	p := b.compile(root)
	if p == nil {
		return machine{}
	}
	if len(p.at) <= narrowPositions {
		b.size += len(p.at)
		return machine{narrow: newNarrow(p)}
	}
	b.size += max(len(p.at), len(p.edges))
	return machine{wide: newWide(p)}
}

// compile writes the code and collects the ways. It returns nil after a fault.
func (b *builder) compile(root int32) *program {
	if n := b.ahead(root); n != none {
		b.refuse(b.tree.nodes[n])
		return nil
	}
	p := &program{b: b, code: make([]instr, 0, 64)}
	p.at = append(p.at, 0)
	entry := p.emit(root, p.add(instr{kind: accept}))
	if b.fault == nil {
		p.follow(entry)
	}
	if b.fault != nil {
		return nil
	}
	return p
}

// tooLarge refuses the whole pattern. The fault has no construct to point at, so its offset is the end.
func (p *program) tooLarge() {
	if p.b.fault == nil {
		p.b.fault = &Fault{Code: TooLarge, Offset: len(p.b.tree.text)}
	}
}

// add appends an instruction and returns its index.
func (p *program) add(i instr) int32 {
	p.code = append(p.code, i)
	return int32(len(p.code) - 1)
}

// emit writes the code of a node, which continues at next, and returns where the code begins. The last part is
// written first. work counts the nodes written out. Nested counts multiply: (((a|b){9}){9}){9} would have 1,458
// positions. Repetitions of nothing, as in (){1000000}, make no positions, so work bounds them.
func (p *program) emit(n, next int32) int32 {
	if p.work++; p.work > maxWork || p.b.fault != nil {
		p.tooLarge()
		return next
	}
	nd := p.b.tree.nodes[n]
	switch nd.op {
	case opClass:
		if len(p.at) > MaxPositions {
			p.tooLarge()
			return next
		}
		i := p.add(instr{kind: char, class: nd.class, position: uint16(len(p.at)), next: next})
		p.at = append(p.at, i)
		return i
	case opBegin:
		return p.add(instr{kind: check, demand: atBegin, next: next})
	case opEnd:
		return p.add(instr{kind: check, demand: atEnd, next: next})
	case opBoundary:
		p.words = true
		return p.add(instr{kind: check, demand: atBoundary, next: next})
	case opWithin:
		p.words = true
		return p.add(instr{kind: check, demand: notBoundary, next: next})
	case opCat:
		return p.emitCat(nd.first, next)
	// The last branch is written last, so the entry is a chain of forks to all of them.
	case opAlt:
		entry := int32(none)
		for part := nd.first; part != none; part = p.b.tree.nodes[part].next {
			branch := p.emit(part, next)
			if entry != none {
				branch = p.add(instr{kind: fork, next: entry, other: branch})
			}
			entry = branch
		}
		return entry
	case opRepeat:
		return p.emitRepeat(nd, next)
	}
	return next
}

// emitCat writes the parts of a sequence from the last to the first.
func (p *program) emitCat(first, next int32) int32 {
	var few [32]int32
	parts := few[:0]
	for part := first; part != none; part = p.b.tree.nodes[part].next {
		parts = append(parts, part)
	}
	for i := len(parts) - 1; i >= 0; i-- {
		next = p.emit(parts[i], next)
	}
	return next
}

// emitRepeat writes a repetition out. The copies that must match come first, and each further one is optional:
//
//	x*      loop: fork(x then loop, next)
//	x{2,}   x x x*
//	x{2,4}  x x (x (x)?)?
func (p *program) emitRepeat(nd node, next int32) int32 {
	entry := next
	if nd.max < 0 {
		// The fork is written before what it leads to, because the end of x must lead back to it.
		loop := p.add(instr{kind: fork, other: next})
		first := p.emit(nd.first, loop) // before p.code is read, because it may move
		p.code[loop].next = first
		entry = loop
	} else {
		for i := nd.min; i < nd.max && p.b.fault == nil; i++ { // each copy is tried only after the one before it
			entry = p.add(instr{kind: fork, next: p.emit(nd.first, entry), other: next})
		}
	}
	for i := int32(0); i < nd.min && p.b.fault == nil; i++ {
		entry = p.emit(nd.first, entry)
	}
	return entry
}

// follow collects the ways from the start and from after every position. ways[0] are the ways from the start.
// ways[n] are those from behind the character of position n.
func (p *program) follow(entry int32) {
	p.seen = make([]uint32, len(p.code)*int(demands))
	p.ways = make([][]edge, len(p.at))
	for from := range p.at {
		p.round++
		begin := len(p.edges)
		next := entry
		if from > 0 {
			next = p.code[p.at[from]].next
		}
		p.walk(next, 0, from == 0)
		if p.b.fault != nil {
			return
		}
		// Each slice has no room behind it. A slice of the list stays valid even if the list moves.
		p.ways[from] = p.edges[begin:len(p.edges):len(p.edges)]
	}
}

// walk follows the instructions that read nothing. A place after a character is not the beginning, and one
// before a character is not the end. No place is both a word boundary and not one. Ways with such demands lead
// nowhere. d is what the way has demanded so far, and start says that it begins at the start of the pattern.
// The stack replaces a recursion, whose depth the pattern would choose. seen ends loops of instructions that
// read nothing, as in (a*)*.
func (p *program) walk(at int32, d demand, start bool) {
	stack := []step{{at, d}}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if p.work++; p.work > maxWork || len(p.edges) > maxEdges {
			p.tooLarge()
			return
		}
		i := &p.code[s.at]
		if seen := &p.seen[int(s.at)*int(demands)+int(s.demand)]; *seen == p.round {
			continue
		} else {
			*seen = p.round
		}
		switch i.kind {
		case accept:
			p.edges = append(p.edges, edge{0, s.demand})
		case char:
			// A way that demanded the end of the text can read no more, as in $a.
			if s.demand&atEnd == 0 {
				p.edges = append(p.edges, edge{i.position, s.demand})
			}
		case check:
			d := s.demand | i.demand
			if d&atBegin != 0 && !start || d&atBoundary != 0 && d&notBoundary != 0 {
				continue
			}
			stack = append(stack, step{i.next, d})
		case fork:
			stack = append(stack, step{i.next, s.demand}, step{i.other, s.demand})
		}
	}
}

type step struct {
	at     int32
	demand demand
}
