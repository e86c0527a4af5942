package abi

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/schema"
)

// evalCompile reads {schema, profile?, limits?} and returns {"form"} or {"problems"}. The form is what an interface
// draws. Its shape is in docs/reference/abi.md, Effects.
func evalCompile(in gjson.Result, dst []byte) []byte {
	form, dst, ok := compileFrom(in, dst)
	if !ok {
		return dst
	}
	return append(form.AppendJSON(append(dst, `{"form":`...)), '}')
}

// evalCheck reads {schema, profile?, limits?, content?, fill?} and returns {"content"} or {"problems"}. Without
// content, it checks an accept without content. The returned content is the filled one, or the given one if fill is
// false. With fill, the answer is what the engine would send for that content: {"n":3} for {} and a default of 3.
// Without it, {} lacks n.
func evalCheck(in gjson.Result, dst []byte) []byte {
	form, dst, ok := compileFrom(in, dst)
	if !ok {
		return dst
	}
	content, present := document(in, "content")
	if !present {
		// Unreadable base64 is not "no content", which would be checked as an empty answer.
		if member(in, "content_base64").Exists() {
			return missing(dst, "content")
		}
		content = []byte("{}")
	}
	if fill := member(in, "fill"); fill.Type != gjson.False {
		content = form.Fill(nil, content)
	}
	// The same check that an engine makes of a person's answer, before it is sent.
	if problems := form.Check(content); problems != nil {
		return appendProblem(dst, problems...)
	}
	return append(append(append(dst, `{"content":`...), content...), '}')
}

// evalCoerce reads {schema, profile?, limits?, text} and returns {"content"}, or {"content","problems"} with the
// content that was understood. text maps field names to typed values: a string, a list of strings, or a boolean.
// Example: "3.5" typed into an integer field is
// {"content":{"n":3.5},"problems":[{"code":"not_integer","pointer":"/n"}]}. The number stays in the content, so that
// the form shows what the person typed.
func evalCoerce(in gjson.Result, dst []byte) []byte {
	form, dst, ok := compileFrom(in, dst)
	if !ok {
		return dst
	}
	typed, ok := readTyped(member(in, "text"))
	if !ok {
		return missing(dst, "text")
	}
	dst = append(dst, `{"content":`...)
	dst, problems := form.Coerce(dst, typed)
	if problems != nil {
		dst = elicit.AppendList(append(dst, `,"problems":`...), problems)
	}
	return append(dst, '}')
}

// A number is no typed value: a person types text, and a program that has a number needs no coercion.
func readTyped(text gjson.Result) (typed []schema.Typed, ok bool) {
	if !text.IsObject() {
		return nil, false
	}
	ok = true
	text.ForEach(func(k, v gjson.Result) bool {
		name := k.String()
		switch {
		case v.Type == gjson.String:
			typed = append(typed, schema.TypedText(name, v.String()))
		case v.IsBool():
			typed = append(typed, schema.TypedBool(name, v.Bool()))
		case v.IsArray():
			list := []string{}
			v.ForEach(func(_, item gjson.Result) bool {
				list = append(list, item.String())
				ok = ok && item.Type == gjson.String
				return ok
			})
			typed = append(typed, schema.TypedList(name, list))
		default:
			ok = false
		}
		return ok
	})
	return typed, ok
}

// compileFrom compiles the parameter schema. If ok is false, dst has the whole answer. Three operations and OpForm
// share it, so all of them have the same parameters.
func compileFrom(in gjson.Result, dst []byte) (form *schema.Form, out []byte, ok bool) {
	doc, present := document(in, "schema")
	if !present {
		return nil, missing(dst, "schema"), false
	}
	var o schema.Options
	profile := member(in, "profile")
	if o.Profile, ok = schema.ProfileNamed(profile.String()); !ok && profile.Exists() {
		return nil, missing(dst, "profile"), false
	}
	if o.Limits, ok = formLimits(member(in, "limits")); !ok {
		return nil, missing(dst, "limits"), false
	}
	form, problems := schema.Compile(doc, o)
	if problems != nil {
		return nil, appendProblem(dst, problems...), false
	}
	return form, dst, true
}

// formLimits reads {bytes?,depth?,fields?,choices?,text?}. An unknown member fails closed. A misspelt limit would be a
// limit that does not hold.
func formLimits(v gjson.Result) (l schema.Limits, ok bool) {
	if !v.Exists() {
		return l, true
	}
	ok = v.IsObject()
	v.ForEach(func(k, n gjson.Result) bool {
		ok = ok && n.Type == gjson.Number && n.Int() > 0
		switch k.String() {
		case "bytes":
			l.Bytes = strict.Bounded(n.Int())
		case "depth":
			l.Depth = strict.Bounded(n.Int())
		case "fields":
			l.Fields = strict.Bounded(n.Int())
		case "choices":
			l.Choices = strict.Bounded(n.Int())
		case "text":
			l.Text = strict.Bounded(n.Int())
		default:
			ok = false
		}
		return ok
	})
	return l, ok
}
