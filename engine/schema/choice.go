package schema

import (
	"cmp"
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// choices reads the values that keyword k of n lists. It returns false if there was a problem. A const is a
// choice of one:
//
//	{"type":"string","const":"a"}                            a
//	{"enum":["a","b"],"enumNames":["A","B"]}                 a, b with the titles A, B
//	{"type":"string","oneOf":[{"const":"a","title":"A"}]}    a with the title A
//	{"enum":[1,1.0,2]}                                       1, 2, and the note choice_repeated
func (c *compiler) choices(f *Field, n *node, k keyword) bool {
	before := len(c.problems)
	raw := n.raw[k]
	if k == kwConst {
		value, wrong := f.choiceValue(n.whole, raw)
		if wrong.Code != "" {
			wrong.Pointer = n.pointer(k)
			c.add(wrong)
		}
		f.Choices = []Choice{{Value: value, Title: value}}
		return len(c.problems) == before
	}
	if kindOf(raw) != jsontext.KindArray {
		c.wrongType(n.pointer(k), "array", raw)
		return false
	}
	// The limit comes before the memory, because the gate lets hardChoices elements through.
	total := count(raw)
	if total > c.lim.Choices {
		c.add(elicit.Problem{Code: "too_many_choices", Pointer: n.pointer(k),
			Args: []elicit.Arg{elicit.Num("limit", c.lim.Choices), elicit.Num("choices", total)}})
		return false
	}
	f.Choices = make([]Choice, 0, total)
	if k == kwEnum {
		c.enumerated(f, n, total)
	} else {
		c.options(f, n, k)
	}
	if len(c.problems) == before && len(f.Choices) == 0 {
		c.add(elicit.Problem{Code: "no_choices", Pointer: n.pointer(k)})
	}
	f.indexChoices()
	return len(c.problems) == before
}

// count returns how many elements an array has that the gate has accepted.
func count(array []byte) (total int) {
	s := spans(array)
	for s.More() {
		s.Raw()
		total++
	}
	return total
}

// isString reports whether the value under a key of an object is a string, and adds a problem if not.
func (c *compiler) isString(at spot, key string, raw []byte) bool {
	if kindOf(raw) == jsontext.KindString {
		return true
	}
	c.wrongType(at.under(key), "string", raw)
	return false
}

// enumerated reads enum with its optional enumNames. If the field's union with null was folded, null members
// are dropped like the type null: a null is never sent. total is the number of members, null included. names
// has an element for each member, so i must count the members that are left out, too. The choices then keep
// their own titles.
func (c *compiler) enumerated(f *Field, n *node, total int) {
	names := c.names(n, total)
	f.enumNames = names != nil
	var seen map[string]bool
	s := spans(n.raw[kwEnum])
	for i := 0; s.More(); i++ {
		raw := s.Raw()
		if n.nullable && kindOf(raw) == jsontext.KindNull {
			continue
		}
		value, wrong := f.choiceValue(n.whole, raw)
		if wrong.Code != "" {
			wrong.Pointer = pointerToItem(n.pointer(kwEnum), i)
			c.add(wrong)
			continue
		}
		choice := Choice{Value: value}
		if choice.Title = choice.Value; names != nil && names[i] != "" {
			choice.Title = names[i]
		}
		if !c.addChoice(f, &seen, choice) {
			c.note(Note{Code: "choice_repeated", Pointer: pointerToItem(n.pointer(kwEnum), i)})
		}
	}
}

// names reads enumNames, the titles of the 2025-06-18 grammar. It returns nil when there are none or they
// cannot be used. A list of another length is refused: a title beside the wrong value would make a person
// choose the wrong one.
func (c *compiler) names(n *node, total int) []string {
	if !n.has.has(kwEnumNames) {
		return nil
	}
	raw, at := n.raw[kwEnumNames], n.pointer(kwEnumNames)
	if kindOf(raw) != jsontext.KindArray {
		c.wrongType(at, "array", raw)
		return nil
	}
	if count := count(raw); count != total {
		c.add(elicit.Problem{Code: "names_mismatch", Pointer: at,
			Args: []elicit.Arg{elicit.Num("choices", total), elicit.Num("names", count)}})
		return nil
	}
	names := make([]string, total)
	s := spans(raw)
	for i := 0; s.More(); i++ {
		if value := s.Raw(); c.isString(spot{at: at}, strconv.Itoa(i), value) {
			names[i] = text(value)
		}
	}
	return names
}

// options reads oneOf or anyOf as constants with titles. Repeated options of anyOf are harmless. In oneOf
// exactly one option must match, so a repeated value can never be sent.
func (c *compiler) options(f *Field, n *node, k keyword) {
	at := n.pointer(k)
	if u := c.survey(n.raw[k]); u.values > 0 && u.consts == 0 {
		c.add(elicit.Problem{Code: "union_type", Pointer: at})
		return
	}
	var seen map[string]bool
	s := spans(n.raw[k])
	for i := 0; s.More(); i++ {
		raw := s.Raw()
		if null, _, _ := c.glance(raw); null && n.nullable {
			continue
		}
		here := pointerToItem(at, i)
		choice, ok := c.option(f, n, raw, here)
		if !ok || c.addChoice(f, &seen, choice) {
			continue
		}
		if here = pointerTo(here, "const"); k == kwOneOf { // no answer fits two options of oneOf, so this one fits none
			c.add(elicit.Problem{Code: "duplicate_choice", Pointer: here})
		} else {
			c.note(Note{Code: "choice_repeated", Pointer: here})
		}
	}
}

// option reads one member of oneOf or anyOf. at is its pointer. ok is false if it had a problem, and choice is
// then not to be used. The tolerant profile accepts annotations that it does not know, and a type that matches
// the constant.
func (c *compiler) option(f *Field, n *node, raw []byte, at string) (choice Choice, ok bool) {
	if kindOf(raw) != jsontext.KindObject {
		c.wrongType(at, "object", raw)
		return Choice{}, false
	}
	before := len(c.problems)
	hasTitle, whole := false, n.whole
	var constant []byte
	s := spans(raw)
	for s.More() {
		key, _ := s.Key()
		value := s.Raw()
		switch k := keywordNamed(own(key)); {
		case k == kwConst:
			constant = value
		case k == kwTitle:
			hasTitle = true
			choice.Title = c.annotation(spot{at: at}, "title", value)
		case c.strict():
			c.unsupported(at, key.String())
		case k == kwDescription:
			choice.Description = c.annotation(spot{at: at}, "description", value)
		// An annotation that this package does not know. All that could constrain the answer has a keyword.
		case k == kwNone:
		case k == kwType && f.ofType(value):
			whole = whole || string(value) == `"integer"`
		default:
			c.unsupported(at, key.String())
		}
	}
	if constant == nil {
		c.missing(at, "const")
	} else {
		var wrong elicit.Problem
		if choice.Value, wrong = f.choiceValue(whole, constant); wrong.Code != "" {
			wrong.Pointer = pointerTo(at, "const")
			c.add(wrong)
		}
	}
	if !hasTitle && c.strict() {
		c.missing(at, "title")
	}
	choice.Title = cmp.Or(choice.Title, choice.Value)
	return choice, len(c.problems) == before
}

// addChoice returns false for a repeated value. It compares few choices one by one, and looks up many in seen.
// seen is nil until there are manyChoices choices. Its keys are those of valueKey, so 1 and 1.0 are one choice.
func (c *compiler) addChoice(f *Field, seen *map[string]bool, choice Choice) bool {
	if *seen == nil && len(f.Choices) < manyChoices {
		for i := range f.Choices {
			if v := f.Choices[i].Value; v == choice.Value || f.Numeric && spelled(v).Compare(spelled(choice.Value)) == 0 {
				return false
			}
		}
	} else {
		if *seen == nil {
			*seen = make(map[string]bool, cap(f.Choices))
			for i := range f.Choices {
				(*seen)[f.valueKey(f.Choices[i].Value)] = true
			}
		}
		key := f.valueKey(choice.Value)
		if (*seen)[key] {
			return false
		}
		(*seen)[key] = true
	}
	f.Choices = append(f.Choices, choice)
	return true
}
