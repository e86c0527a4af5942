package schema

import (
	"bytes"
	"slices"
	"strings"
	"unsafe"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/secret"
)

// compiler reads one document. Raw values, and the texts and numbers in the form, alias doc, which is a copy of the
// document that nothing writes to.
type compiler struct {
	doc      []byte
	walk     jsontext.Scanner // serves one walk at a time
	property node             // the property that is being read
	profile  Profile
	lim      Limits
	gate     jsontext.Limits
	problems []elicit.Problem
	ignored  []Note

	dialect, kind, title, description, required []byte // raw members of the root
	defs, definitions                           []byte
	targets                                     map[string][]byte // by pointer, built at the first $ref
	reread                                      int               // bytes read through references so far
	patternSize                                 int               // size of the patterns so far
	refAlone                                    bool              // the dialect ignores the siblings of a $ref

	hasProperties bool
	notObject     []byte // the value of "properties" when it is not an object
	notes         notes  // the properties, each followed by its keywords
	total         int    // the number of properties
}

// Compile reads the schema of a request. Exactly one of the results is non-nil. The limits bound its work. It fetches
// nothing and does not keep schema.
func Compile(schema []byte, o Options) (*Form, []elicit.Problem) {
	c := compiler{doc: schema, profile: o.Profile, lim: o.Limits.WithDefaults()}
	// root refuses a longer document without reading it, so it needs no copy.
	if len(schema) <= c.lim.Bytes {
		c.doc = bytes.Clone(schema)
	}
	c.gate = jsontext.Limits{Bytes: c.lim.Bytes, Depth: c.lim.Depth, Members: hardChoices}
	f := &Form{maxText: c.lim.Text, maxDepth: c.lim.Depth}
	if c.root() {
		f.Title, f.Help = c.annotation(spot{}, "title", c.title), c.annotation(spot{}, "description", c.description)
		if c.fields(f) {
			c.markRequired(f)
		}
		for i := range f.Fields {
			f.Fields[i].Widget = advise(&f.Fields[i])
		}
	}
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	f.Notes = c.ignored
	return f, nil
}

func (c *compiler) strict() bool { return c.profile != Tolerant }

// open starts a scanner on a value that the pass over the whole document has already accepted.
func (c *compiler) open(s *jsontext.Scanner, raw []byte) { s.Reset(raw, c.gate) }

// spans returns the members of a value that the pass over the whole document has already accepted.
func spans(raw []byte) jsontext.Spans {
	s, _, _ := jsontext.SpansOf(raw)
	return s
}

// root is the one pass over the whole document. It is also the gate that accepts or refuses the document.
func (c *compiler) root() bool {
	s := &c.walk
	c.open(s, c.doc)
	kind := s.Peek()
	if kind == jsontext.KindObject {
		for s.Enter(); s.More(); {
			key := s.Key()
			if key.Equal("properties") && s.Peek() == jsontext.KindObject {
				c.collect(s)
			} else if value := s.Skip(); value != nil {
				c.member(key.String(), value)
			}
		}
	} else {
		s.Skip()
	}
	if !s.End() {
		c.problems = []elicit.Problem{elicit.FromFault(s.Fault())}
		return false
	}
	if kind != jsontext.KindObject {
		c.add(wrongType("", "object", kind))
		return false
	}
	c.rootShape()
	return c.hasProperties
}

// collect records where the properties are, so that the document is not walked again for each.
func (c *compiler) collect(s *jsontext.Scanner) {
	c.hasProperties = true
	for s.Enter(); s.More(); {
		within := c.total < c.lim.Fields
		p := note{keyword: kwProperty}
		p.Key = int32(s.Offset())
		p.KeyEnd = p.Key + int32(len(s.Key().Raw)) + 2
		kind := s.Peek()
		p.Value = int32(s.Offset())
		if c.total++; !within {
			s.Skip()
			continue
		}
		at := c.notes.add(p)
		if kind == jsontext.KindObject {
			c.members(s)
		} else {
			s.Skip()
		}
		c.notes.at(at).ValueEnd = int32(s.Offset())
	}
}

// members records the members of a property that have a meaning here.
func (c *compiler) members(s *jsontext.Scanner) {
	for s.Enter(); ; {
		m, ok := s.Member()
		if !ok {
			return
		}
		if k := keywordIn(c.doc[m.Key:m.KeyEnd]); k != kwNone || c.strict() {
			c.notes.add(note{m, k})
		}
	}
}

