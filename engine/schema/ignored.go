package schema

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Note says that something in a schema was left out, or was read differently from its text. The answer loses nothing:
// every answer that Fill writes and Check accepts is valid for the original schema. The pointer names the value in the
// schema. The codes are:
//
//	default_null            a default of null beside a type without null
//	default_without_offset  a default that is a date-time or a time without the offset that its format requires
//	default_dropped         any other default that is no valid answer: its first problem, and the values of that
//	field_unanswerable      an optional field that no answer fits, by its bounds: keyword, value, other, limit
//	choice_repeated         a choice that was listed before, or a default that selects one twice
//	bound_rounded           a fractional bound of whole numbers: keyword, value, and the bound used instead
type Note = elicit.Problem

// note keeps a note, up to the most that are kept. As with problems, the number of notes must not grow with a
// hostile schema.
func (c *compiler) note(n Note) {
	if len(c.ignored) < maxProblems {
		c.ignored = append(c.ignored, n)
	}
}

// ignorable reports whether a default is left out with a note instead of being checked. Two kinds of values are
// mistakes with one clear meaning. One is null as the default of an optional string, and one is
// "2026-01-02T03:04:05" as that of a date-time. A strict profile leaves out none: the grammar has no null, and
// SEP-1034 asks for a default that is a valid answer.
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

// lacksOffset reports whether a date-time or time lacks only its offset. Python's datetime writes such values.
func lacksOffset(f Format, value string) bool {
	// With Z, the rest of the value is tested by the same grammar. The engine does not add an offset: a guess
	// would be another moment.
	return (f == DateTime || f == Time) && !f.Matches([]byte(value)) && f.Matches([]byte(value+"Z"))
}
