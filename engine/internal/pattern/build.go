package pattern

// builder chooses a machine for each part of a parsed pattern. fault is the first one, and stops all later
// work. size is the sum over the machines built so far.
type builder struct {
	tree  *parser
	fault *Fault
	size  int
}

// pattern removes the look-aheads at the start of each alternative, because there they are conditions on the same text.
// The alternatives without look-aheads stay together in one machine.
func (b *builder) pattern(root int32) (*Pattern, *Fault) {
	p := &Pattern{}
	if !b.looksAhead() {
		p.either = []all{{{machine: b.machine(root)}}}
	} else {
		b.alternatives(p, root)
	}
	if b.fault != nil {
		return nil, b.fault
	}
	p.size = b.size
	return p, nil
}

// looksAhead reports whether the pattern has a look-ahead anywhere.
func (b *builder) looksAhead() bool {
	for i := range b.tree.nodes {
		if o := b.tree.nodes[i].op; o == opAhead || o == opNotAhead {
			return true
		}
	}
	return false
}

// alternatives builds a conjunction for each alternative at the top. A branch is cut out of its list first,
// since its own next would read as the part behind it.
func (b *builder) alternatives(p *Pattern, root int32) {
	nodes := b.tree.nodes
	branch, next := root, int32(none)
	if nodes[root].op == opAlt {
		branch = nodes[root].first
	}
	for ; branch != none && b.fault == nil; branch = next {
		next = nodes[branch].next
		nodes[branch].next = none
		p.either = append(p.either, b.conjunction(branch))
		nodes = b.tree.nodes
	}
}

// conjunction turns ^(?=A)(?!B)C into: ^A matches, ^B does not match, ^C matches. The look-aheads must be at
// the beginning of the text, where one search from the beginning decides each. Inside a search for a match,
// they would ask about every place. (?=a)b without an anchor and ^a(?!b) are therefore refused. The ^ may
// also come behind them: (?=a)^b.
//
// Every condition runs over the whole text once, so n look-aheads cost n passes.
func (b *builder) conjunction(branch int32) (conditions all) {
	part := branch
	if b.tree.nodes[branch].op == opCat {
		part = b.tree.nodes[branch].first
	}
	anchored := false
	for ; part != none; part = b.tree.nodes[part].next {
		n := b.tree.nodes[part]
		if n.op == opBegin {
			anchored = true
			continue
		}
		if n.op != opAhead && n.op != opNotAhead {
			break
		}
		if !anchored && !b.anchorFollows(n.next) {
			b.refuse(n)
			return nil
		}
		conditions = append(conditions, condition{b.machine(b.fromBegin(n.first)), n.op == opNotAhead})
	}
	if !anchored {
		return append(conditions, condition{machine: b.machine(branch)})
	}
	rest := b.tree.node(node{op: opCat, first: part})
	// The pattern is ^(?=A) alone: nothing is left but the conditions, or the empty text after a bare ^.
	if part == none {
		b.tree.nodes[rest].op = opEmpty
		if len(conditions) > 0 {
			return conditions
		}
	}
	return append(conditions, condition{machine: b.machine(b.fromBegin(rest))})
}

// anchorFollows reports whether only look-aheads come before a ^.
func (b *builder) anchorFollows(part int32) bool {
	for ; part != none; part = b.tree.nodes[part].next {
		switch b.tree.nodes[part].op {
		case opBegin:
			return true
		case opAhead, opNotAhead:
		default:
			return false
		}
	}
	return false
}

// fromBegin returns a node for ^ and then n. n must not be in a list yet.
func (b *builder) fromBegin(n int32) int32 {
	begin := b.tree.node(node{op: opBegin, first: none})
	b.tree.nodes[begin].next = n
	return b.tree.node(node{op: opCat, first: begin})
}

// ahead finds the first look-ahead in a tree. It returns none if there is no look-ahead.
func (b *builder) ahead(n int32) int32 {
	nd := b.tree.nodes[n]
	if nd.op == opAhead || nd.op == opNotAhead {
		return n
	}
	for part := nd.first; part != none; part = b.tree.nodes[part].next {
		if found := b.ahead(part); found != none {
			return found
		}
	}
	return none
}

// refuse keeps the fault of a look-ahead where no machine can have one.
func (b *builder) refuse(n node) {
	if b.fault != nil {
		return
	}
	what := "look_ahead"
	if n.op == opNotAhead {
		what = "negative_look_ahead"
	}
	b.fault = &Fault{Unsupported, what, int(n.offset)}
}

// machine builds the fastest machine that fits. A chain is tried first. The tree is not changed by a failed
// attempt.
func (b *builder) machine(root int32) machine {
	if b.fault != nil {
		return machine{}
	}
	if chains, ok := b.chains(root); ok {
		return machine{chains: chains}
	}
	return b.program(root)
}