func (c *compiler) member(key string, value []byte) {
	switch key {
	case "type":
		c.kind = value
	case "properties":
		c.notObject = value
	case "required":
		c.required = value
	case "$schema":
		c.dialect = value
		if c.profile == Strict20250618 {
			c.unsupported("", key)
		}
	default:
		c.extra(key, value)
	}
}

// extra reads a root member outside the protocol's grammar.
func (c *compiler) extra(key string, value []byte) {
	if c.strict() {
		c.unsupported("", key)
		return
	}
	switch key {
	case "title":
		c.title = value
	case "description":
		c.description = value
	case "$defs":
		c.defs = value
	case "definitions":
		c.definitions = value
	case "allOf", "anyOf", "oneOf", "enum", "const", "$ref", "patternProperties", "propertyNames", "minProperties",
		"maxProperties", "unevaluatedProperties":
		c.unsupported("", key)
	default:
		if keywordNamed(key) == kwRefused {
			c.unsupported("", key)
		}
	}
}

func (c *compiler) rootShape() {
	c.checkDialect()
	switch {
	case c.kind == nil:
		c.missing("", "type")
	case kindOf(c.kind) != jsontext.KindString:
		c.wrongType("/type", "string", c.kind)
	case text(c.kind) != "object":
		c.add(elicit.Problem{Code: "root_not_object", Pointer: "/type", Args: []elicit.Arg{elicit.Str("type", text(c.kind))}})
	}
	switch {
	case c.hasProperties:
	case c.notObject != nil:
		c.wrongType("/properties", "object", c.notObject)
	default:
		c.missing("", "properties")
	}
}

// checkDialect refuses dialects other than 2020-12, as MCP's JSON Schema rules ask. An empty fragment makes no
// difference. The tolerant profile also accepts two older dialects. Everything that a form may use has the same meaning
// in them, except that draft-07 ignores the siblings of a $ref.
func (c *compiler) checkDialect() {
	switch {
	case c.dialect == nil:
		return
	case kindOf(c.dialect) != jsontext.KindString:
		c.wrongType("/$schema", "string", c.dialect)
		return
	}
	uri := text(c.dialect)
	switch strings.TrimSuffix(uri, "#") {
	case "https://json-schema.org/draft/2020-12/schema":
		return
	case "https://json-schema.org/draft/2019-09/schema":
		if !c.strict() {
			return
		}
	case "http://json-schema.org/draft-07/schema", "https://json-schema.org/draft-07/schema":
		if c.refAlone = true; !c.strict() {
			return
		}
	}
	c.add(elicit.Problem{Code: "unsupported_dialect", Pointer: "/$schema", Args: []elicit.Arg{elicit.Str("dialect", uri)}})
}

// fields reads every property, unless there are more than the limit.
func (c *compiler) fields(f *Form) bool {
	if c.total > c.lim.Fields {
		c.add(elicit.Problem{Code: "too_many_fields", Pointer: "/properties",
			Args: []elicit.Arg{elicit.Num("limit", c.lim.Fields), elicit.Num("fields", c.total)}})
		return false
	}
	f.Fields = make([]Field, c.total)
	kept, dropped := 0, []elicit.Problem(nil)
	for i, at := 0, 0; i < len(f.Fields); i++ {
		field := &f.Fields[kept]
		key := c.notes.at(at).keyIn(c.doc)
		field.Name = text(key)
		field.plainName = len(field.Name) == len(key)-len(`""`) // an escape is longer than what it stands for
		where := spot{field.Name, true}
		if field.Name == "" {
			c.add(elicit.Problem{Code: "empty_name", Pointer: where.String()})
		}
		before := len(c.problems)
		if c.field(field, at, where); c.unanswerable(before, field.Name) {
			dropped = append(dropped, c.problems[before:]...)
			c.problems, *field = c.problems[:before], Field{}
		} else {
			kept++
		}
		for at++; at < c.notes.n && c.notes.at(at).keyword != kwProperty; at++ {
		}
	}
	f.Fields = f.Fields[:kept]
	if kept == 0 { // nothing would be left of the question
		c.problems = append(c.problems, dropped...)
	} else {
		for _, p := range dropped {
			c.note(Note{Code: "field_unanswerable", Pointer: p.Pointer, Args: p.Args})
		}
	}
	f.index.build(f.Fields)
	return true
}

