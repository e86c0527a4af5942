package asking

import (
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

// earlierSpelling spells a schema as the first date does: choices with titles as "enum" and "enumNames" in place of
// "oneOf", and no default but that of a boolean (MCP 2025-06-18 schema, PrimitiveSchemaDefinition). A default that is
// left out is filled in when the answer is checked. Parts that have no such spelling stay.
//
// Example: {"oneOf":[{"const":"a","title":"A"}]} becomes {"enum":["a"],"enumNames":["A"]}.
func earlierSpelling(schema []byte) []byte {
	root, _ := wire.ReadObject(schema)
	properties, _ := root.Child("properties")
	var edits []wire.Edit
	for _, m := range properties.Members {
		property, ok := wire.ReadObjectAt(schema, m.Value, m.End)
		if !ok {
			continue
		}
		var members []byte
		var cut []string
		if list, ok := enumNames(property.Get("oneOf")); ok {
			members, cut = list, append(cut, "oneOf")
		}
		if value := property.Get("default"); value != nil && wire.TypeOf(value) != wire.Boolean {
			cut = append(cut, "default")
		}
		edits = property.Exchange(edits, members, cut...)
	}
	return wire.Apply(nil, schema, edits)
}

// enumNames appends the members enum and enumNames for a list of {"const","title"}.
func enumNames(choices []byte) ([]byte, bool) {
	list, n := wire.Elements(choices, maxChoices)
	// A list that is too long, or that is none, keeps its spelling. The strict reader decides about it.
	if n != len(list) || n == 0 {
		return nil, false
	}
	values, names := []byte(`"enum":[`), []byte(`],"enumNames":[`)
	for i, choice := range list {
		o, ok := wire.ReadObject(choice)
		value, isText := wire.Text(o.Get("const"))
		if !ok || !isText {
			return nil, false
		}
		title, titled := wire.Text(o.Get("title"))
		if !titled {
			title = value
		}
		if i > 0 {
			values, names = append(values, ','), append(names, ',')
		}
		values, names = jsontext.AppendString(values, value), jsontext.AppendString(names, title)
	}
	return append(append(values, names...), ']'), true
}

// maxChoices is the most choices of a field that gets another spelling.
const maxChoices = 1000
