package guardian

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Narrow returns a question as an engine would give it to the guardian of this permit. Of /request and /answer it has
// what was declared and permitted, and never more than the question has. If the question has the form, answers to
// sensitive fields are withheld as an engine withholds them. All other members stay, also unknown ones. It is for tools
// that try a permit against recorded questions. The question is not checked: it should come from an engine. A member
// request without anything permitted becomes {}, as in a real question.
func (g *Permit) Narrow(question []byte) []byte {
	root := gjson.ParseBytes(question)
	// Only Hidden and the answer are there, because appendAnswer needs nothing else.
	asks := Asks{subject: &Subject{Hidden: hiddenFields(root.Get("request.form"))}, answer: root.Get("answer")}
	o := jsontext.Begin(nil)
	root.ForEach(func(k, v gjson.Result) bool {
		switch k.String() {
		case "request":
			f := filter{permit: g, path: []string{"request"}}
			request, any := f.value(nil, v)
			if !any {
				request = []byte("{}")
			}
			o.Raw("request", request)
		case "answer":
			o.Raw("answer", asks.appendAnswer(nil, g, true))
		default:
			o.Raw(k.String(), []byte(v.Raw))
		}
		return true
	})
	return o.End()
}

// hiddenFields returns the sensitive fields of a form, as questions have it. A question of an engine also hides members
// that hold a secret by their form. From the question alone those cannot be told.
func hiddenFields(form gjson.Result) (list []Hidden) {
	for _, field := range form.Get("fields").Array() {
		if field.Get("sensitive").Bool() {
			kind := "string"
			switch field.Get("kind").Str {
			case "number", "integer":
				kind = "number"
			case "boolean":
				kind = "boolean"
			case "choices":
				kind = "array"
			}
			list = append(list, Hidden{Name: field.Get("name").Str, Type: kind})
		}
	}
	return list
}
