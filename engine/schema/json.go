package schema

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// AppendJSON appends the form as user interfaces receive it. Members marked ? are left out when they are empty:
//
//	{"title"?, "help"?, "fields":[{"name", "label", "help"?, "kind", "widget", "required", "sensitive"?,
//	  "choices"?:[{"value","title","description"?}], "constraints"?:{…}, "initial"?, "provenance"?}],
//	 "notes"?:[{"code","pointer","args"?}]}
//
// kind is one of text, number, integer, boolean, choice, choices. The value of a choice is a number if the answer is to
// be one, otherwise a string. For widget, see Widget. constraints has the following members, in this order, each only
// if the schema has it: minLength, maxLength (code points); pattern (ECMA-262, as spelled, enforced), or patterns, a
// list of which all must match; minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf (numbers as spelled);
// minItems, maxItems; format (enforced: email uri date date-time); note (a format that is only shown). initial is the
// JSON value to start from, and provenance accompanies it and is "default". notes say what of the schema was left out,
// see Note. They are for the author of the schema, not for the person.
func (f *Form) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	if f.Title != "" {
		dst = append(appendText(dst, "title", f.Title), ',')
	}
	if f.Help != "" {
		dst = append(appendText(dst, "help", f.Help), ',')
	}
	dst = append(dst, `"fields":[`...)
	for i := range f.Fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = f.Fields[i].AppendJSON(dst)
	}
	dst = append(dst, ']')
	if len(f.Notes) > 0 {
		dst = elicit.AppendList(append(dst, `,"notes":`...), f.Notes)
	}
	return append(dst, '}')
}

// AppendJSON appends the field as a member of the form's "fields".
func (f *Field) AppendJSON(dst []byte) []byte {
	dst = appendText(append(dst, '{'), "name", f.Name)
	dst = appendText(append(dst, ','), "label", f.Label)
	if f.Help != "" {
		dst = appendText(append(dst, ','), "help", f.Help)
	}
	dst = appendText(append(dst, ','), "kind", f.Kind.String())
	dst = appendText(append(dst, ','), "widget", f.Widget.String())
	dst = strconv.AppendBool(append(dst, `,"required":`...), f.Required)
	if f.Sensitive {
		dst = append(dst, `,"sensitive":true`...)
	}
	if f.Choices != nil {
		dst = append(dst, `,"choices":[`...)
		for i := range f.Choices {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = f.appendChoiceJSON(dst, i)
		}
		dst = append(dst, ']')
	}
	dst = f.Limit.appendJSON(dst)
	if f.Initial != nil {
		dst = append(append(dst, `,"initial":`...), f.Initial...)
		dst = appendText(append(dst, ','), "provenance", f.Provenance.String())
	}
	return append(dst, '}')
}

// appendChoiceJSON appends {"value","title","description"?}. The title is always there, even if it equals the
// value.
func (f *Field) appendChoiceJSON(dst []byte, i int) []byte {
	c := &f.Choices[i]
	dst = f.appendChoice(append(dst, `{"value":`...), i)
	dst = appendText(append(dst, ','), "title", c.Title)
	if c.Description != "" {
		dst = appendText(append(dst, ','), "description", c.Description)
	}
	return append(dst, '}')
}

// appendJSON appends ,"constraints":{…} or nothing. Each member ends with a comma, and the last comma becomes
// the closing brace. Without members there is no comma, so the opening text is taken back.
func (l *Constraints) appendJSON(dst []byte) []byte {
	const open = `,"constraints":{`
	start := len(dst)
	dst = append(dst, open...)
	dst = appendCount(dst, "minLength", l.MinLength, 1)
	dst = appendCount(dst, "maxLength", l.MaxLength, 0)
	dst = appendPatterns(dst, l.patterns)
	dst = appendNumber(dst, "minimum", l.Minimum)
	dst = appendNumber(dst, "maximum", l.Maximum)
	dst = appendNumber(dst, "exclusiveMinimum", l.Above)
	dst = appendNumber(dst, "exclusiveMaximum", l.Below)
	dst = appendNumber(dst, "multipleOf", l.MultipleOf)
	dst = appendCount(dst, "minItems", l.MinItems, 1)
	dst = appendCount(dst, "maxItems", l.MaxItems, 0)
	if l.Format != AnyFormat {
		dst = append(appendText(dst, "format", l.Format.String()), ',')
	}
	if l.FormatNote != "" {
		dst = append(appendText(dst, "note", l.FormatNote), ',')
	}
	if len(dst) == start+len(open) {
		return dst[:start]
	}
	dst[len(dst)-1] = '}'
	return dst
}

// appendCount appends a bound of lengths or items, unless it is below least. least is the smallest value that
// is a constraint: 1 for a lower bound, where 0 allows everything, and 0 for an upper bound, where -1 stands
// for none.
func appendCount(dst []byte, name string, v, least int) []byte {
	if v < least {
		return dst
	}
	dst = append(jsontext.AppendString(dst, name), ':')
	return append(strconv.AppendInt(dst, int64(v), 10), ',')
}

// appendNumber appends a bound as the schema spells it: 1e2 stays 1e2.
func appendNumber(dst []byte, name string, n jsontext.Number) []byte {
	if n.Raw == nil {
		return dst
	}
	dst = append(jsontext.AppendString(dst, name), ':')
	return append(append(dst, n.Raw...), ',')
}

// appendText appends a string member without a comma on either side.
func appendText(dst []byte, name, v string) []byte {
	dst = append(jsontext.AppendString(dst, name), ':')
	return jsontext.AppendString(dst, v)
}
