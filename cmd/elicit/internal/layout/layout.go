// Package layout gives a policy file its canonical layout: members in their documented order, two spaces for each
// level, and short values on one line. The content stays the same, and a file in this layout does not change.
//
//	text := layout.Policy([]byte(`{"version":1}`))
package layout

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// width is the most characters of a line that holds a whole list or object.
const width = 100

// Policy returns a policy file in its canonical layout. policy.Parse must have no problem with doc. Unknown members
// follow the known ones, in their own order. The result ends with a line feed.
func Policy(doc []byte) []byte {
	var w writer
	w.value(gjson.ParseBytes(doc), "", 0)
	return append(w.out, '\n')
}

type writer struct{ out []byte }

// value writes one value at a depth. pointer is its place in the file, with "*" for the names of servers and tools and
// without positions in lists. The file, the list of rules and each rule always have a line for each member, so that a
// change of one member changes one line.
func (w *writer) value(v gjson.Result, pointer string, depth int) {
	if !v.IsObject() && !v.IsArray() {
		w.out = append(w.out, scalar(v)...)
		return
	}
	brief := inline(v, pointer)
	spread := pointer == "" || pointer == "/rules" || pointer == "/servers"
	if len(brief) == 2 || !spread && w.column()+utf8.RuneCount(brief)+len(",") <= width {
		w.out = append(w.out, brief...)
		return
	}
	ends := "{}"
	if v.IsArray() {
		ends = "[]"
	}
	w.out = append(w.out, ends[0])
	for i, m := range members(v, pointer) {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.line(depth + 1)
		if v.IsObject() {
			w.out = append(append(w.out, scalar(m.key)...), ": "...)
		}
		w.value(m.value, m.pointer, depth+1)
	}
	w.line(depth)
	w.out = append(w.out, ends[1])
}

func (w *writer) line(depth int) {
	w.out = append(w.out, '\n')
	w.out = append(w.out, bytes.Repeat([]byte("  "), depth)...)
}

// column returns the number of characters on the current line.
func (w *writer) column() int {
	return utf8.RuneCount(w.out[bytes.LastIndexByte(w.out, '\n')+1:])
}

// inline returns a value on one line.
func inline(v gjson.Result, pointer string) []byte {
	if !v.IsObject() && !v.IsArray() {
		return []byte(scalar(v))
	}
	out := []byte{'['}
	if v.IsObject() {
		out[0] = '{'
	}
	for i, m := range members(v, pointer) {
		if i > 0 {
			out = append(out, ", "...)
		}
		if v.IsObject() {
			out = append(append(out, scalar(m.key)...), ": "...)
		}
		out = append(out, inline(m.value, m.pointer)...)
	}
	if v.IsObject() {
		return append(out, '}')
	}
	return append(out, ']')
}

// scalar writes a string in the shortest form that JSON allows, and leaves every other value as it is.
func scalar(v gjson.Result) string {
	if v.Type == gjson.String {
		return elicit.Str("", v.String()).Raw
	}
	return v.Raw
}

// below returns the pointer of a member. It writes "*" for the names of servers and tools, because such a name may be
// equal to a key of the policy.
func below(pointer, key string) string {
	if pointer == "/servers" || pointer == "/servers/*/tools" {
		return pointer + "/*"
	}
	return pointer + "/" + key
}

type member struct {
	key, value gjson.Result
	pointer    string
}

// members lists the members of an object or the elements of a list, in canonical order.
func members(v gjson.Result, pointer string) (list []member) {
	v.ForEach(func(k, e gjson.Result) bool {
		if v.IsArray() {
			list = append(list, member{value: e, pointer: pointer})
		} else {
			list = append(list, member{k, e, below(pointer, k.String())})
		}
		return true
	})
	if v.IsObject() {
		order := policy.Keys(pointer)
		place := func(m member) int {
			if at := slices.Index(order, m.key.String()); at >= 0 {
				return at
			}
			return len(order)
		}
		slices.SortStableFunc(list, func(a, b member) int { return place(a) - place(b) })
	}
	return list
}
