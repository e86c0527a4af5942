package schema

import (
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// maxHops bounds a chain of references. Honest generators need one or two.
const maxHops = 16

// Every field may refer to the same large definition, so reading a small document could cost the square of its
// size. maxReread bounds what is read again through references and unions, as a multiple of the most bytes of a
// schema. Example: 100 fields that refer to one definition of 60 KB make 6 MB of a schema below 64 KiB.
const maxReread = 4

// resolve folds references and unions with null until n needs no other schema. Strict profiles have neither.
// Each turn of the loop folds one keyword, and merging may bring in another one. The loop ends: reference
// refuses a cycle and a long chain, every other step goes deeper into the document, and take counts all bytes.
//
// These are some of the schemas that it reads, with what is left of them:
//
//	{"type":["string","null"]}                        {"type":"string"}
//	{"anyOf":[{"type":"integer"},{"type":"null"}]}    {"type":"integer"}
//	{"allOf":[{"$ref":"#/$defs/name"}],"title":"N"}   the definition, with the title N
//	{"anyOf":[{"type":"string"},{"type":"integer"}]}  unchanged; shape refuses it
//
// It returns false after a problem.
func (c *compiler) resolve(n *node) bool {
	if c.strict() {
		return true
	}
	var visited []string
	for {
		// The merged schema may have a list of types too, so this is part of the loop.
		c.foldTypes(n)
		var next []byte
		var at string
		switch k := c.foldable(n); {
		case n.has.has(kwRef):
			ref, ok := c.reference(n, visited)
			if !ok || !c.alone(n) {
				return false
			}
			visited = append(visited, ref)
			next, at = c.targets[ref], ref[1:]
			n.drop(kwRef)
		case n.has.has(kwAllOf):
			if !c.foldAll(n) {
				return false
			}
			continue
		case k != kwNone:
			next, at = c.onlyOption(n, k)
			n.drop(k)
			n.nullable = true
		default:
			return true
		}
		if !c.take(n, next, at) {
			return false
		}
	}
}

// take merges one more schema into n. raw is an object of the document, and at is its pointer. take returns
// false if it cannot be merged.
func (c *compiler) take(n *node, raw []byte, at string) bool {
	if c.reread += len(raw); c.reread > maxReread*c.lim.Bytes {
		c.add(elicit.Problem{Code: "refs_too_large", Pointer: n.at.String(),
			Args: []elicit.Arg{elicit.Num("limit", maxReread*c.lim.Bytes)}})
		return false
	}
	var m node
	ok := c.read(&m, raw, at)
	return ok && c.merge(n, &m)
}

// foldAll merges the schemas of allOf. That keeps their meaning as long as they constrain different things. It
// removes allOf from n first, so that an allOf inside one of the schemas has a place to go to. Two schemas that
// each have a $ref are refused: after the merge, the two would stand under one keyword. An empty allOf is
// refused, because JSON Schema asks for at least one schema.
func (c *compiler) foldAll(n *node) bool {
	raw, at, parent := n.raw[kwAllOf], n.pointer(kwAllOf), n.from[kwAllOf].String()
	n.drop(kwAllOf)
	if kindOf(raw) != jsontext.KindArray {
		c.wrongType(at, "array", raw)
		return false
	}
	s := spans(raw)
	i := 0
	for ; s.More(); i++ {
		if !c.take(n, s.Raw(), pointerToItem(at, i)) {
			return false
		}
	}
	if i == 0 {
		c.unsupported(parent, kwAllOf.String())
	}
	return i > 0
}

// alone refuses a constraint beside a $ref in a dialect that ignores it, because the author may have meant it.
// In draft-07, {"$ref":"#/definitions/name","maxLength":3} allows names of any length. In 2020-12 it does not.
func (c *compiler) alone(n *node) bool {
	siblings := n.has &^ (annotations | setOf(kwRef))
	if !c.refAlone || siblings == 0 {
		return true
	}
	for k := kwType; k < kwCount; k++ {
		if siblings.has(k) {
			c.add(elicit.Problem{Code: "ignored_beside_ref", Pointer: n.pointer(k),
				Args: []elicit.Arg{elicit.Str("keyword", k.String())}})
		}
	}
	return false
}

// reference checks a $ref before it is followed. It refuses everything but a definition of this document.
// Nothing is ever fetched: the peer wrote the schema, and following its links would let the peer choose our
// connections. visited are the references that led to this one, in order. The result is the reference as the
// schema spells it, which is also its key in targets.
//
// No reference leads to the root or to another property, so the only cycles are between definitions:
//
//	{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}
func (c *compiler) reference(n *node, visited []string) (string, bool) {
	at, raw := n.pointer(kwRef), n.raw[kwRef]
	if kindOf(raw) != jsontext.KindString {
		c.wrongType(at, "string", raw)
		return "", false
	}
	// For other readers, #/$defs/name then leads to a definition within that schema (JSON Schema 2020-12, section 8.2).
	if n.based {
		c.unsupported(n.base.String(), "$id")
		return "", false
	}
	ref := text(raw)
	refuse := func(code string) (string, bool) {
		c.add(elicit.Problem{Code: code, Pointer: at, Args: []elicit.Arg{elicit.Str("ref", ref)}})
		return "", false
	}
	if !strings.HasPrefix(ref, "#") {
		return refuse("external_ref")
	}
	c.indexTargets()
	if _, ok := c.targets[ref]; !ok {
		return refuse("unresolved_ref")
	}
	if slices.Contains(visited, ref) {
		return refuse("cyclic_ref")
	}
	if len(visited) == maxHops {
		return refuse("long_ref_chain")
	}
	return ref, true
}

// indexTargets lists the definitions once, so that many references stay cheap. Without the list, each $ref
// would walk over all definitions, and a hostile schema could have thousands of both.
func (c *compiler) indexTargets() {
	if c.targets != nil {
		return
	}
	c.targets = map[string][]byte{}
	c.indexUnder("#/$defs", c.defs)
	c.indexUnder("#/definitions", c.definitions)
}

// indexUnder lists the members of one object of definitions: #/$defs/a~1b for the key a/b. A reference with a
// percent sign, such as #/$defs/a%20b, is not decoded and resolves to nothing.
func (c *compiler) indexUnder(prefix string, raw []byte) {
	if raw == nil || kindOf(raw) != jsontext.KindObject {
		return
	}
	s := spans(raw)
	for s.More() {
		key, _ := s.Key()
		c.targets[pointerTo(prefix, key.String())] = s.Raw()
	}
}

// foldTypes reads ["string","null"] as string. ["string"] is read as string, too. It leaves every other list as
// it is, and typeName refuses what is left.
func (c *compiler) foldTypes(n *node) {
	raw := n.raw[kwType]
	if raw == nil || kindOf(raw) != jsontext.KindArray {
		return
	}
	var only []byte
	nulls, others := 0, 0
	s := spans(raw)
	for s.More() {
		if value := s.Raw(); string(value) == `"null"` {
			nulls++
		} else {
			only = value
			others++
		}
	}
	if others == 1 {
		n.raw[kwType] = only
		n.nullable = n.nullable || nulls > 0
	}
}

// union counts the options of anyOf or oneOf by what they are. values = 0 means that every option is null, or
// that there are none. Of [{"const":"a"},{"const":"b"},{"type":"null"}], values and consts are 2, and nulls is
// 1.
type union struct {
	values  int // options other than null
	nulls   int
	consts  int // options that are a constant
	typed   int // options that say they are strings
	numbers int // options that are a number
	only    int // the index of the last option other than null
}

// survey looks once at every option of an array. It reports no problem; the readers of options do.
func (c *compiler) survey(raw []byte) (u union) {
	s := spans(raw)
	for i := 0; s.More(); i++ {
		null, constant, typed := c.glance(s.Raw())
		if null {
			u.nulls++
			continue
		}
		u.values++
		u.only = i
		if constant != nil {
			u.consts++
			if kindOf(constant) == jsontext.KindNumber {
				u.numbers++
			}
		}
		if typed {
			u.typed++
		}
	}
	return u
}

// glance tells apart a null option, a constant, and a string. constant is the raw value of "const", or nil. An
// option that is no object has none of the three. Only the literal spelling "null" counts, so an escaped one is
// a type that is refused later.
func (c *compiler) glance(option []byte) (null bool, constant []byte, typed bool) {
	if kindOf(option) != jsontext.KindObject {
		return false, nil, false
	}
	s := spans(option)
	for s.More() {
		key, _ := s.Key()
		value := s.Raw()
		switch {
		case key.Equal("const"):
			constant = value
		case key.Equal("type"):
			null = string(value) == `"null"`
			typed = string(value) == `"string"`
		}
	}
	return null, constant, typed
}

// foldable finds a union of null with one schema that is not a constant. Constants beside null are choices. It
// returns kwNone when no such union is left. pydantic generates such a union for Optional[str].
func (c *compiler) foldable(n *node) keyword {
	for _, k := range [...]keyword{kwAnyOf, kwOneOf} {
		if !n.has.has(k) || kindOf(n.raw[k]) != jsontext.KindArray {
			continue
		}
		u := c.survey(n.raw[k])
		// The choice readers then drop the null option, as they drop null in enum.
		if u.nulls > 0 && u.consts == u.values {
			n.nullable = true
		}
		if u.nulls > 0 && u.values == 1 && u.consts == 0 {
			return k
		}
	}
	return kwNone
}

// onlyOption returns the one option besides null of a union that foldable found, and its pointer.
func (c *compiler) onlyOption(n *node, k keyword) (raw []byte, at string) {
	u := c.survey(n.raw[k])
	s := spans(n.raw[k])
	for i := 0; s.More(); i++ {
		if value := s.Raw(); i == u.only {
			raw = value
		}
	}
	return raw, pointerToItem(n.pointer(k), u.only)
}
