package schema

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Each of choiceKeywords lists the allowed values. A field has at most one of them.
var choiceKeywords = [...]keyword{kwOneOf, kwAnyOf, kwEnum, kwConst}

// shape decides the kind of a field and reads its choices. The steps follow the protocol's union of primitive
// schemas, in a fixed order: first the type, then the keyword that lists the choices. It returns false when the
// field has no usable kind. The later steps then have nothing to read. The grammar of a strict profile depends
// on the kind, so the keywords are compared with it last.
func (c *compiler) shape(f *Field, n *node) bool {
	if n.nested {
		c.add(elicit.Problem{Code: "nested_object", Pointer: n.at.String()})
		return false
	}
	if c.strict() && n.has.has(kwRef) {
		return c.refuseAll(n, setOf(kwRef))
	}
	name, ok := c.typeName(n)
	if !ok {
		return false
	}
	switch name {
	case "string":
		ok = c.shapeString(f, n)
	case "number":
		ok = c.shapeNumber(f, n, Number)
	case "integer":
		ok = c.shapeNumber(f, n, Integer)
	case "boolean":
		ok = c.shapeBoolean(f, n)
	case "array":
		ok = c.shapeArray(f, n)
	case "object":
		c.add(elicit.Problem{Code: "nested_object", Pointer: n.at.String()})
		return false
	default:
		c.add(elicit.Problem{Code: "unsupported_type", Pointer: n.pointer(kwType),
			Args: []elicit.Arg{elicit.Str("type", name)}})
		return false
	}
	return c.permitted(f, n) && ok
}

// typeName reads "type". If all options say that they are strings, "type" may be missing. A list of values
// shows their type, so {"enum":["a","b"]} is a choice of strings. A list of both strings and numbers has no
// kind. The rest counts as a missing type, and the problem says so.
func (c *compiler) typeName(n *node) (string, bool) {
	if !n.has.has(kwType) {
		if n.has.has(kwEnum) && !c.strict() {
			switch strings, numbers := c.enumTypes(n); {
			case numbers < 0:
			case numbers == 0:
				return "string", true
			case strings == 0:
				return "number", true
			default:
				c.add(elicit.Problem{Code: "union_type", Pointer: n.pointer(kwEnum)})
				return "", false
			}
		}
		for _, k := range [...]keyword{kwOneOf, kwAnyOf} {
			if !n.has.has(k) || kindOf(n.raw[k]) != jsontext.KindArray {
				continue
			}
			switch u := c.survey(n.raw[k]); {
			case u.consts == 0:
				c.add(elicit.Problem{Code: "union_type", Pointer: n.pointer(k)})
				return "", false
			case u.typed == u.values && !c.strict():
				return "string", true
			case u.numbers == u.values && !c.strict():
				return "number", true
			}
		}
		c.missing(n.at.String(), "type")
		return "", false
	}
	switch raw := n.raw[kwType]; kindOf(raw) {
	case jsontext.KindString:
		return text(raw), true
	case jsontext.KindArray:
		c.add(elicit.Problem{Code: "union_type", Pointer: n.pointer(kwType)})
	default:
		c.wrongType(n.pointer(kwType), "string", raw)
	}
	return "", false
}

// enumTypes counts the strings and numbers in enum, with or without null. numbers is negative if there is anything
// else.
func (c *compiler) enumTypes(n *node) (strings, numbers int) {
	if kindOf(n.raw[kwEnum]) != jsontext.KindArray {
		return strings, -1
	}
	nulls := 0
	for s := spans(n.raw[kwEnum]); s.More(); {
		switch kindOf(s.Raw()) {
		case jsontext.KindString:
			strings++
		case jsontext.KindNumber:
			numbers++
		case jsontext.KindNull:
			nulls++
		default:
			return strings, -1
		}
	}
	n.nullable = n.nullable || nulls > 0
	return strings, numbers
}

// shapeString takes free text, or a choice of strings if a keyword lists some.
func (c *compiler) shapeString(f *Field, n *node) bool {
	k, ok := c.choiceKeyword(n)
	if !ok {
		return false
	}
	if f.Kind = Text; k == kwNone {
		return true
	}
	f.Kind = OneChoice
	return c.choices(f, n, k)
}

// shapeNumber takes a number, or a choice of numbers if constants or an enumeration list some.
func (c *compiler) shapeNumber(f *Field, n *node, kind FieldKind) bool {
	if f.Kind = kind; c.strict() {
		return true
	}
	// An integer type beside the choices refuses a choice of 1.5.
	n.whole = kind == Integer
	k, ok := c.choiceKeyword(n)
	switch {
	case !ok || k == kwNone:
		return ok
	case (k == kwAnyOf || k == kwOneOf) && kindOf(n.raw[k]) == jsontext.KindArray && c.survey(n.raw[k]).consts == 0:
		c.unsupported(n.from[k].String(), k.String())
		return false
	}
	f.Kind, f.Numeric = OneChoice, true
	return c.choices(f, n, k)
}

