package schema

import (
	"bytes"
	"math/bits"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/order"
)

// checker is the state of one pass over an answer. It lives on the stack of its caller. scratch holds one
// decoded text at a time. A text that does not fit makes AppendTo allocate. problems stays nil for a valid
// answer.
type checker struct {
	maxText  int
	field    int     // position in the form of the field being read
	base     spot    // pointer of the value being checked, or with bare, of the object that contains it
	under    keyword // with bare: the keyword in that object
	bare     bool    // the value stands alone, as a default does, and is not a member of an answer
	scratch  [256]byte
	problems []placed
}

// placed is a problem with its field, which decides the order of the list.
type placed struct {
	field int
	elicit.Problem
}

// Check reads an answer and returns all its problems, at most 64, and nil for a valid answer. The order is that of the
// fields in the form, and within a field that of the document. A document that is not JSON, or repeats a key, has one
// problem and no others. Check ignores members that are no field. A required field that is absent is missing even if it
// has a default: call Fill first. A valid answer causes no allocation. Content nil means {}.
func (f *Form) Check(content []byte) []elicit.Problem {
	c := checker{maxText: f.maxText}
	c.answer(f, content)
	return sorted(c.problems)
}

// judged is Check for callers that need the field of each problem.
func (f *Form) judged(content []byte) []placed {
	c := checker{maxText: f.maxText}
	c.answer(f, content)
	return c.problems
}

// answer checks an answer, by the fast path if it has the usual form, otherwise value by value. Both report the
// same problems.
func (c *checker) answer(f *Form, content []byte) {
	if content == nil {
		content = []byte("{}")
	}
	if !c.run(f, content) {
		c.walk(f, content)
	}
}

// walk reads an answer of any form. It drops the problems of the fast path first. A fault of the document
// replaces all other problems, because what stands in a document with a repeated key depends on the reader.
func (c *checker) walk(f *Form, content []byte) {
	c.problems = nil
	var s jsontext.Scanner
	s.Reset(content, jsontext.Limits{Depth: f.maxDepth})
	if kind := s.Peek(); kind != jsontext.KindObject {
		if s.Skip(); s.End() {
			c.problems = []placed{{none, wrongType("", "object", kind)}}
		} else {
			c.problems = []placed{{none, elicit.FromFault(s.Fault())}}
		}
		return
	}
	var seen fieldSet
	// next is the field after the last one. Answers mostly come in form order.
	next := 0
	for s.Enter(); s.More(); {
		i := f.find(s.Key(), next, c.scratch[:0])
		if i < 0 {
			s.Skip()
			continue
		}
		seen.add(i)
		c.field, next = i, i+1
		c.value(&s, &f.Fields[i])
	}
	if !s.End() {
		c.problems = []placed{{none, elicit.FromFault(s.Fault())}}
		return
	}
	c.complete(f, &seen)
}

// complete reports each required field that was not seen. It compares 64 fields at once.
func (c *checker) complete(f *Form, seen *fieldSet) {
	for w := range seen {
		for missing := f.required[w] &^ seen[w]; missing != 0; missing &= missing - 1 {
			c.field = w<<6 + bits.TrailingZeros64(missing)
			c.report(&f.Fields[c.field], none, "missing")
		}
	}
}

// find returns the field that a key names. It tries next first, because that is usually the one. It returns -1
// for a key that is no field. scratch is room for a key with escapes.
func (f *Form) find(key jsontext.Text, next int, scratch []byte) int {
	name := key.Raw
	if key.Escaped {
		name = key.AppendTo(scratch)
	}
	if next < len(f.Fields) && f.Fields[next].Name == jsontext.View(name) {
		return next
	}
	return f.index.find(f.Fields, name)
}

// sorted returns the problems in form order. It keeps the order of problems of one field. -1 stands for the
// whole document and comes first.
func sorted(problems []placed) []elicit.Problem {
	if len(problems) == 0 {
		return nil
	}
	order.Stable(problems, func(a, b placed) int { return a.field - b.field })
	list := make([]elicit.Problem, min(len(problems), maxProblems))
	for i := range list {
		list[i] = problems[i].Problem
	}
	return list
}

