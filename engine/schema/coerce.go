package schema

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Typed is what a person entered in one field. Make it with TypedText, TypedList or TypedBool. kind says which
// of the last three members holds the entry. An empty text, an empty list and a field that is not in the list
// of entries mean three different things: see Coerce.
type Typed struct {
	Name string
	kind typedKind
	text string
	list []string
	yes  bool
}

type typedKind uint8

const (
	typedText typedKind = iota
	typedList
	typedBool
)

// TypedText is text as the person typed it, for a field of any kind.
func TypedText(name, text string) Typed { return Typed{Name: name, text: text} }

// TypedList is a selection of choices, by value or title.
func TypedList(name string, list []string) Typed {
	return Typed{Name: name, kind: typedList, list: list}
}

// TypedBool is a box that the person ticked or cleared.
func TypedBool(name string, yes bool) Typed { return Typed{Name: name, kind: typedBool, yes: yes} }

// Coerce appends to dst the canonical answer that the typed values mean. It returns every problem, in form order. With
// problems, the answer holds the values that were understood, so that no input is lost; it must not be sent.
//
// A field that is not in typed was not touched and gets its default. A field left empty is omitted whatever its
// default, and is missing if it is required. White space around anything but plain text is dropped. Coerce
// never guesses a number: digits grouped or split by commas, spaces or quotes are a problem. It matches a
// choice by its exact value, otherwise by a title that is unique when case is ignored. These are answers for an
// optional field with the default 5, and with none:
//
//	typed           default 5       no default
//	nothing         {"n":5}         {}
//	the text ""     {}              {}
//	the text "7"    {"n":7}         {"n":7}
//
// typed may be in any order. If it has a name twice, the first entry counts. A name that is no field is a
// problem.
func (f *Form) Coerce(dst []byte, typed []Typed) ([]byte, []elicit.Problem) {
	start := len(dst)
	var c coercer
	var failed fieldSet
	dst = append(dst, '{')
	for i := range f.Fields {
		field := &f.Fields[i]
		// The name is written before the value is known, and taken back if there is none.
		before, mark := len(c.problems), len(dst)
		c.field = i
		dst = append(jsontext.AppendString(jsontext.Comma(dst), field.Name), ':')
		out, ok := c.coerce(dst, field, find(typed, field.Name))
		if len(c.problems) > before {
			failed.add(i)
		}
		if dst = out; !ok {
			dst = dst[:mark]
		}
	}
	dst = append(dst, '}')
	for i := range typed {
		if f.Field(typed[i].Name) == nil {
			c.field = len(f.Fields)
			c.report(pointerTo("", typed[i].Name), "unknown_field")
		}
	}
	for _, p := range f.judged(dst[start:]) { // a field that failed above already has its problem
		if p.field < 0 || !failed.has(p.field) {
			c.problems = append(c.problems, p)
		}
	}
	return dst, sorted(c.problems)
}

// find returns the entry of a field, or nil if the person did not touch it.
func find(typed []Typed, name string) *Typed {
	for i := range typed {
		if typed[i].Name == name {
			return &typed[i]
		}
	}
	return nil
}

// coercer collects the problems. field is the position of the field that is being read. It orders the problems,
// as in a checker.
type coercer struct {
	field    int
	problems []placed
}

func (c *coercer) report(at, code string, args ...elicit.Arg) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, placed{c.field, elicit.Problem{Code: code, Pointer: at, Args: args}})
	}
}

// coerce appends the value of one field. It returns false when there is no value to send. dst may have text of
// the value appended even then. The caller cuts it off.
//
// The order of the cases matters. The two checks of the kind come first. Free text keeps its white space, and a
// choice with white space around it must match before anything is trimmed.
func (c *coercer) coerce(dst []byte, f *Field, t *Typed) ([]byte, bool) {
	if t == nil {
		return append(dst, f.Initial...), f.Initial != nil
	}
	at := pointerTo("", f.Name)
	switch {
	case t.kind == typedBool && f.Kind != Boolean:
		c.report(at, "wrong_type", elicit.Str("expected", f.jsonType()), elicit.Str("got", "boolean"))
		return dst, false
	case t.kind == typedList && f.Kind != ManyChoices:
		c.report(at, "wrong_type", elicit.Str("expected", f.jsonType()), elicit.Str("got", "array"))
		return dst, false
	case t.kind == typedBool:
		return appendBool(dst, t.yes), true
	case f.Kind == ManyChoices:
		return c.many(dst, f, t, at)
	case f.Kind == Text && f.Limit.Format == AnyFormat && t.text != "":
		return jsontext.AppendString(dst, t.text), true
	case f.Kind == OneChoice && !f.Numeric && f.choice([]byte(t.text)) >= 0: // also the empty string, where it is a choice
		return jsontext.AppendString(dst, t.text), true
	}
	text := strings.TrimSpace(t.text)
	if text == "" {
		return dst, false
	}
	switch f.Kind {
	case Text:
		return c.formatted(dst, f, text, at)
	case Number, Integer:
		return c.number(dst, text, at, f.Kind == Integer)
	case Boolean:
		return c.boolean(dst, text, at)
	case OneChoice:
		if i := c.choice(f, text, at); i >= 0 {
			return f.appendChoice(dst, i), true
		}
	}
	return dst, false
}

