package lint

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// replace replaces a value by text.
func (n *node) replace(text string) Edit { return Edit{n.start, n.end, text} }

// quoted replaces a value by a string.
func (n *node) quoted(s string) Edit { return n.replace(quote(s)) }

func quote(s string) string { return string(jsontext.AppendString(nil, s)) }

// insert puts a member before the others of an object. The new member stands first, so no comma at the end of a line
// can be missed.
func (n *node) insert(name, value string) Edit {
	text := quote(name) + ": " + value
	if len(n.children) > 0 {
		text += ", "
	}
	return Edit{n.start + 1, n.start + 1, text}
}

// remove removes a value from its object or array, with the comma that belongs to it. Of {"a": 1, "b": 2}, removing a
// leaves {"b": 2} and removing b leaves {"a": 1}: the comma behind goes, or the one in front for the last element.
func (n *node) remove() Edit {
	p := n.parent
	start := func(i int) int {
		if p.kind == jsontext.KindObject {
			return p.keys[i].start
		}
		return p.children[i].start
	}
	switch {
	case n.index+1 < len(p.children):
		return Edit{Start: start(n.index), End: start(n.index + 1)}
	case n.index > 0:
		return Edit{Start: p.children[n.index-1].end, End: n.end}
	}
	return Edit{Start: start(n.index), End: n.end}
}

// swap replaces a whole member, name and value. n is a member of an object, so its name stands before it.
func (n *node) swap(name, value string) Edit {
	return Edit{n.parent.keys[n.index].start, n.end, quote(name) + ": " + value}
}

// Apply makes the edits of one finding. It leaves out edits that do not fit doc or overlap another edit. The result is
// a new slice, and doc stays as it is. Two insertions at one place both count, and the first in the list stands behind
// the second. The cost is the square of the number of edits, of which a finding has few.
func Apply(doc []byte, edits []Edit) []byte {
	out := append([]byte(nil), doc...)
	before := len(doc)
	for done := map[int]bool{}; len(done) < len(edits); {
		last := -1
		for i, e := range edits { // the last edit first, so that the positions of the others stay correct
			if !done[i] && (last < 0 || e.Start > edits[last].Start) {
				last = i
			}
		}
		done[last] = true
		e := edits[last]
		// before is the beginning of the last edit that was made, so an edit that overlaps it ends behind it.
		if e.Start < 0 || e.End < e.Start || e.End > before {
			continue
		}
		out = append(out[:e.Start:e.Start], append([]byte(e.Text), out[e.End:]...)...)
		before = e.Start
	}
	return out
}