// report adds a problem of the field, or of one item of it. item is -1 for the field itself. c.field must be
// its position.
func (c *checker) report(f *Field, item int, code string, args ...elicit.Arg) {
	if len(c.problems) >= maxProblems {
		return
	}
	c.problems = append(c.problems, placed{c.field, elicit.Problem{Code: code, Pointer: c.pointer(f, item), Args: args}})
}

// The pointer of an answer is into the answer. With bare, it is into the schema: /properties/size/default.
func (c *checker) pointer(f *Field, item int) string {
	var at string
	switch {
	case !c.bare:
		at = pointerTo("", f.Name)
	case c.under != kwNone:
		at = c.base.under(c.under.String())
	default:
		at = c.base.String()
	}
	if item >= 0 {
		at = pointerToItem(at, item)
	}
	return at
}

// value reads the next value by the rules of f.
func (c *checker) value(s *jsontext.Scanner, f *Field) {
	switch f.Kind {
	case Text:
		if c.expect(s, f, none, jsontext.KindString, "string") {
			c.text(f, s.Text())
		}
	case Number:
		if c.expect(s, f, none, jsontext.KindNumber, "number") {
			c.number(f, s.Number())
		}
	case Integer:
		if c.expect(s, f, none, jsontext.KindNumber, "integer") {
			c.number(f, s.Number())
		}
	case Boolean:
		if c.expect(s, f, none, jsontext.KindBool, "boolean") {
			s.Bool()
		}
	case OneChoice:
		if f.Numeric {
			if c.expect(s, f, none, jsontext.KindNumber, "number") {
				c.numberChoice(f, s.Number())
			}
			return
		}
		if c.expect(s, f, none, jsontext.KindString, "string") && f.choice(c.decoded(s.Text())) < 0 {
			c.report(f, none, "not_a_choice")
		}
	case ManyChoices:
		if c.expect(s, f, none, jsontext.KindArray, "array") {
			c.many(s, f)
		}
	default:
		s.Skip()
	}
}

// expect reports whether the next value has the kind. If not, it reports the problem and skips the value. Null has a
// code of its own, because sending null for an empty field is the most common mistake.
func (c *checker) expect(s *jsontext.Scanner, f *Field, item int, want jsontext.Kind, name string) bool {
	got := s.Peek()
	if got == want {
		return true
	}
	if got != jsontext.KindInvalid {
		if got == jsontext.KindNull {
			c.report(f, item, "null_value")
		} else {
			c.report(f, item, "wrong_type", elicit.Str("expected", name), elicit.Str("got", got.String()))
		}
		s.Skip()
	}
	return false
}

// A text above the limit of bytes has that one problem, so that no pattern runs on it. Runes is the length that
// JSON Schema means: minLength counts characters (Validation, section 6.3.2), not bytes and not UTF-16 units.
func (c *checker) text(f *Field, t jsontext.Text) {
	if len(t.Raw) > c.maxText && len(c.decoded(t)) > c.maxText {
		c.report(f, none, "text_too_large", elicit.Num("limit", c.maxText))
		return
	}
	l := &f.Limit
	if t.Runes < l.MinLength {
		c.report(f, none, "too_short", elicit.Num("limit", l.MinLength), elicit.Num("length", t.Runes))
	}
	if l.MaxLength >= 0 && t.Runes > l.MaxLength {
		c.report(f, none, "too_long", elicit.Num("limit", l.MaxLength), elicit.Num("length", t.Runes))
	}
	if l.Format == AnyFormat && len(l.patterns) == 0 {
		return
	}
	value := c.decoded(t)
	// Format comes before pattern: zod sends both for an email, and people see only the first problem of a field.
	if l.Format != AnyFormat && !l.Format.Matches(value) {
		c.report(f, none, "bad_format", elicit.Str("format", l.Format.String()))
	}
	for i := range l.patterns {
		if !l.patterns[i].machine.Match(value) {
			c.report(f, none, "pattern_mismatch", elicit.Str("pattern", l.patterns[i].spelled))
		}
	}
}

func (c *checker) numberChoice(f *Field, n jsontext.Number) {
	if len(n.Raw) > 0 && f.numberChoice(n) < 0 { // no text means a fault of the document, reported elsewhere
		c.report(f, none, "not_a_choice")
	}
}

// decoded returns the text without escapes. The result is valid until the next call, because both use scratch.
func (c *checker) decoded(t jsontext.Text) []byte {
	if !t.Escaped {
		return t.Raw
	}
	return t.AppendTo(c.scratch[:0])
}