// jsonType is the JSON type of the field's value.
func (f *Field) jsonType() string {
	switch f.Kind {
	case Number:
		return "number"
	case Integer:
		return "integer"
	case Boolean:
		return "boolean"
	case ManyChoices:
		return "array"
	}
	if f.Numeric {
		return "number"
	}
	return "string"
}

func appendBool(dst []byte, yes bool) []byte {
	if yes {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}

// boolean reads the words of a yes-or-no question in English. A host in another language sends TypedBool.
func (c *coercer) boolean(dst []byte, text, at string) ([]byte, bool) {
	switch strings.ToLower(text) {
	case "yes", "y", "true", "1":
		return append(dst, "true"...), true
	case "no", "n", "false", "0":
		return append(dst, "false"...), true
	}
	c.report(at, "not_a_boolean")
	return dst, false
}

// choice returns the choice that the text names: by its exact value, otherwise by the only title or value that
// matches when case is ignored. It returns -1 after it has reported a problem. A title counts before a value,
// because people see titles: with the choices 1 "two" and two "one", the text TWO is the choice 1.
func (c *coercer) choice(f *Field, text, at string) int {
	i := -1
	if f.Numeric {
		i = f.typedNumber(text)
	} else {
		i = f.choice([]byte(text))
	}
	if i >= 0 {
		return i
	}
	for _, of := range [...]func(*Choice) string{
		func(o *Choice) string { return o.Title },
		func(o *Choice) string { return o.Value },
	} {
		found, matches := none, 0
		for i := range f.Choices {
			if strings.EqualFold(of(&f.Choices[i]), text) {
				found = i
				matches++
			}
		}
		switch matches {
		case 0:
		case 1:
			return found
		default:
			c.report(at, "ambiguous_choice", elicit.Num("matches", matches))
			return none
		}
	}
	c.report(at, "not_a_choice")
	return none
}

// many reads a selection. Typed text is one choice, or several between commas. An empty selection is the empty
// array where that carries information: when the field is required, or when the person may clear its default.
// list elements are values or titles, as for a single choice. A selected choice counts once. Unknown ones are
// problems at /field/0, /field/1 and so on, and the known ones still go into the answer.
//
// It returns false if nothing is to be sent, and if no element was understood.
func (c *coercer) many(dst []byte, f *Field, t *Typed, at string) ([]byte, bool) {
	list := t.list
	if t.kind == typedText {
		if list = splitChoices(f, t.text); list == nil {
			return dst, false
		}
	}
	if len(list) == 0 && !f.Required && (f.Initial == nil || f.Limit.MinItems > 0) {
		return dst, false
	}
	var seen [hardChoices/64 + 1]uint64
	dst = append(dst, '[')
	start := len(dst)
	for n, text := range list {
		i := c.choice(f, strings.TrimSpace(text), pointerToItem(at, n))
		if i < 0 || seen[i>>6]&(1<<(i&63)) != 0 {
			continue
		}
		seen[i>>6] |= 1 << (i & 63)
		dst = jsontext.AppendString(jsontext.Comma(dst), f.Choices[i].Value)
	}
	return append(dst, ']'), len(list) == 0 || len(dst) > start
}

// splitChoices splits at commas, unless the whole text is one choice with commas. It returns nil for empty
// text. For the choices "Paris, France" and "Rome", the text "Paris, France" is one choice, and "Rome, Oslo" is
// two texts.
func splitChoices(f *Field, text string) []string {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	for i := range f.Choices {
		if f.Choices[i].Value == text || strings.EqualFold(f.Choices[i].Title, text) {
			return []string{text}
		}
	}
	var list []string
	for _, part := range strings.Split(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}
