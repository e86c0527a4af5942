package pattern

import (
	"strings"
	"unicode/utf8"
)

// parser reads a pattern by the grammar of ECMA-262, § 22.2.1, with the u flag. It stops at the first fault.
//
//	alternation = sequence *( "|" sequence )
//	sequence    = *term
//	term        = atom [ quantifier ]
//	quantifier  = ( "*" / "+" / "?" / "{n}" / "{n,}" / "{n,m}" ) [ "?" ]
//
// at is the position of the next character. The methods return indexes of nodes, and none after a fault. depth
// counts the open groups, because each costs a level of recursion.
type parser struct {
	text    string
	at      int
	nodes   []node
	classes classes
	fault   *Fault
}

// fail keeps the first fault. It moves to the end of the text, so that every loop of the parser ends. offset is
// where the faulty construct begins.
func (p *parser) fail(code, what string, offset int) {
	if p.fault == nil {
		p.fault = &Fault{code, what, offset}
		p.at = len(p.text)
	}
}

func (p *parser) more() bool { return p.at < len(p.text) }

// take consumes s if it comes next.
func (p *parser) take(s string) bool {
	if !strings.HasPrefix(p.text[p.at:], s) {
		return false
	}
	p.at += len(s)
	return true
}

// rune takes the next character. There must be one. JSON text is UTF-8, so it is never an invalid one.
func (p *parser) rune() rune {
	r, size := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += size
	return r
}

// alternation reads alternatives up to a closing parenthesis or the end.
func (p *parser) alternation(depth int) int32 {
	start := p.at
	if depth > maxDepth {
		p.fail(TooLarge, "", p.at)
		return none
	}
	// After a fault, sequence still returns a node, and take finds no further text. The loop then ends.
	first := p.sequence(depth)
	for last := first; p.take("|"); {
		branch := p.sequence(depth)
		p.nodes[last].next = branch
		last = branch
	}
	return p.bracket(opAlt, first, start)
}

// sequence reads terms one after the other. The caller may link the result into a list of alternatives, so it is never
// a node that is linked already.
func (p *parser) sequence(depth int) int32 {
	start, first, last := p.at, int32(none), int32(none)
	for p.more() && p.text[p.at] != '|' && p.text[p.at] != ')' {
		term := p.term(depth)
		if p.fault != nil {
			break
		}
		if first == none {
			first = term
		} else {
			p.nodes[last].next = term
		}
		last = term
	}
	return p.bracket(opCat, first, start)
}

// term reads an atom with its quantifier. A quantifier behind an anchor or a look-ahead is a fault: the u flag
// forbids ^* and (?=a)*.
func (p *parser) term(depth int) int32 {
	start := p.at
	atom, quantifiable := p.atom(depth)
	if p.fault != nil {
		return none
	}
	least, most, found := p.quantifier()
	switch {
	case p.fault != nil || !found:
		return atom
	case !quantifiable:
		p.fail(Invalid, "nothing_to_repeat", start)
		return none
	}
	return p.node(node{op: opRepeat, min: least, max: most, first: atom, offset: int32(start)})
}

// atom reads one term without its quantifier, and reports whether it may have one. A brace that begins no count
// is a character: a{x} matches the text a{x}. One that does is a quantifier without an atom.
func (p *parser) atom(depth int) (n int32, quantifiable bool) {
	start := p.at
	switch c := p.text[p.at]; c {
	case '^':
		p.at++
		return p.node(node{op: opBegin, first: none, offset: int32(start)}), false
	case '$':
		p.at++
		return p.node(node{op: opEnd, first: none, offset: int32(start)}), false
	case '(':
		p.at++
		return p.group(start, depth)
	case '.':
		p.at++
		return p.single(lineClass(), start), true
	case '[':
		p.at++
		return p.single(p.set(start), start), true
	case '\\':
		return p.escaped(start)
	case '*', '+', '?':
		p.fail(Invalid, "nothing_to_repeat", start)
		return none, false
	case '{':
		if _, _, found := p.counts(); found {
			p.fail(Invalid, "nothing_to_repeat", start)
			return none, false
		}
	}
	return p.single(runeClass(p.rune()), start), true
}

// single returns a node that matches one character of a class.
func (p *parser) single(c class, start int) int32 {
	if p.fault != nil {
		return none
	}
	i, ok := p.classes.add(c)
	if !ok {
		p.fail(TooLarge, "", start)
		return none
	}
	return p.node(node{op: opClass, class: i, first: none, offset: int32(start)})
}

