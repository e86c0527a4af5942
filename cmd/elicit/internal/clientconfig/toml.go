package clientconfig

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlFormat reads TOML.
type tomlFormat struct{}

func (tomlFormat) parse(doc []byte) (*node, error) {
	var whole map[string]any // reads all rules, such as no name twice
	if err := toml.Unmarshal(doc, &whole); err != nil {
		var where *toml.DecodeError
		if errors.As(err, &where) {
			line, column := where.Position()
			return nil, &Problem{Line: line, Column: column, Text: "this is not TOML: " + plainTOML(where.Error())}
		}
		return nil, &Problem{Text: "this is not TOML: " + plainTOML(err.Error())}
	}
	r := &tomlTree{doc: doc, root: &node{kind: table}}
	here := r.root
	r.parser.Reset(doc)
	for r.parser.NextExpression() {
		switch e := r.parser.Expression(); e.Kind {
		case unstable.Table:
			here = r.descend(r.root, e.Key())
		case unstable.ArrayTable:
			// Servers are never in a list of tables. Its values are kept apart, so that they change nothing else.
			in := r.descend(r.root, e.Key())
			here = &node{kind: table}
			in.members = append(in.members, member{key: fmt.Sprint(len(in.members)), value: here})
		case unstable.KeyValue:
			r.keyValue(here, e, true)
		}
	}
	if err := r.parser.Error(); err != nil {
		return nil, &Problem{Text: "this is not TOML: " + plainTOML(err.Error())}
	}
	return r.root, nil
}

func plainTOML(message string) string { return strings.TrimPrefix(message, "toml: ") }

type tomlTree struct {
	doc    []byte
	parser unstable.Parser
	root   *node
}

// descend returns the table that a key names, below from. It makes what is missing.
func (r *tomlTree) descend(from *node, key unstable.Iterator) *node {
	for key.Next() {
		name := string(key.Node().Data)
		m := from.get(name)
		if m == nil || m.value.kind != table {
			from.members = append(from.members, member{key: name, at: int(key.Node().Raw.Offset),
				value: &node{kind: table}})
			m = &from.members[len(from.members)-1]
		}
		from = m.value
	}
	return from
}

// keyValue adds the value of an expression, with the tables of a dotted key.
func (r *tomlTree) keyValue(to *node, e *unstable.Node, line bool) {
	var parts []*unstable.Node
	for key := e.Key(); key.Next(); {
		parts = append(parts, key.Node())
	}
	first, last := parts[0], parts[len(parts)-1]
	for _, part := range parts[:len(parts)-1] {
		name := string(part.Data)
		if to.get(name) == nil {
			to.members = append(to.members, member{key: name, at: int(part.Raw.Offset), value: &node{kind: table}})
		}
		to = to.get(name).value
	}
	start := int(last.Raw.Offset + last.Raw.Length)
	for start < len(r.doc) && strings.IndexByte(" \t=", r.doc[start]) >= 0 {
		start++
	}
	place := span{start, int(e.Raw.Offset + e.Raw.Length)}
	to.members = append(to.members, member{key: string(last.Data), at: int(first.Raw.Offset), line: line,
		prefix: string(r.doc[first.Raw.Offset:last.Raw.Offset]), value: r.value(e.Value(), place)})
}

func (r *tomlTree) value(v *unstable.Node, place span) *node {
	n := &node{span: place}
	switch v.Kind {
	case unstable.String:
		n.kind, n.text = text, string(v.Data)
	case unstable.Array:
		n.kind = list
		for it := v.Children(); it.Next(); {
			item := it.Node()
			raw := span{int(item.Raw.Offset), int(item.Raw.Offset + item.Raw.Length)} // lists have none
			n.items = append(n.items, r.value(item, raw))
		}
	case unstable.InlineTable:
		n.kind = table
		for it := v.Children(); it.Next(); {
			r.keyValue(n, it.Node(), false)
		}
	default:
		n.text = string(v.Data)
	}
	return n
}

// quote writes a basic string. TOML has the escapes of JSON, and wants one for DEL too.
func (tomlFormat) quote(s string) string { return strings.ReplaceAll(oneLineJSON(s), "\x7f", `\u007F`) }
