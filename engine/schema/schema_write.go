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
	dst = append(dst, `{"type":"object",`...)
	dst = appendOptional(dst, "title", f.Title)
	dst = appendOptional(dst, "description", f.Help)
	dst = append(dst, `"properties":{`...)
	for i := range f.Fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsontext.AppendString(dst, f.Fields[i].Name), ':')
		dst = f.Fields[i].appendSchema(dst, titled)
	}
	dst = append(dst, '}')
	first := true
	for i := range f.Fields {
		if !f.Fields[i].Required {
			continue
		}
		if first {
			dst = append(dst, `,"required":[`...)
		} else {
			dst = append(dst, ',')
		}
		first = false
		dst = jsontext.AppendString(dst, f.Fields[i].Name)
	}
	if !first {
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

// appendSchema appends the schema of one property. A label that humanise makes of the name needs no title.
func (f *Field) appendSchema(dst []byte, titled bool) []byte {
	if dst = append(dst, '{'); f.Label != humanise(f.Name) {
		dst = appendOptional(dst, "title", f.Label)
	}
	dst = appendOptional(dst, "description", f.Help)
	switch f.Kind {
	case Text:
		dst = append(dst, `"type":"string"`...)
	case Number:
		dst = append(dst, `"type":"number"`...)
	case Integer:
		dst = append(dst, `"type":"integer"`...)
	case Boolean:
		dst = append(dst, `"type":"boolean"`...)
	case ManyChoices:
		dst = append(dst, `"type":"array","items":{`...)
		dst = f.appendChoiceSchema(dst, titled, "anyOf")
		dst = append(dst, '}')
	default:
		dst = f.appendChoiceSchema(dst, titled, "oneOf")
	}
	if limits := f.Limit.appendJSON(nil); len(limits) > 0 {
		// The rest are members between commas. A form and a schema share the names of all but "note" and "patterns".
		limits = limits[len(`,"constraints":{`) : len(limits)-1]
		dst = append(append(dst, ','), withoutNote(limits)...)
	}
	if f.Initial != nil {
		dst = append(append(dst, `,"default":`...), f.Initial...)
	}
	return append(dst, '}')
}

// appendChoiceSchema appends the members that list the choices. each is the keyword for titled choices: oneOf
// for a single choice, and anyOf for the items of a list, as the grammar of 2025-11-25 has them. A description
// of a choice is lost in enumNames, which hold titles only.
func (f *Field) appendChoiceSchema(dst []byte, titled bool, each string) []byte {
	named, described := false, false
	for i := range f.Choices {
		named = named || f.Choices[i].Title != f.Choices[i].Value
		described = described || f.Choices[i].Description != ""
	}
	apart := (named || described) && titled && !f.Numeric && !(f.enumNames && f.Kind == OneChoice)
	switch {
	case f.Numeric:
		dst = append(dst, `"type":"number",`...)
	case !apart || f.Kind != ManyChoices: // the Go SDK refuses titled items that have a type, as the grammar has none
		dst = append(dst, `"type":"string",`...)
	}
	if apart {
		return f.appendTitledChoices(dst, each)
	}
	dst = append(dst, `"enum":[`...)
	for i := range f.Choices {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = f.appendChoice(dst, i)
	}
	dst = append(dst, ']')
	if !named {
		return dst
	}
	dst = append(dst, `,"enumNames":[`...)
	for i := range f.Choices {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsontext.AppendString(dst, f.Choices[i].Title)
	}
	return append(dst, ']')
}

// appendTitledChoices appends [{"const","title","description"?}] under the keyword each.
func (f *Field) appendTitledChoices(dst []byte, each string) []byte {
	dst = append(jsontext.AppendString(dst, each), `:[`...)
	for i := range f.Choices {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = f.appendChoice(append(dst, `{"const":`...), i)
		dst = appendText(append(dst, ','), "title", f.Choices[i].Title)
		if f.Choices[i].Description != "" {
			dst = appendText(append(dst, ','), "description", f.Choices[i].Description)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// appendOptional appends a string member and a comma, unless it is empty.
func appendOptional(dst []byte, name, v string) []byte {
	if v == "" {
		return dst
	}
	return append(appendText(dst, name, v), ',')
}

// withoutNote turns the constraints of a form into those of a schema. A format that is only shown becomes an
// annotation, and several patterns become several schemas. limits are members without braces, as
// "minLength":1,"note":"phone". The result has none either.
func withoutNote(limits []byte) []byte {
	var s jsontext.Scanner
	s.Reset(append(append([]byte{'{'}, limits...), '}'), jsontext.Limits{})
	o := jsontext.Begin(nil)
	for s.Enter(); s.More(); {
		key := s.Key()
		value := s.Skip()
		switch {
		case key.Equal("note"):
			o.Raw("format", value)
		case key.Equal("patterns"):
			o.Raw("allOf", patternSchemas(value))
		default:
			o.Raw(key.String(), value)
		}
	}
	text := o.End()
	return text[1 : len(text)-1]
}

// patternSchemas turns ["a","b"] into [{"pattern":"a"},{"pattern":"b"}], the value of allOf.
func patternSchemas(list []byte) []byte {
	var s jsontext.Scanner
	s.Reset(list, jsontext.Limits{})
	dst := []byte{'['}
	for s.Enter(); s.More(); {
		if len(dst) > 1 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, `{"pattern":`...), s.Skip()...), '}')
	}
	return append(dst, ']')
}
