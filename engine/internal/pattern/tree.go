package pattern

// node is one part of a parsed pattern. Nodes refer to each other by index in the parser's list. The parts of a
// node are a list: first, then the next of each. A node is therefore in at most one list.
//
//	a|b{2,}   opAlt: opClass a, opRepeat 2 to -1 of opClass b
//	^(?:ab)?  opCat: opBegin, opRepeat 0 to 1 of opCat of opClass a, opClass b
//
// A capturing group has no node of its own, because nobody asks what it captured.
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

// op says what a node matches. opEmpty to opWithin are leaves. opCat needs all of its parts in a row, opAlt
// needs one of them, and the last three have exactly one part.
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

// node adds a node without a successor and returns its index. Pointers to nodes are not kept over this call,
// which may move the list.
func (p *parser) node(n node) int32 {
	n.next = none
	p.nodes = append(p.nodes, n)
	return int32(len(p.nodes) - 1)
}

// bracket makes a node of a list of parts, or returns the only part itself. offset is where the construct
// begins in the text. An empty list is opEmpty, which matches the empty text.
func (p *parser) bracket(o op, first int32, offset int) int32 {
	if first == none {
		return p.node(node{op: opEmpty, first: none, offset: int32(offset)})
	}
	if p.nodes[first].next == none {
		return first
	}
	return p.node(node{op: o, first: first, offset: int32(offset)})
}
