package schema

import (
	"strconv"
	"unsafe"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// A choice of numbers is a OneChoice whose values are spelled as JSON numbers, and are numbers in the form and in the
// answer. The protocol's grammar has none, but pydantic and zod generate them from Literal[1, 2], IntEnum and
// z.literal(7), and an answer may carry a number. A list of such choices is refused, because an answer may carry only
// lists of strings.
//
// Choices are compared as exact decimals, so 1.0 answers 1. Fill writes them as the schema spells them.

// numberChoice returns the position of a number that a Scanner has accepted, or -1. It tries either the map or
// every choice, never both: byValue has all of them. A number that has no key, such as one with an exponent
// beyond a million, equals no choice, because choiceValue refused those.
func (f *Field) numberChoice(n jsontext.Number) int {
	if f.byValue != nil {
		var scratch [64]byte
		if key, ok := appendNumberKey(scratch[:0], n.Raw); ok {
			if i, found := f.byValue[string(key)]; found {
				return int(i)
			}
		}
		return none
	}
	for i := range f.Choices {
		if spelled(f.Choices[i].Value).Compare(n) == 0 {
			return i
		}
	}
	return none
}

// spelled returns the number that a text spells. It shares the memory of the text.
func spelled(number string) jsontext.Number {
	return jsontext.Number{Raw: unsafe.Slice(unsafe.StringData(number), len(number))}
}

// appendNumberKey appends a key that all spellings of one number share, and that no other number has. ok is
// false for an exponent beyond a million. 1.50, 1.5 and 15e-1 have the key 15e-1. 0, -0 and 0e5 have the key 0.
// 1500 has the key 15e2.
func appendNumberKey(dst, raw []byte) (key []byte, ok bool) {
	t := takeApart(raw)
	if t.count == 0 {
		return append(dst, '0'), true
	}
	if raw[0] == '-' { // the key of -1 is not that of 1
		dst = append(dst, '-')
	}
	from := len(dst)
	for _, c := range t.digits[:t.count] {
		if c != '.' && (c != '0' || len(dst) > from) {
			dst = append(dst, c)
		}
	}
	return strconv.AppendInt(append(dst, 'e'), int64(t.exponent), 10), t.ok
}

// valueKey is a key that two choices of f share if they have the same value.
func (f *Field) valueKey(value string) string {
	if !f.Numeric {
		return value
	}
	key, _ := appendNumberKey(nil, []byte(value))
	return string(key)
}

// typedNumber returns the choice that a typed number names, in whatever spelling. The text comes from a person,
// so it is tested before it is compared. It returns -1 for text that is no number.
func (f *Field) typedNumber(text string) int {
	if !isNumber(text) {
		return none
	}
	return f.numberChoice(spelled(text))
}

// choiceValue reads the value of a choice: a string, or a number that programs can read. wrong has a code when
// the value is refused, but no pointer yet. whole asks for a whole number. The value shares the memory of the
// document. A number beyond a double is refused, because the peer's JSON reader would turn the answer into
// infinity.
func (f *Field) choiceValue(whole bool, raw []byte) (value string, wrong elicit.Problem) {
	number := jsontext.Number{Raw: raw}
	switch kind := kindOf(raw); {
	case !f.Numeric && kind == jsontext.KindString:
		return text(raw), wrong
	case !f.Numeric:
		return "", wrongType("", "string", kind)
	case kind != jsontext.KindNumber:
		return "", wrongType("", "number", kind)
	case !takeApart(raw).ok || beyondDouble(number):
		return "", elicit.Problem{Code: "not_finite"}
	case whole && !number.IsInteger():
		return "", elicit.Problem{Code: "not_integer"}
	}
	return own(jsontext.Text{Raw: raw}), wrong
}

// ofType reports whether the "type" beside a constant matches its value.
func (f *Field) ofType(raw []byte) bool {
	if f.Numeric {
		return string(raw) == `"integer"` || string(raw) == `"number"`
	}
	return string(raw) == `"string"`
}

// numberBounds compares the choices with the bounds in the same schema, as choiceBounds does. n.whole makes the probe
// an integer field. Fractional bounds are then rounded as those of such a field are.
func (c *compiler) numberBounds(f *Field, n *node) {
	before := len(c.problems)
	probe := Field{Kind: Number, Limit: unlimited}
	if n.whole {
		probe.Kind = Integer
	}
	if c.ranges(&probe, n); len(c.problems) > before {
		return
	}
	for i := range f.Choices {
		c.judge(&probe, n.at, kwNone, spelled(f.Choices[i].Value).Raw)
	}
}

// appendChoice appends the value of choice i as JSON.
func (f *Field) appendChoice(dst []byte, i int) []byte {
	if f.Numeric {
		return append(dst, f.Choices[i].Value...)
	}
	return jsontext.AppendString(dst, f.Choices[i].Value)
}
