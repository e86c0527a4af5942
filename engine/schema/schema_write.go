package schema

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

// AppendSchema appends a JSON Schema in the protocol's grammar that asks for exactly this form. Everything else
// that the compiled schema said is gone. Titled choices are spelled "oneOf" if titled is true (2025-11-25 and
// later), and "enum" with "enumNames" otherwise (2025-06-18). A single choice whose titles came in "enumNames"
// keeps them there, because every date knows that spelling. For the form with the field age of the package's
// tour it appends
//
//	{"type":"object","properties":{"age":{"type":"integer","minimum":0}},"required":["age"]}
//
// A relay sends this text to the client in place of the schema of the server. The client might draw a member
// that no check of the engine has read.
func (f *Form) AppendSchema(dst []byte, titled bool) []byte {
	o := jsontext.With(dst, "type", "object")
	o.OptStrs("title", f.Title, "description", f.Help)
	o.Name("properties", func(dst []byte) []byte {
		properties := jsontext.Begin(dst)
		for i := range f.Fields {
			field := &f.Fields[i]
			properties.Name(field.Name, func(dst []byte) []byte { return field.appendSchema(dst, titled) })
		}
		return properties.End()
	})
	var required []string
	for i := range f.Fields {
		if f.Fields[i].Required {
			required = append(required, f.Fields[i].Name)
		}
	}
	jsontext.OptStrings(&o, "required", required)
	return o.End()
}

// appendSchema appends the schema of one property. A label that humanise makes of the name needs no title.
func (f *Field) appendSchema(dst []byte, titled bool) []byte {
	o := jsontext.Begin(dst)
	if f.Label != humanise(f.Name) {
		o.OptStr("title", f.Label)
	}
	o.OptStr("description", f.Help)
	switch f.Kind {
	case Text:
		o.Str("type", "string")
	case Number:
		o.Str("type", "number")
	case Integer:
		o.Str("type", "integer")
	case Boolean:
		o.Str("type", "boolean")
	case ManyChoices:
		o.Str("type", "array")
		o.Name("items", func(dst []byte) []byte {
			items := jsontext.Begin(dst)
			f.writeChoices(&items, titled, "anyOf")
			return items.End()
		})
	default:
		f.writeChoices(&o, titled, "oneOf")
	}
	f.Limit.write(&o, true)
	o.OptRaw("default", f.Initial)
	return o.End()
}

// writeChoices adds the members that list the choices. each is the keyword for titled choices, as the grammar of
// 2025-11-25 has them: oneOf for a single choice, anyOf for the items of a list. enumNames hold titles only, so there
// the description of a choice is lost.
func (f *Field) writeChoices(o *jsontext.Object, titled bool, each string) {
	named, described := false, false
	for i := range f.Choices {
		named = named || f.Choices[i].Title != f.Choices[i].Value
		described = described || f.Choices[i].Description != ""
	}
	apart := (named || described) && titled && !f.Numeric && !(f.enumNames && f.Kind == OneChoice)
	switch {
	case f.Numeric:
		o.Str("type", "number")
	case !apart || f.Kind != ManyChoices: // the Go SDK refuses titled items that have a type, as the grammar has none
		o.Str("type", "string")
	}
	if apart {
		o.Each(each, len(f.Choices), func(dst []byte, i int) []byte { return f.appendTitled(dst, "const", i) })
		return
	}
	o.Each("enum", len(f.Choices), f.appendChoice)
	if named {
		o.Each("enumNames", len(f.Choices), func(dst []byte, i int) []byte {
			return jsontext.AppendString(dst, f.Choices[i].Title)
		})
	}
}
