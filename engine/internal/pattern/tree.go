package pattern

// node is one part of a parsed pattern. Nodes refer to each other by index in the parser's list.
type node struct {
	op       op
	class    uint16 // of opClass
	min, max int32  // of opRepeat; max -1 is no end
	offset   int32
	first    int32 // first part, or none
	next     int32 // the part after this one, or none
}

// none is no node.
const none = -1

type op uint8

const (
	opEmpty    op = iota
	opClass       // one character
	opBegin       // ^
	opEnd         // $
	opBoundary    // \b
	opWithin      // \B
	opCat
	opAlt
	opRepeat
	opAhead    // (?=
	opNotAhead // (?!
)

func (p *parser) node(n node) int32 {
	n.next = none
	p.nodes = append(p.nodes, n)
	return int32(len(p.nodes) - 1)
}

// bracket makes a node of a list of parts, or returns the only part itself.
func (p *parser) bracket(o op, first int32, offset int) int32 {
	if first == none {
		return p.node(node{op: opEmpty, first: none, offset: int32(offset)})
	}
	if p.nodes[first].next == none {
		return first
	}
	return p.node(node{op: o, first: first, offset: int32(offset)})
}
