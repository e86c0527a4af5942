package wire

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/order"
)

// Edit replaces text[Start:End] by With; an empty range inserts. Editing spans instead of writing values anew is what
// keeps unknown members, spellings of numbers and white space of a passed-on message as their sender wrote them.
type Edit struct {
	Start, End int
	With       []byte
}

// Apply appends text with edits applied. Edits must not overlap; those that start at one place apply in the order given.
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

// Exchange appends the edits that cut the named members out of o and put members (the text of members without braces,
// may be empty) behind those that stay.
func (o Object) Exchange(edits []Edit, members []byte, cut ...string) []Edit {
	last := -1 // the last member that stays
	for i, m := range o.Members {
		if !slices.Contains(cut, m.Name) {
			last = i
		}
	}
	if len(members) > 0 {
		edits = append(edits, o.insertion(last, members))
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

func (o Object) insertion(last int, members []byte) Edit {
	if last < 0 {
		return Edit{o.Open + 1, o.Open + 1, members}
	}
	at := o.Members[last].End
	return Edit{at, at, append([]byte{','}, members...)}
}

// Set appends text, an object, with the member at path set to value and every other byte as it was. Objects missing on
// the way are made. A member that is already there stays unless replace is given. False, with text unchanged, when
// something on the way is not an object.
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

// nested is the text of one member at path, with the objects around it.
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
