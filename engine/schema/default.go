package schema

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// initial takes the default over if it is a valid answer (SEP-1034: a default is a valid value). If a union with null
// was folded away, a default of null means no default.
func (c *compiler) initial(f *Field, n *node) {
	if !n.has.has(kwDefault) {
		return
	}
	raw := n.raw[kwDefault]
	if n.nullable && kindOf(raw) == jsontext.KindNull || c.ignorable(f, n, raw) {
		return
	}
	before := len(c.problems)
	fits := c.judge(f, n.from[kwDefault], kwDefault, raw)
	if !fits && !c.strict() { // what a server suggests is not worth the question
		// The problems of the default become one note, so that the form keeps the question and the author
		// learns what is wrong. The first problem is enough to find the mistake.
		first := c.problems[before]
		c.note(Note{Code: "default_dropped", Pointer: n.pointer(kwDefault),
			Args: append([]elicit.Arg{elicit.Str("problem", first.Code)}, first.Args...)})
		c.problems = c.problems[:before]
	}
	if fits {
		// Initial is what Fill writes if the answer lacks the field. It must therefore be canonical already,
		// and be what Fill would make of it: 1 for a default of 1.0 among choices of numbers. raw is kept as it
		// is where that is the case, because the compiler's copy lives as long as the form.
		switch f.Initial = raw; {
		case f.Numeric:
			f.Initial = f.appendValue(nil, raw)
		case f.Kind == ManyChoices:
			f.Initial = f.appendDistinct(nil, raw)
			if count(f.Initial) < count(raw) {
				c.note(Note{Code: "choice_repeated", Pointer: n.pointer(kwDefault)})
			}
		case !jsontext.IsCanonical(raw):
			f.Initial = jsontext.AppendValue(nil, raw)
		}
		f.Provenance = FromDefault
	}
}

// judge checks one value of the schema itself against a field. The value is that of a keyword of an object, or
// one that takes its place. It uses the checker of answers, so a default, a choice and an answer can never be
// judged by different rules. With kwNone, the problems point at the object itself: a choice that breaks
// maxLength is a fault of the property.
//
// judge takes the compiler's scanner. No walk may be open when it is called.
func (c *compiler) judge(f *Field, at spot, under keyword, raw []byte) bool {
	k := checker{maxText: c.lim.Text, base: at, under: under, bare: true}
	s := &c.walk
	c.open(s, raw)
	k.value(s, f)
	for i := range k.problems {
		c.add(k.problems[i].Problem)
	}
	if fault := s.Fault(); fault != nil { // unreachable after the gate, but never ignore a fault
		c.add(elicit.FromFault(fault))
	}
	return len(k.problems) == 0
}
