package schema

import (
	"bytes"
	"math/bits"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// keyword is a member of a property schema that has a meaning in this package. The keywords from kwType to
// kwMultipleOf, $ref and allOf are the members of a node and fit one keywordSet. Problems of one property that
// come from several keywords are in the order of the constants.
type keyword uint8

const (
	kwNone keyword = iota
	kwType
	kwTitle
	kwDescription
	kwDefault
	kwEnum
	kwEnumNames
	kwOneOf
	kwAnyOf
	kwConst
	kwItems
	kwMinItems
	kwMaxItems
	kwUniqueItems
	kwMinLength
	kwMaxLength
	kwFormat
	kwPattern
	kwMinimum
	kwMaximum
	kwExclusiveMinimum
	kwExclusiveMaximum
	kwMultipleOf
	kwRef
	kwAllOf
	kwCount

	// kwCount is the number of keywords that a node can hold. The ones below are no members of a keywordSet.
	// kwRefused constrains answers in a way that no form expresses. Dropping it would accept what the peer refuses.
	kwRefused
	// kwNested makes the value an object.
	kwNested
	// kwBase makes the schema a document of its own, to which references in it belong.
	kwBase
	// kwProperty is the name of a field.
	kwProperty
)

var keywordNames = [kwCount]string{kwType: "type", kwTitle: "title", kwDescription: "description",
	kwDefault: "default", kwEnum: "enum", kwEnumNames: "enumNames", kwOneOf: "oneOf", kwAnyOf: "anyOf", kwConst: "const",
	kwItems: "items", kwMinItems: "minItems", kwMaxItems: "maxItems", kwUniqueItems: "uniqueItems",
	kwMinLength: "minLength", kwMaxLength: "maxLength", kwFormat: "format", kwPattern: "pattern", kwMinimum: "minimum",
	kwMaximum: "maximum", kwExclusiveMinimum: "exclusiveMinimum", kwExclusiveMaximum: "exclusiveMaximum",
	kwMultipleOf: "multipleOf", kwRef: "$ref", kwAllOf: "allOf"}

func (k keyword) String() string { return keywordNames[k] }

// keywordNamed returns the keyword of a decoded name, or kwNone for a name without a meaning here. A strict
// profile refuses kwNone, and the tolerant one ignores it as an annotation.
//
// "then", "else", "minContains" and "maxContains" are missing on purpose. JSON Schema gives them no meaning
// without "if" and "contains", which are refused. "disallow", "divisibleBy" and "extends" are names of draft-03.
func keywordNamed(name string) keyword {
	switch name {
	case "not", "if", "dependentRequired", "dependentSchemas", "dependencies", "prefixItems",
		"additionalItems", "contains", "unevaluatedItems", "$dynamicRef", "$recursiveRef", "disallow", "divisibleBy",
		"extends":
		return kwRefused
	case "properties", "patternProperties", "propertyNames", "unevaluatedProperties", "minProperties",
		"maxProperties":
		return kwNested
	case "$id":
		return kwBase
	case "type":
		return kwType
	case "title":
		return kwTitle
	case "description":
		return kwDescription
	case "default":
		return kwDefault
	case "enum":
		return kwEnum
	case "enumNames":
		return kwEnumNames
	case "oneOf":
		return kwOneOf
	case "anyOf":
		return kwAnyOf
	case "const":
		return kwConst
	case "items":
		return kwItems
	case "minItems":
		return kwMinItems
	case "maxItems":
		return kwMaxItems
	case "uniqueItems":
		return kwUniqueItems
	case "minLength":
		return kwMinLength
	case "maxLength":
		return kwMaxLength
	case "format":
		return kwFormat
	case "pattern":
		return kwPattern
	case "minimum":
		return kwMinimum
	case "maximum":
		return kwMaximum
	case "exclusiveMinimum":
		return kwExclusiveMinimum
	case "exclusiveMaximum":
		return kwExclusiveMaximum
	case "multipleOf":
		return kwMultipleOf
	case "$ref":
		return kwRef
	case "allOf":
		return kwAllOf
	}
	return kwNone
}

// keywordSet is a set of keywords of the grammar. Bit n stands for keyword n. kwCount must not exceed 32.
type keywordSet uint32

func setOf(ks ...keyword) (s keywordSet) {
	for _, k := range ks {
		s |= 1 << k
	}
	return s
}

func (s keywordSet) has(k keyword) bool { return s&(1<<k) != 0 }

// annotations never decide whether an answer is valid, so an annotation beside a $ref replaces one in the target.
var annotations = setOf(kwTitle, kwDescription, kwDefault)

// node is one property schema: its keywords, each with its raw value and the pointer of the object that
// contains it. After a $ref, the keywords of one field come from several places. A bit in has says that raw and
// from of that keyword are valid. The elements of from without a bit may be left from the property before,
// because forget does not clear them.
//
// Example: a property {"$ref":"#/$defs/level","title":"Level"} becomes, after resolve, a node whose title comes
// from /properties/level and whose enum comes from /$defs/level.
type node struct {
	at       spot // the place of the property
	has      keywordSet
	nullable bool // a union with null was folded
	nested   bool // a member describes an object
	whole    bool // the values are whole numbers
	based    bool // a member of base makes the schema a document of its own
	base     spot
	raw      [kwCount][]byte
	from     [kwCount]spot
	patterns []from // further patterns that must match too
}

// from is a value and the object that contains it.
type from struct {
	raw []byte
	at  spot
}

// spot is the place of an object of the schema: a pointer, or the property of a name. The pointer of a property
// is built only for a problem. {"port",true} is /properties/port, and {"/$defs/port",false} is /$defs/port.
type spot struct {
	at       string
	property bool
}

// String returns the pointer.
func (s spot) String() string {
	if s.property {
		return pointerTo("/properties", s.at)
	}
	return s.at
}

// under returns the pointer of the member under a key.
func (s spot) under(key string) string { return pointerTo(s.String(), key) }

// pointer returns the pointer of the value of keyword k, wherever that came from.
func (n *node) pointer(k keyword) string { return n.from[k].under(k.String()) }

// drop removes a keyword that was folded into others.
func (n *node) drop(k keyword) {
	n.has &^= 1 << k
	n.raw[k] = nil
}

// forget clears n for the next property. It clears only what is set.
func (n *node) forget() {
	for ; n.has != 0; n.has &= n.has - 1 {
		n.raw[bits.TrailingZeros32(uint32(n.has))] = nil
	}
	n.nullable, n.nested, n.whole, n.based, n.patterns = false, false, false, false, nil
}

// adopt reads the property recorded at i. It returns false when the property is no object. The property may
// also be true or false in JSON Schema. Such a property has no type, so no field can ask for it.
func (c *compiler) adopt(n *node, i int, at spot) bool {
	n.at = at
	if raw := c.notes.at(i).valueIn(c.doc); raw[0] != '{' {
		c.wrongType(at.String(), "object", raw)
		return false
	}
	for i++; i < c.notes.n; i++ {
		m := c.notes.at(i)
		if m.keyword == kwProperty {
			break
		}
		c.place(n, m.keyword, m.keyIn(c.doc), m.valueIn(c.doc), at)
	}
	return true
}

// place takes one keyword. key is spelled as in the document. A keyword stands only once in an object, because
// the scanner refuses repeated keys.
func (c *compiler) place(n *node, k keyword, key, value []byte, at spot) {
	switch {
	case k == kwNested:
		n.nested = true
	case k == kwRefused, (k == kwNone || k == kwAllOf || k == kwBase) && c.strict():
		c.unsupported(at.String(), text(key))
	case k == kwBase:
		n.based, n.base = true, at
	case k != kwNone:
		n.has |= 1 << k
		n.raw[k], n.from[k] = value, at
	}
}

// read takes the keywords of the schema raw at pointer. It returns false when raw is no object. It continues after a
// keyword that is refused, because the author wants to see every problem.
func (c *compiler) read(n *node, raw []byte, pointer string) bool {
	at := spot{at: pointer}
	n.at = at
	if raw[0] != '{' {
		c.wrongType(pointer, "object", raw)
		return false
	}
	for s := spans(raw); s.More(); {
		key, start := s.Key()
		quoted := raw[start : start+len(key.Raw)+len(`""`)]
		c.place(n, keywordIn(quoted), quoted, s.Raw(), at)
	}
	return true
}

// keywordIn reads a key as the document spells it, with its quotes. Names of keywords have no escapes, so a key
// is decoded only if its spelling has one and matches nothing: "typ\u0065" is the keyword type.
func keywordIn(key []byte) keyword {
	if k := keywordNamed(string(key[1 : len(key)-1])); k != kwNone || bytes.IndexByte(key, '\\') < 0 {
		return k
	}
	return keywordNamed(text(key))
}

// merge adds to n the keywords that it lacks, from m, the schema that n refers to. It refuses two different constraints
// under one keyword: both would have to hold, and no field expresses that.
func (c *compiler) merge(n, m *node) bool {
	n.nested = n.nested || m.nested
	if m.based {
		n.based, n.base = true, m.base
	}
	ok := true
	for k := kwType; k < kwCount; k++ {
		switch {
		case !m.has.has(k):
		case !n.has.has(k):
			n.has |= 1 << k
			n.raw[k], n.from[k] = m.raw[k], m.from[k]
		// n stands closer to the person than m, so its title, description and default win. Two equal
		// constraints are one.
		case annotations.has(k), string(n.raw[k]) == string(m.raw[k]):
		case k == kwPattern:
			n.patterns = append(n.patterns, from{m.raw[k], m.from[k]})
		default:
			c.add(elicit.Problem{Code: "conflicting_keywords", Pointer: n.pointer(k),
				Args: []elicit.Arg{elicit.Str("keyword", k.String()), elicit.Str("other", m.pointer(k))}})
			ok = false
		}
	}
	return ok
}
