package schema

import "github.com/elicit-engine/elicit/engine/internal/jsontext"

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
	o := jsontext.Begin(dst)
	o.OptStrs("title", f.Title, "help", f.Help)
	o.Each("fields", len(f.Fields), func(dst []byte, i int) []byte { return f.Fields[i].AppendJSON(dst) })
	jsontext.OptList(&o, "notes", f.Notes)
	return o.End()
}

// AppendJSON appends the field as a member of the form's "fields".
func (f *Field) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "name", f.Name, "label", f.Label)
	o.OptStr("help", f.Help)
	o.Strs("kind", f.Kind.String(), "widget", f.Widget.String())
	o.Bool("required", f.Required)
	o.OptTrue("sensitive", f.Sensitive)
	if f.Choices != nil {
		o.Each("choices", len(f.Choices), func(dst []byte, i int) []byte { return f.appendTitled(dst, "value", i) })
	}
	o.OptObject("constraints", func(limits jsontext.Object) jsontext.Object {
		f.Limit.write(&limits, false)
		return limits
	})
	if f.Initial != nil {
		o.Raw("initial", f.Initial)
		o.Str("provenance", f.Provenance.String())
	}
	return o.End()
}

// appendTitled appends {value,"title","description"?}. value is the name of the first member. The title is always
// there, even if it equals the value.
func (f *Field) appendTitled(dst []byte, value string, i int) []byte {
	o := jsontext.Begin(dst)
	o.Name(value, func(dst []byte) []byte { return f.appendChoice(dst, i) })
	o.Str("title", f.Choices[i].Title)
	o.OptStr("description", f.Choices[i].Description)
	return o.End()
}

// write adds the members of "constraints", or with schema those of a JSON Schema. There, a format that is only shown is
// an annotation, and each of several patterns is a schema.
func (l *Constraints) write(o *jsontext.Object, schema bool) {
	note, patterns := "note", "patterns"
	if schema {
		note, patterns = "format", "allOf"
	}
	count := func(name string, v, least int) { // 0 allows everything as a least number, and -1 stands for no greatest
		if v >= least {
			o.Int(name, int64(v))
		}
	}
	count("minLength", l.MinLength, 1)
	count("maxLength", l.MaxLength, 0)
	if len(l.patterns) == 1 {
		o.Str("pattern", l.patterns[0].spelled)
	} else if l.patterns != nil {
		o.Each(patterns, len(l.patterns), func(dst []byte, i int) []byte {
			if schema {
				return jsontext.Whole(dst, "pattern", l.patterns[i].spelled)
			}
			return jsontext.AppendString(dst, l.patterns[i].spelled)
		})
	}
	o.OptRaw("minimum", l.Minimum.Raw) // as the schema spells it: 1e2 stays 1e2
	o.OptRaw("maximum", l.Maximum.Raw)
	o.OptRaw("exclusiveMinimum", l.Above.Raw)
	o.OptRaw("exclusiveMaximum", l.Below.Raw)
	o.OptRaw("multipleOf", l.MultipleOf.Raw)
	count("minItems", l.MinItems, 1)
	count("maxItems", l.MaxItems, 0)
	if l.Format != AnyFormat {
		o.Str("format", l.Format.String())
	}
	o.OptStr(note, l.FormatNote)
}
