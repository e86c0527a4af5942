package schema

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Note says that something in a schema was left out, or read otherwise than it stands. The answer loses nothing: every
// answer that Fill writes and Check takes fits the schema as it stands. The pointer names the value in the schema. The
// codes are:
//
//	default_null            a default of null beside a type without null
//	default_without_offset  a default that is a date-time or a time without the offset its format asks for
//	choice_repeated         a choice that was listed before, or a default that chooses one twice
//	bound_rounded           a bound of whole numbers with a fraction: keyword, value, and what is used in its place
type Note = elicit.Problem

// note keeps a note as long as a reader would still read it.
func (c *compiler) note(n Note) {
	if len(c.ignored) < maxProblems {
		c.ignored = append(c.ignored, n)
	}
}

// ignorable reports whether a default is left out with a note rather than judged. A strict profile leaves out none: the
// grammar has no null, and SEP-1034 asks for a default that is a valid answer.
func (c *compiler) ignorable(f *Field, n *node, raw []byte) bool {
	switch kind := kindOf(raw); {
	case c.strict():
	case kind == jsontext.KindNull:
		c.note(Note{Code: "default_null", Pointer: n.pointer(kwDefault)})
		return true
	case kind == jsontext.KindString && f.Kind == Text && lacksOffset(f.Limit.Format, text(raw)):
		c.note(Note{Code: "default_without_offset", Pointer: n.pointer(kwDefault),
			Args: []elicit.Arg{elicit.Str("format", f.Limit.Format.String())}})
		return true
	}
	return false
}

// lacksOffset reports whether only the offset is missing from a date-time or time. Python's datetime writes such values.
func lacksOffset(f Format, value string) bool {
	return (f == DateTime || f == Time) && !f.Matches([]byte(value)) && f.Matches([]byte(value+"Z"))
}
