package schema

import (
	"math"
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// bounds reads the constraints that apply to the kind of f. JSON Schema gives constraints of other types no
// meaning, so bounds ignores them. {"type":"integer","maxLength":3} therefore has no bound. A strict profile
// has already refused such a keyword.
func (c *compiler) bounds(f *Field, n *node) {
	switch f.Kind {
	case Text:
		c.lengths(f, n)
	case Number, Integer:
		c.ranges(f, n)
	case OneChoice:
		if f.Numeric {
			c.numberBounds(f, n)
		} else {
			c.choiceBounds(f, n)
		}
	case ManyChoices:
		c.sizes(f, n)
	}
}

// lengths reads minLength, maxLength, pattern and format. A format that is not enforced becomes FormatNote,
// because JSON Schema makes format an annotation unless both sides agree to more.
func (c *compiler) lengths(f *Field, n *node) {
	l := &f.Limit
	low := c.length(n, kwMinLength, &l.MinLength)
	if c.length(n, kwMaxLength, &l.MaxLength) && low && l.MinLength > l.MaxLength {
		c.contradict(n.pointer(kwMinLength), kwMinLength, strconv.Itoa(l.MinLength),
			kwMaxLength.String(), strconv.Itoa(l.MaxLength))
	}
	c.compilePatterns(l, n)
	if !n.has.has(kwFormat) || !c.isString(n.from[kwFormat], kwFormat.String(), n.raw[kwFormat]) {
		return
	}
	name := text(n.raw[kwFormat])
	last := Hostname
	if c.strict() {
		last = DateTime
	}
	if l.Format = formatNamed(name, last); l.Format != AnyFormat {
		return
	}
	if c.strict() {
		c.add(elicit.Problem{Code: "unsupported_format", Pointer: n.pointer(kwFormat),
			Args: []elicit.Arg{elicit.Str("format", name)}})
		return
	}
	l.FormatNote = name
}

// choiceBounds compares the choices with constraints on text in the same schema. A choice that can never be
// sent is a mistake of the schema. Example: {"enum":["abc","b"],"maxLength":2} has the problem too_long. The
// probe is a field of free text that exists only to judge the choices with the checker of answers.
//
// For ManyChoices, n is the node of the items. It returns false if there was a problem.
func (c *compiler) choiceBounds(f *Field, n *node) bool {
	if n.has&(setOf(kwMinLength, kwMaxLength, kwPattern, kwFormat)) == 0 {
		return true
	}
	before := len(c.problems)
	probe := Field{Kind: Text, Limit: unlimited}
	c.lengths(&probe, n)
	if len(c.problems) > before {
		return false
	}
	for i := range f.Choices {
		c.judge(&probe, n.at, kwNone, jsontext.AppendString(nil, f.Choices[i].Value))
	}
	return len(c.problems) == before
}

// sizes reads minItems, maxItems and uniqueItems. Only the type of uniqueItems matters, because a repeated
// choice never counts. Fewer choices than minItems cannot be answered.
func (c *compiler) sizes(f *Field, n *node) {
	l := &f.Limit
	low := c.length(n, kwMinItems, &l.MinItems)
	high := c.length(n, kwMaxItems, &l.MaxItems)
	switch {
	case low && high && l.MinItems > l.MaxItems:
		c.contradict(n.pointer(kwMinItems), kwMinItems, strconv.Itoa(l.MinItems),
			kwMaxItems.String(), strconv.Itoa(l.MaxItems))
	case low && l.MinItems > len(f.Choices):
		c.contradict(n.pointer(kwMinItems), kwMinItems, strconv.Itoa(l.MinItems), "choices", strconv.Itoa(len(f.Choices)))
	}
	if n.has.has(kwUniqueItems) && kindOf(n.raw[kwUniqueItems]) != jsontext.KindBool {
		c.wrongType(n.pointer(kwUniqueItems), "boolean", n.raw[kwUniqueItems])
	}
}

// length reads a count. A count beyond the size of any answer becomes the largest that the form can hold. It
// returns false, and leaves dst alone, when there is no count or no valid one. 3.0 is a count. An answer has at
// most jsontext.DefaultBytes, so a minLength of 1e400 is still above the length of any.
func (c *compiler) length(n *node, k keyword, dst *int) bool {
	if !n.has.has(k) {
		return false
	}
	number, ok := c.number(n, k, "integer")
	if !ok {
		return false
	}
	v, fits := number.Int()
	switch {
	case !number.IsInteger():
		c.add(elicit.Problem{Code: "not_integer", Pointer: n.pointer(k)})
		return false
	case number.Sign() < 0:
		c.add(elicit.Problem{Code: "negative_length", Pointer: n.pointer(k),
			Args: []elicit.Arg{elicit.Str("keyword", k.String())}})
		return false
	}
	*dst = math.MaxInt32
	if fits {
		*dst = int(min(v, math.MaxInt32))
	}
	return true
}

// number takes the value of a keyword as a number. expected is the type that the problem names.
func (c *compiler) number(n *node, k keyword, expected string) (jsontext.Number, bool) {
	raw := n.raw[k]
	if kindOf(raw) != jsontext.KindNumber {
		c.wrongType(n.pointer(k), expected, raw)
		return jsontext.Number{}, false
	}
	return jsontext.Number{Raw: raw}, true
}

// ranges reads the bounds of numbers. A field without bounds keeps the shared range, so most fields allocate
// none.
func (c *compiler) ranges(f *Field, n *node) {
	if n.has&setOf(kwMinimum, kwMaximum, kwExclusiveMinimum, kwExclusiveMaximum, kwMultipleOf) == 0 {
		return
	}
	l, before := &Range{}, len(c.problems)
	f.Limit.Range = l
	c.bound(f, n, kwMinimum, &l.Minimum)
	c.bound(f, n, kwMaximum, &l.Maximum)
	c.bound(f, n, kwExclusiveMinimum, &l.Above)
	c.bound(f, n, kwExclusiveMaximum, &l.Below)
	for i, bound := range [...]*jsontext.Number{&l.Minimum, &l.Maximum, &l.Above, &l.Below} {
		if bound.Raw != nil {
			l.quick[i] = fixedOf(bound.Raw)
		}
	}
	c.step(n, &l.MultipleOf)
	c.apart(n, kwMinimum, kwMaximum, l.Minimum, l.Maximum)
	c.apart(n, kwMinimum, kwExclusiveMaximum, l.Minimum, l.Below)
	c.apart(n, kwExclusiveMinimum, kwMaximum, l.Above, l.Maximum)
	if c.apart(n, kwExclusiveMinimum, kwExclusiveMaximum, l.Above, l.Below); len(c.problems) == before {
		c.between(n, l, f.Kind == Integer)
	}
}

// apart reports bounds that no number can meet together. A minimum of 3 and a maximum of 3 leave the number 3.
// If one of the two excludes its bound, nothing is left.
func (c *compiler) apart(n *node, lowKey, highKey keyword, low, high jsontext.Number) {
	if low.Raw == nil || high.Raw == nil {
		return
	}
	inclusive := lowKey == kwMinimum && highKey == kwMaximum
	if order := low.Compare(high); order > 0 || order == 0 && !inclusive {
		c.contradict(n.pointer(lowKey), lowKey, string(low.Raw), highKey.String(), string(high.Raw))
	}
}

// between reports bounds of which each two leave numbers, but none that is whole or a multiple, as they must be. It
// does not judge numbers of which one has more than 18 digits in the places that the finest one needs.
//
//	integer, exclusiveMinimum 1, exclusiveMaximum 2    nothing is left
//	minimum 11, maximum 19, multipleOf 10              nothing is left
func (c *compiler) between(n *node, l *Range, whole bool) {
	places := 0
	for _, number := range [...]jsontext.Number{l.Minimum, l.Maximum, l.Above, l.Below, l.MultipleOf} {
		places = max(places, -takeApart(number.Raw).exponent)
	}
	low, lowKey, ok := inside(l.Minimum, l.Above, kwMinimum, kwExclusiveMinimum, 1, places)
	high, highKey, also := inside(l.Maximum, l.Below, kwMaximum, kwExclusiveMaximum, -1, places)
	one, fits := scaled([]byte("1"), places)
	if !ok || !also || !fits {
		return
	}
	step, blame := one, lowKey
	if l.MultipleOf.Raw != nil {
		step, fits = scaled(l.MultipleOf.Raw, places)
		blame = kwMultipleOf
		if whole && fits {
			step, fits = commonMultiple(step, one)
		}
	} else if !whole {
		return
	}
	// A step above all numbers that are judged leaves only zero.
	last := int64(0)
	if fits {
		if last = high - high%step; last > high {
			last -= step
		}
	}
	if last < low || last > high {
		c.contradict(n.pointer(blame), blame, string(n.raw[blame]), highKey.String(), string(n.raw[highKey]))
	}
}

// inside returns the first number within two bounds of one side, as scaled has it, and the keyword of the bound that
// decides. inward is the direction to the numbers. ok is false if there is no bound, or one that is not scaled.
func inside(closed, open jsontext.Number, closedKey, openKey keyword, inward int64, places int) (int64, keyword, bool) {
	a, ok := scaled(closed.Raw, places)
	b, also := scaled(open.Raw, places)
	b += inward
	switch {
	case closed.Raw == nil && open.Raw == nil || closed.Raw != nil && !ok || open.Raw != nil && !also:
		return 0, kwNone, false
	case open.Raw == nil || closed.Raw != nil && a*inward >= b*inward:
		return a, closedKey, true
	}
	return b, openKey, true
}

// bound reads one bound into dst. It rounds a fractional bound of an integer field to the whole number that has
// the same effect, and keeps a note of that. minimum 1.5 becomes 2, and exclusiveMinimum -1.5 becomes -2.
func (c *compiler) bound(f *Field, n *node, k keyword, dst *jsontext.Number) {
	if !n.has.has(k) {
		return
	}
	number, ok := c.number(n, k, "number")
	if !ok {
		return
	}
	if f.Kind == Integer && !number.IsInteger() {
		// The whole number beside 1e-2000000 would be found, but such an exponent is a mistake or an attack.
		if !takeApart(number.Raw).ok {
			c.add(elicit.Problem{Code: "not_integer", Pointer: n.pointer(k)})
			return
		}
		spelled := string(number.Raw)
		number.Raw = wholeBeside(number.Raw, k == kwMinimum || k == kwExclusiveMaximum)
		c.note(Note{Code: "bound_rounded", Pointer: n.pointer(k), Args: []elicit.Arg{elicit.Str("keyword", k.String()),
			elicit.Raw("value", spelled), elicit.Raw("used", string(number.Raw))}})
	}
	*dst = number
}

// step reads multipleOf. A step of zero or below divides nothing (JSON Schema 2020-12, Validation, section
// 6.2.1). One of more than stepDigits digits is refused, since it could not be enforced.
func (c *compiler) step(n *node, dst *jsontext.Number) {
	if !n.has.has(kwMultipleOf) {
		return
	}
	number, ok := c.number(n, kwMultipleOf, "number")
	switch {
	case !ok:
	case number.Sign() <= 0:
		c.add(elicit.Problem{Code: "not_positive", Pointer: n.pointer(kwMultipleOf)})
	case !usableStep(number.Raw):
		c.add(elicit.Problem{Code: "too_precise", Pointer: n.pointer(kwMultipleOf),
			Args: []elicit.Arg{elicit.Num("limit", stepDigits)}})
	default:
		*dst = number
	}
}

// contradict adds the problem of two bounds that no answer meets. at is the pointer of the first one, keyword k
// with its value. other names the second one, or is "choices".
func (c *compiler) contradict(at string, k keyword, value, other, limit string) {
	c.add(elicit.Problem{Code: "contradictory_bounds", Pointer: at, Args: []elicit.Arg{
		elicit.Str("keyword", k.String()), elicit.Raw("value", value),
		elicit.Str("other", other), elicit.Raw("limit", limit)}})
}