// escaped reads an escape outside a class. start is the position of the backslash. A reference to what a group
// matched needs more memory than a set of positions, so no machine here can follow it.
func (p *parser) escaped(start int) (n int32, quantifiable bool) {
	p.at++
	if p.take("b") {
		return p.node(node{op: opBoundary, first: none, offset: int32(start)}), false
	}
	if p.take("B") {
		return p.node(node{op: opWithin, first: none, offset: int32(start)}), false
	}
	if p.more() && (p.text[p.at] >= '1' && p.text[p.at] <= '9' || p.text[p.at] == 'k') {
		p.fail(Unsupported, "back_reference", start)
		return none, false
	}
	c, _, _ := p.escape(start, false)
	return p.single(c, start), true
}

// group reads the text after an opening parenthesis, including the closing one. start is the position of the
// parenthesis, and p.at is behind it. (a), (?:a) and (?<n>a) are the same here.
func (p *parser) group(start, depth int) (n int32, quantifiable bool) {
	o := opEmpty
	switch {
	case !p.take("?"), p.take(":"):
	case p.take("="):
		o = opAhead
	case p.take("!"):
		o = opNotAhead
	// These come before the name of a group, which also begins with <.
	case p.take("<="), p.take("<!"):
		p.fail(Unsupported, "look_behind", start)
	case p.take("<"):
		p.name(start)
	default:
		p.flags(start)
	}
	if p.fault != nil {
		return none, false
	}
	inner := p.alternation(depth + 1)
	if p.fault != nil {
		return none, false
	}
	if !p.take(")") {
		p.fail(Invalid, "unclosed_group", start)
		return none, false
	}
	if o != opEmpty {
		return p.node(node{op: o, first: inner, offset: int32(start)}), false
	}
	return inner, true
}

// flags names the construct after "(?". Flags for a part of the pattern are in ECMA-262 but not supported.
func (p *parser) flags(start int) {
	rest := strings.TrimLeft(p.text[p.at:], "ims-")
	if p.at+len(rest) < len(p.text) && rest != "" && (rest[0] == ':' || rest[0] == ')') {
		p.fail(Unsupported, "inline_flags", start)
		return
	}
	p.fail(Invalid, "unknown_group", start)
}

// name reads the name of a group and the > behind it. Names are checked, so that a typing error is a fault, but
// not kept.
func (p *parser) name(start int) {
	for first := true; p.more(); first = false {
		if !first && p.take(">") {
			return
		}
		r, ok := p.rune(), true
		if r == '\\' {
			if ok = p.take("u"); ok {
				r, ok = p.unicode()
			}
		}
		if !ok || !isWord(r) && r != '$' && r < utf8.RuneSelf || first && r >= '0' && r <= '9' {
			break
		}
	}
	p.fail(Invalid, "bad_group_name", start)
}

// quantifier reads a quantifier, lazy or not. Both match the same texts. most is -1 without an upper count.
// found is false if the next text is something else.
func (p *parser) quantifier() (least, most int32, found bool) {
	if !p.more() {
		return 0, 0, false
	}
	start := p.at
	switch p.text[p.at] {
	case '*':
		least, most = 0, -1
		p.at++
	case '+':
		least, most = 1, -1
		p.at++
	case '?':
		least, most = 0, 1
		p.at++
	// Only a whole count is a quantifier, so the position is kept until one is read.
	case '{':
		if least, most, found = p.counts(); !found {
			return 0, 0, false
		}
	default:
		return 0, 0, false
	}
	if most >= 0 && least > most {
		p.fail(Invalid, "bad_repetition", start)
	}
	p.take("?")
	return least, most, true
}

// counts reads {n}, {n,} or {n,m}. Any other text leaves the brace as a character. p.at is at the brace, and
// stays there if nothing is found: {,3} and {a} are ordinary characters.
func (p *parser) counts() (least, most int32, found bool) {
	start := p.at
	p.at++
	least, found = p.count()
	most = least
	if found && p.take(",") {
		if most = -1; p.more() && p.text[p.at] != '}' {
			most, found = p.count()
		}
	}
	if found = found && p.take("}"); !found {
		p.at = start
	}
	return least, most, found
}

// largestCount replaces every larger count, because no text is that long. count keeps to a tenth of it, so that
// one more digit cannot overflow.
const largestCount = 1 << 28

// count reads digits. found is false if there are none.
func (p *parser) count() (n int32, found bool) {
	for p.more() && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		n = min(n*10+int32(p.text[p.at]-'0'), largestCount/10)
		found = true
		p.at++
	}
	return n, found
}
