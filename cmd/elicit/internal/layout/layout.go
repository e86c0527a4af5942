// Package layout spells a policy file the one canonical way: members in their documented order, two spaces a level,
// what is short on one line. Nothing is dropped, nothing is added, and spelling a spelt file changes nothing.
package layout

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/policy"
)

// width is the longest line, in characters, that a value may be kept on whole.
const width = 100

// Policy lays out a policy file that policy.Parse has no problems with. Members it does not know keep their order
// after those it knows. The result ends with a line feed.
func Policy(doc []byte) []byte {
	var w writer
	w.value(gjson.ParseBytes(doc), "", 0)
	return append(w.out, '\n')
}

type writer struct{ out []byte }

// value writes one value at a depth; pointer says where in the file it stands, without list positions and own names. The file, the
// list of rules and each rule are always spread over lines, so that a change of one member is a change of one line.
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

// column is how many characters stand on the present line.
func (w *writer) column() int {
	return utf8.RuneCount(w.out[bytes.LastIndexByte(w.out, '\n')+1:])
}

// inline spells a value on one line.
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

// scalar spells strings the shortest way JSON allows and leaves everything else as it was written.
func scalar(v gjson.Result) string {
	if v.Type == gjson.String {
		return elicit.Str("", v.String()).Raw
	}
	return v.Raw
}

// below points at a member. The names of servers and tools are their owner's, and could be those of keys.
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

// members lists what an object or a list holds, in canonical order.
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