// none is the position of what has none: a field that a form lacks, or a problem of a whole value.
const none = -1

// largest is the largest finite double. Most readers turn a larger number into infinity.
var largest = jsontext.Number{Raw: []byte("1.7976931348623157e308")}

// number compares a value with each bound by itself, so it can have several problems. One beyond a double has only
// that.
func (c *checker) number(f *Field, n jsontext.Number) {
	if len(n.Raw) == 0 {
		return // the document has a fault, which the scanner reports at the end
	}
	l, v := &f.Limit, fixedOf(n.Raw)
	if f.Kind == Integer && !n.IsInteger() {
		c.report(f, none, "not_integer")
	}
	if !v.ok && mayBeHuge(n.Raw) && beyondDouble(n) {
		c.report(f, none, "not_finite")
		return
	}
	if l.Minimum.Raw != nil && compare(n, v, l.Minimum, l.quick[0]) < 0 {
		c.report(f, none, "too_low", elicit.Raw("limit", string(l.Minimum.Raw)))
	}
	if l.Maximum.Raw != nil && compare(n, v, l.Maximum, l.quick[1]) > 0 {
		c.report(f, none, "too_high", elicit.Raw("limit", string(l.Maximum.Raw)))
	}
	if l.Above.Raw != nil && compare(n, v, l.Above, l.quick[2]) <= 0 {
		c.report(f, none, "not_above", elicit.Raw("limit", string(l.Above.Raw)))
	}
	if l.Below.Raw != nil && compare(n, v, l.Below, l.quick[3]) >= 0 {
		c.report(f, none, "not_below", elicit.Raw("limit", string(l.Below.Raw)))
	}
	if l.MultipleOf.Raw != nil && !isMultiple(n.Raw, l.MultipleOf.Raw) {
		c.report(f, none, "not_multiple", elicit.Raw("of", string(l.MultipleOf.Raw)))
	}
}

// mayBeHuge is a cheap test that spares almost every number the exact comparison. Without an exponent, a number
// beyond a double has at least 309 bytes.
func mayBeHuge(raw []byte) bool {
	for _, c := range raw {
		if c|0x20 == 'e' {
			return true
		}
	}
	return len(raw) > 300
}

// beyondDouble reports whether the distance from zero is above the largest double.
func beyondDouble(n jsontext.Number) bool {
	n.Raw = bytes.TrimPrefix(n.Raw, []byte("-"))
	return n.Compare(largest) > 0
}

// many reads an array of choices. The set of choices seen so far fits one word if there are few, and is larger
// otherwise.
func (c *checker) many(s *jsontext.Scanner, f *Field) {
	if len(f.Choices) <= 64 {
		var seen [1]uint64
		c.items(s, f, seen[:])
		return
	}
	var seen [hardChoices/64 + 1]uint64
	c.items(s, f, seen[:])
}

// items reads the elements of an array. seen has a bit for each choice and is empty at first. An element that
// is no choice counts towards minItems, since it already has a problem of its own.
func (c *checker) items(s *jsontext.Scanner, f *Field, seen []uint64) {
	count, at := 0, 0
	for s.Enter(); s.More(); at++ {
		if !c.expect(s, f, at, jsontext.KindString, "string") || c.item(f, at, c.decoded(s.Text()), seen) {
			count++
		}
	}
	c.size(f, count)
}

// item checks one member of an array and reports whether it counts. A repeated choice does not count, because Fill
// drops it.
func (c *checker) item(f *Field, at int, value []byte, seen []uint64) bool {
	i := f.choice(value)
	if i < 0 {
		c.report(f, at, "not_a_choice")
		return true
	}
	if seen[i>>6]&(1<<(i&63)) != 0 {
		return false
	}
	seen[i>>6] |= 1 << (i & 63)
	return true
}

// size compares the number of distinct elements with minItems and maxItems.
func (c *checker) size(f *Field, count int) {
	l := &f.Limit
	if count < l.MinItems {
		c.report(f, none, "too_few", elicit.Num("limit", l.MinItems), elicit.Num("count", count))
	}
	if l.MaxItems >= 0 && count > l.MaxItems {
		c.report(f, none, "too_many", elicit.Num("limit", l.MaxItems), elicit.Num("count", count))
	}
}
