package lint

import (
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// node is a value of the document with its position. Package schema needs no positions, but an editor does. keys and
// children of an object have the same places; an array has children alone. A node of the whole document has no parent.
// All methods work on nil, which stands for a value that is not there.
type node struct {
	kind       jsontext.Kind
	start, end int
	raw        []byte // aliases the document
	parent     *node
	index      int // among the parent's children
	keys       []key
	children   []*node // members or elements
}

// key is the name of a member and its position, quotes included.
type key struct {
	name       string
	start, end int
}

// parse passes a document through the gate and returns its tree. After the gate, no fault can occur while the tree
// grows, but for a limit of the scanner.
func parse(doc []byte, lim jsontext.Limits) (*node, *jsontext.Fault) {
	if f := jsontext.Check(doc, lim); f != nil {
		return nil, f
	}
	var s jsontext.Scanner
	s.Reset(doc, lim)
	return grow(&s, doc, nil, 0), s.Fault()
}

// grow reads one value. The limits of s bound its depth.
func grow(s *jsontext.Scanner, doc []byte, parent *node, index int) *node {
	n := &node{kind: s.Peek(), start: s.Offset(), parent: parent, index: index}
	switch n.kind {
	case jsontext.KindObject:
		for s.Enter(); s.More(); {
			k := key{start: s.Offset()}
			k.name = s.Key().String()
			// The scanner gives the decoded name, and the edit needs its place in the document.
			k.end = k.start + keyLength(doc[k.start:])
			n.keys = append(n.keys, k)
			n.children = append(n.children, grow(s, doc, n, len(n.children)))
		}
	case jsontext.KindArray:
		for s.Enter(); s.More(); {
			n.children = append(n.children, grow(s, doc, n, len(n.children)))
		}
	default:
		s.Skip()
	}
	n.end = s.Offset()
	n.raw = doc[n.start:n.end]
	return n
}

// keyLength returns the length of the string that doc begins with.
func keyLength(doc []byte) int {
	for i := 1; i < len(doc); i++ {
		switch doc[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(doc)
}

// member returns the value under a name, or nil. n may be nil or any value.
func (n *node) member(name string) *node {
	if n == nil || n.kind != jsontext.KindObject {
		return nil
	}
	for i := range n.keys {
		if n.keys[i].name == name {
			return n.children[i]
		}
	}
	return nil
}

// elements returns the elements of an array, and nil for any other value.
func (n *node) elements() []*node {
	if n == nil || n.kind != jsontext.KindArray {
		return nil
	}
	return n.children
}

// text returns a decoded string. It returns false if n is no string.
func (n *node) text() (string, bool) {
	if n == nil || n.kind != jsontext.KindString {
		return "", false
	}
	var s jsontext.Scanner
	s.Reset(n.raw, limits)
	return s.Text().String(), true
}

// is reports whether n is the string v.
func (n *node) is(v string) bool {
	s, ok := n.text()
	return ok && s == v
}

func (n *node) pointer() string { return string(n.appendPointer(nil)) }

func (n *node) appendPointer(dst []byte) []byte {
	if n.parent == nil {
		return dst
	}
	dst = n.parent.appendPointer(dst)
	if n.parent.kind == jsontext.KindArray {
		return strconv.AppendInt(append(dst, '/'), int64(n.index), 10)
	}
	return jsontext.AppendToken(dst, n.parent.keys[n.index].name)
}

// at returns the node that a pointer below n names. If it is missing, at returns the innermost node on the way. A place
// near the problem is better for an author than none.
func (n *node) at(pointer string) *node {
	for len(pointer) > 0 {
		token, rest, more := strings.Cut(pointer[1:], "/")
		next := n.child(unescape(token))
		if next == nil {
			return n
		}
		if n, pointer = next, ""; more {
			pointer = "/" + rest
		}
	}
	return n
}

// child is the member or the element that a reference token names, or nil.
func (n *node) child(token string) *node {
	if n.kind == jsontext.KindObject {
		return n.member(token)
	}
	i, err := strconv.Atoi(token)
	// RFC 6901 section 4: "01" is no index.
	if err != nil || i < 0 || i >= len(n.children) || strconv.Itoa(i) != token {
		return nil
	}
	return n.children[i]
}

// unescape decodes a reference token (RFC 6901, section 4).
func unescape(token string) string {
	if !strings.Contains(token, "~") {
		return token
	}
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}