// unanswerable reports whether all problems since before are bounds of an optional field that no answer meets. An
// answer may leave out such a field, so the question is not lost.
func (c *compiler) unanswerable(before int, name string) bool {
	problems := c.problems[before:]
	return len(problems) > 0 && !c.strict() && !c.requires(name) &&
		!slices.ContainsFunc(problems, func(p elicit.Problem) bool { return p.Code != "contradictory_bounds" })
}

// requires reports whether the schema requires a field, or may do so: its list is no list of names.
func (c *compiler) requires(name string) bool {
	if c.required == nil {
		return false
	}
	if kindOf(c.required) != jsontext.KindArray {
		return true
	}
	for s := spans(c.required); s.More(); {
		if raw := s.Raw(); kindOf(raw) == jsontext.KindString && text(raw) == name {
			return true
		}
	}
	return false
}

func (c *compiler) markRequired(f *Form) {
	if c.required == nil {
		return
	}
	if kindOf(c.required) != jsontext.KindArray {
		c.wrongType("/required", "array", c.required)
		return
	}
	var unknown map[string]bool
	s := spans(c.required)
	for i := 0; s.More(); i++ {
		raw := s.Raw()
		if kindOf(raw) != jsontext.KindString {
			c.wrongType(pointerToItem("/required", i), "string", raw)
			continue
		}
		name := text(raw)
		field := f.index.find(f.Fields, []byte(name))
		switch {
		case field >= 0 && !f.required.has(field):
			f.required.add(field)
			f.Fields[field].Required = true
		case field >= 0 || unknown[name]:
			c.add(elicit.Problem{Code: "duplicate_required", Pointer: pointerToItem("/required", i),
				Args: []elicit.Arg{elicit.Str("name", name)}})
		default:
			if unknown == nil {
				unknown = map[string]bool{}
			}
			unknown[name] = true
			c.add(elicit.Problem{Code: "unknown_required", Pointer: pointerToItem("/required", i),
				Args: []elicit.Arg{elicit.Str("name", name)}})
		}
	}
}

// text decodes a raw JSON string that a scanner has accepted.
func text(raw []byte) string {
	inner := raw[1 : len(raw)-1]
	return own(jsontext.Text{Raw: inner, Escaped: bytes.IndexByte(inner, '\\') >= 0})
}

// own returns a text of the document as a string. The string shares the memory of the compiler's copy, which nothing
// writes to.
func own(t jsontext.Text) string {
	if t.Escaped || len(t.Raw) == 0 {
		return t.String()
	}
	return unsafe.String(&t.Raw[0], len(t.Raw))
}

func (c *compiler) annotation(at spot, key string, raw []byte) string {
	if raw == nil {
		return ""
	}
	if kindOf(raw) != jsontext.KindString {
		c.wrongType(at.under(key), "string", raw)
		return ""
	}
	return text(raw)
}

func (c *compiler) field(f *Field, property int, at spot) {
	n := &c.property
	n.forget()
	before := len(c.problems)
	f.Limit = unlimited
	if ok := c.adopt(n, property, at); !c.resolve(n) || !ok || !c.shape(f, n) {
		return
	}
	title := c.annotation(n.from[kwTitle], "title", n.raw[kwTitle])
	if f.Label = title; title == "" {
		f.Label = humanise(f.Name)
	}
	f.Help = c.annotation(n.from[kwDescription], "description", n.raw[kwDescription])
	c.bounds(f, n)
	if note := f.Limit.FormatNote; note != "" {
		f.Help = withNote(f.Help, note)
	}
	if f.Kind == Text || f.Kind == Number || f.Kind == Integer { // a closed set of answers cannot carry a secret
		f.Sensitive = isSensitive(f.Name, title, f.Help) // the note of a format can name one: jwt, password
	}
	if len(c.problems) == before { // a default is checked only against valid constraints
		c.initial(f, n)
	}
}

// isSensitive looks for words of secrets. A title that is only the name with a capital adds nothing.
func isSensitive(name, title, help string) bool {
	if len(title) == len(name) && len(title) > 0 && title[1:] == name[1:] && title[0]|0x20 == name[0]|0x20 {
		title = ""
	}
	_, found := secret.Field(name, title, help)
	return found
}
