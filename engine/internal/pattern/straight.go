package pattern

// straight holds everything of a pattern that is one chain, in one allocation as long as there is room. The
// embedded Pattern points into its other members, so a straight must not be copied.
type straight struct {
	Pattern
	either     [1]all
	conditions [1]condition
	chains     chains
	list       [1]chain
	runs       [8]run
	classes    [4]class
}

// compileStraight reads a pattern that is one sequence of repeated characters and classes with anchors at its
// ends, as most are. It builds no tree. It returns nil if the pattern is not so simple, or is invalid.
// ^[a-z0-9-]{1,63}$ and \d{3} are straight. (a), a|b and a\b are not. A nil for an invalid pattern loses
// nothing: the parser reads it again and finds the fault.
func compileStraight(text string) *Pattern {
	s := &straight{}
	p := parser{text: text}
	p.classes.list = s.classes[:0]
	c := &s.list[0]
	c.runs, c.begin = s.runs[:0], p.take("^")
	for p.more() {
		if p.take("$") {
			c.end = true
			break
		}
		class, ok := p.plainAtom()
		if !ok {
			return nil
		}
		index, ok := p.classes.add(class)
		least, most, found := p.quantifier()
		if !found {
			least, most = 1, 1
		}
		// a{0} is the empty text and no run. The parser drops it.
		if !ok || p.fault != nil || most == 0 || len(c.runs) == maxRuns/maxChains*2 {
			return nil
		}
		c.push(run{index, least, most})
	}
	length, ok := c.settle(p.classes.list)
	if !ok || length > MaxPositions || p.more() {
		return nil
	}
	s.chains = chains{s.list[:], p.classes.list}
	s.conditions[0].chains = &s.chains
	s.either[0] = s.conditions[:]
	s.Pattern = Pattern{either: s.either[:], size: max(len(c.runs), int(length))}
	return &s.Pattern
}

// plainAtom reads one character or class. ok is false if the next text may be something else. A faulty escape
// or class makes ok false as well, and p.fault is then set.
func (p *parser) plainAtom() (c class, ok bool) {
	start := p.at
	switch b := p.text[p.at]; b {
	case '^', '(', ')', '|', '*', '+', '?', '{', '}', ']':
		return class{}, false
	case '.':
		p.at++
		return lineClass(), true
	case '[':
		p.at++
		c = p.set(start)
	case '\\':
		if p.at++; !p.more() {
			return class{}, false
		}
		switch e := p.text[p.at]; {
		case e == 'b', e == 'B', e == 'k', e >= '1' && e <= '9':
			return class{}, false
		}
		c, _, _ = p.escape(start, false)
	default:
		c = runeClass(p.rune())
	}
	return c, p.fault == nil
}
