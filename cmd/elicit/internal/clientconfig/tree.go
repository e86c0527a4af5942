package clientconfig

import "slices"

// kind is what a node holds.
type kind int

const (
	other kind = iota // a number, a truth value, nothing, or a text that cannot be changed in place
	text
	list
	table
)

// span is a range of bytes in a document.
type span struct{ start, end int }

// node is a value with its place in the document.
type node struct {
	kind kind
	text string // of a text; of any other scalar its source
	span
	block   bool // a list of YAML with an item a line
	items   []*node
	members []member
}

// member is one entry of a table, in the order of the document.
type member struct {
	key    string
	at     int    // offset of the key
	prefix string // of TOML: what stands before the last part of a dotted key, "a.b." of a.b.c
	line   bool   // the member has a line of its own, which ends with the value, spaces or a comment
	value  *node
}

// get returns the last member of a name, or nil. Readers differ about a name that is there twice; [duplicate] finds it.
func (n *node) get(key string) *member {
	if n == nil || n.kind != table {
		return nil
	}
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].key == key {
			return &n.members[i]
		}
	}
	return nil
}

// index returns the place of the first member of a name, or -1.
func (n *node) index(key string) int {
	return slices.IndexFunc(n.members, func(m member) bool { return m.key == key })
}

// textOf returns the text of a member, or "".
func (n *node) textOf(key string) string {
	if m := n.get(key); m != nil && m.value.kind == text {
		return m.value.text
	}
	return ""
}

// duplicate returns a member whose name an earlier one has, or nil.
func (n *node) duplicate() *member {
	seen := map[string]bool{}
	for i, m := range n.members {
		if seen[m.key] {
			return &n.members[i]
		}
		seen[m.key] = true
	}
	return nil
}

// same reports whether two values are equal, wherever they stand. The members of a table may be in another order.
func same(a, b *node) bool {
	if a.kind != b.kind || a.text != b.text || !slices.EqualFunc(a.items, b.items, same) ||
		len(a.members) != len(b.members) {
		return false
	}
	for i := range a.members {
		m, n := &a.members[i], &b.members[i]
		if m.key != n.key {
			if n = b.get(m.key); n == nil || a.duplicate() != nil {
				return false
			}
		}
		if !same(m.value, n.value) {
			return false
		}
	}
	return true
}
