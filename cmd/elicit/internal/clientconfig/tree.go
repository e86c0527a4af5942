package clientconfig

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

// plain is the value without places, to compare two documents. A table that has a name twice keeps both values.
func (n *node) plain() any {
	switch n.kind {
	case list:
		all := make([]any, len(n.items))
		for i, item := range n.items {
			all[i] = item.plain()
		}
		return all
	case table:
		all := make(map[string][]any, len(n.members))
		for _, m := range n.members {
			all[m.key] = append(all[m.key], m.value.plain())
		}
		return all
	}
	return [2]any{n.kind, n.text}
}
