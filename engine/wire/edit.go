package wire

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/order"
)

// Edit replaces text[Start:End] by With. An empty range inserts. Editing spans, and not writing values anew, keeps
// unknown members, number spellings and white space of a forwarded message as the sender wrote them.
type Edit struct {
	Start, End int
	With       []byte
}

// Apply appends text with the edits applied. Edits must not overlap. Edits at the same place apply in the given order.
//
// It sorts edits in place. The result never shares memory with text.
func Apply(dst, text []byte, edits []Edit) []byte {
	order.Stable(edits, func(a, b Edit) int { return a.Start - b.Start })
	at := 0
	for _, e := range edits {
		dst = append(dst, text[at:e.Start]...)
		dst = append(dst, e.With...)
		at = e.End
	}
	return append(dst, text[at:]...)
}

// Exchange appends edits that remove the named members from o and insert members after those that stay. members is the
// text of members without braces, and may be empty.
//
// The commas are right for every choice of cut: a member goes with the comma before it, or with the one after it if
// nothing before it stays. Example: cutting "a" and "c" from {"a":1, "b":2, "c":3} leaves {"b":2}.
func (o Object) Exchange(edits []Edit, members []byte, cut ...string) []Edit {
	at, comma := o.Open+1, "" // where an insertion goes
	for _, m := range o.Members {
		if !slices.Contains(cut, m.Name) {
			at, comma = m.End, ","
		}
	}
	if len(members) > 0 {
		edits = append(edits, Edit{at, at, append([]byte(comma), members...)})
	}
	stays := false
	for i, m := range o.Members {
		switch {
		case !slices.Contains(cut, m.Name):
			stays = true
		case stays:
			edits = append(edits, Edit{Start: o.Members[i-1].End, End: m.End})
		case i+1 < len(o.Members):
			edits = append(edits, Edit{Start: m.Start, End: o.Members[i+1].Start})
		default:
			edits = append(edits, Edit{Start: m.Start, End: m.End})
		}
	}
	return edits
}

// Set appends text, an object, with the member at path set to value. All other bytes stay. Set creates missing objects
// on the path. An existing member stays unless replace is true. If something on the path is not an object, Set returns
// false and appends text unchanged.
//
// Example: Set of true at a, b in {"x":1} gives {"x":1,"a":{"b":true}}.
func Set(dst, text, value []byte, replace bool, path ...string) ([]byte, bool) {
	o, ok := ReadObject(text)
	for depth, name := range path {
		if !ok {
			return append(dst, text...), false
		}
		m, found := o.Find(name)
		switch {
		case !found:
			return Apply(dst, text, o.Exchange(nil, nested(path[depth:], value))), true
		case depth == len(path)-1 && replace:
			return Apply(dst, text, []Edit{{m.Value, m.End, value}}), true
		}
		o, ok = o.Child(name)
	}
	return append(dst, text...), true
}

// nested returns the text of one member at path, with the objects around it.
func nested(path []string, value []byte) []byte {
	var dst []byte
	for i, name := range path {
		if i > 0 {
			dst = append(dst, '{')
		}
		dst = append(jsontext.AppendString(dst, name), ':')
	}
	dst = append(dst, value...)
	for range path[1:] {
		dst = append(dst, '}')
	}
	return dst
}
