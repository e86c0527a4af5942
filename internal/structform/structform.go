// Package structform derives the requested schema of a form from a struct and its tags.
package structform

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Schema is the requested schema of a struct, in the restricted grammar of MCP. The function of that name in package
// ask describes the tags. An error names the field.
func Schema(t reflect.Type) (json.RawMessage, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%s is not a struct", t)
	}
	b := []byte(`{"type":"object","properties":{`)
	var required []string
	first := true
	for i := range t.NumField() {
		f := t.Field(i)
		name, optional, skip := nameOf(f)
		if skip {
			continue
		}
		property, err := propertyOf(f)
		if err != nil {
			return nil, fmt.Errorf("field %s of %s: %w", f.Name, t, err)
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(append(append(b, quoted(name)...), ':'), property...)
		if !optional {
			required = append(required, name)
		}
	}
	b = append(b, '}')
	if len(required) > 0 {
		b = append(append(b, `,"required":`...), encoded(required)...)
	}
	return append(b, '}'), nil
}

func nameOf(f reflect.StructField) (name string, optional, skip bool) {
	tag, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
	name = tag
	name = cmp.Or(name, f.Name)
	return name, f.Type.Kind() == reflect.Pointer || strings.Contains(rest, "omitempty"), !f.IsExported() || tag == "-"
}

// property is the schema of one field, with its members in the order of writing.
type property struct {
	members []string
	err     error
}

func (p *property) add(name, value string) { p.members = append(p.members, quoted(name)+":"+value) }

func (p *property) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

func propertyOf(f reflect.StructField) (string, error) {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	p := &property{}
	enum := f.Tag.Get("enum")
	bounds := [2]string{}
	switch {
	case t.Kind() == reflect.String:
		p.add("type", `"string"`)
		bounds = [2]string{"minLength", "maxLength"}
		if enum != "" {
			p.choices("oneOf", enum)
		}
	case t.Kind() == reflect.Bool:
		p.add("type", `"boolean"`)
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64:
		p.add("type", `"integer"`)
		bounds = [2]string{"minimum", "maximum"}
	case t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64:
		p.add("type", `"number"`)
		bounds = [2]string{"minimum", "maximum"}
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String:
		p.add("type", `"array"`)
		bounds = [2]string{"minItems", "maxItems"}
		if enum == "" {
			p.fail("a list needs an enum")
		}
		items := &property{}
		items.choices("anyOf", enum)
		p.add("items", "{"+strings.Join(items.members, ",")+"}")
	default:
		p.fail("a form cannot ask for %s", t)
	}
	if enum != "" && t.Kind() != reflect.String && t.Kind() != reflect.Slice {
		p.fail("%s cannot have an enum", t)
	}
	p.bound(f, "min", bounds[0])
	p.bound(f, "max", bounds[1])
	for _, name := range []string{"title", "description"} {
		if text := f.Tag.Get(name); text != "" {
			p.add(name, quoted(text))
		}
	}
	if format := f.Tag.Get("format"); format != "" {
		if t.Kind() != reflect.String {
			p.fail("only a string has a format")
		}
		p.add("format", quoted(format))
	}
	if text, has := f.Tag.Lookup("default"); has {
		p.fallback(t, text)
	}
	return "{" + strings.Join(p.members, ",") + "}", p.err
}

func (p *property) bound(f reflect.StructField, tag, name string) {
	text := f.Tag.Get(tag)
	switch {
	case text == "":
	case name == "":
		p.fail("it cannot have the tag %s", tag)
	default:
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			p.fail("tag %s: %q is not a number", tag, text)
		}
		p.add(name, text)
	}
}

func (p *property) choices(keyword, enum string) {
	var all []string
	for _, choice := range strings.Split(enum, ",") {
		value, title, titled := strings.Cut(choice, ":")
		if !titled {
			title = value
		}
		all = append(all, `{"const":`+quoted(value)+`,"title":`+quoted(title)+"}")
	}
	p.add(keyword, "["+strings.Join(all, ",")+"]")
}

// fallback adds the default, spelled as its type is.
func (p *property) fallback(t reflect.Type, text string) {
	switch t.Kind() {
	case reflect.String:
		text = quoted(text)
	case reflect.Slice:
		text = string(encoded(strings.Split(text, ",")))
	default:
		if !json.Valid([]byte(text)) {
			p.fail("tag default: %q is not a %s", text, t.Kind())
		}
	}
	p.add("default", text)
}

func quoted(s string) string { return string(encoded(s)) }

func encoded(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and lists of them can always be encoded
	}
	return b
}