// shapeBoolean takes a boolean, which has no choices.
func (c *compiler) shapeBoolean(f *Field, n *node) bool {
	f.Kind = Boolean
	ok := true
	for _, k := range choiceKeywords {
		if n.has.has(k) && !c.strict() { // strict profiles report it elsewhere, in permitted
			c.unsupported(n.from[k].String(), k.String())
			ok = false
		}
	}
	return ok
}

// shapeArray takes a list of choices, the only array that an answer may carry (MCP 2025-11-25, Elicitation,
// Requested Schema):
//
//	{"type":"array","items":{"type":"string","enum":["a","b"]}}
//	{"type":"array","items":{"anyOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}]}}
//
// An array of free strings has the problem free_array. The 2025-06-18 grammar has no arrays.
func (c *compiler) shapeArray(f *Field, n *node) bool {
	f.Kind = ManyChoices
	if c.profile == Strict20250618 {
		c.add(elicit.Problem{Code: "unsupported_type", Pointer: n.pointer(kwType),
			Args: []elicit.Arg{elicit.Str("type", "array")}})
		return false
	}
	if !n.has.has(kwItems) {
		c.add(elicit.Problem{Code: "free_array", Pointer: n.at.String()})
		return false
	}
	// items has its own node, because the property's own keywords still count: minItems is one of them.
	items := node{based: n.based, base: n.base}
	at := n.pointer(kwItems)
	if ok := c.read(&items, n.raw[kwItems], at); !c.resolve(&items) || !ok {
		return false
	}
	k, ok := c.choiceKeyword(&items)
	if !ok {
		return false
	}
	if k == kwNone || items.nested || items.has.has(kwType) && string(items.raw[kwType]) != `"string"` {
		c.add(elicit.Problem{Code: "free_array", Pointer: at})
		return false
	}
	if k == kwEnum && !items.has.has(kwType) && c.strict() { // members are strings or refused, so no meaning is lost
		c.missing(at, "type")
		return false
	}
	return c.permittedItems(&items) && c.choices(f, &items, k) && c.choiceBounds(f, &items)
}

// choiceKeyword returns the keyword that lists the choices, kwNone for free text. It refuses two such keywords.
// Two lists would both have to hold, so the choices would be what they share. No generator writes that on
// purpose.
func (c *compiler) choiceKeyword(n *node) (found keyword, ok bool) {
	ok = true
	for _, k := range choiceKeywords {
		switch {
		case !n.has.has(k):
		case found == kwNone:
			found = k
		default:
			c.add(elicit.Problem{Code: "conflicting_keywords", Pointer: n.pointer(k),
				Args: []elicit.Arg{elicit.Str("keyword", k.String()), elicit.Str("other", n.pointer(found))}})
			ok = false
		}
	}
	return found, ok
}

// These are the keywords of each member of PrimitiveSchemaDefinition in schema.ts. grammar combines them.
var (
	labelled  = setOf(kwType, kwTitle, kwDescription)
	textual   = labelled | setOf(kwMinLength, kwMaxLength, kwFormat)
	numeric   = labelled | setOf(kwMinimum, kwMaximum)
	untitled  = labelled | setOf(kwEnum, kwEnumNames)
	titled    = labelled | setOf(kwOneOf)
	several   = labelled | setOf(kwItems, kwMinItems, kwMaxItems)
	itemEnum  = setOf(kwType, kwEnum)
	itemAnyOf = setOf(kwAnyOf)
)

// grammar returns the keywords that a strict profile allows together (schema.ts, PrimitiveSchemaDefinition).
// 2025-06-18 has "default" for booleans only, and no choices by "oneOf". The dates after it have both.
func (c *compiler) grammar(f *Field, n *node) keywordSet {
	var set keywordSet
	switch f.Kind {
	case Text:
		set = textual
	case Number, Integer:
		set = numeric
	case Boolean:
		return labelled | setOf(kwDefault)
	case OneChoice:
		if set = untitled; n.has.has(kwOneOf) && c.profile != Strict20250618 {
			set = titled
		}
	case ManyChoices:
		set = several
	}
	if c.profile != Strict20250618 {
		set |= setOf(kwDefault)
	}
	return set
}

// permitted refuses, in a strict profile, the keywords of the property that its grammar does not have.
// permittedItems does so for the items of a list. Tolerant profiles ignore keywords that have no meaning for
// the kind.
func (c *compiler) permitted(f *Field, n *node) bool {
	if !c.strict() {
		return true
	}
	return c.refuseAll(n, n.has&^c.grammar(f, n))
}

func (c *compiler) permittedItems(items *node) bool {
	if !c.strict() {
		return true
	}
	if items.has.has(kwEnum) {
		return c.refuseAll(items, items.has&^itemEnum)
	}
	return c.refuseAll(items, items.has&^itemAnyOf)
}

// refuseAll adds a problem for each keyword of set. It returns true for an empty set.
func (c *compiler) refuseAll(n *node, set keywordSet) bool {
	for k := kwType; k < kwCount; k++ {
		if set.has(k) {
			c.unsupported(n.from[k].String(), k.String())
		}
	}
	return set == 0
}
