package abi

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/risk"
)

// evalInspect answers {message?, url?, schema?} with {"findings":[…]}. With a url it inspects URL mode. The schema is
// read for its texts alone, so that a request whose schema will not compile is inspected too.
func evalInspect(in gjson.Result, dst []byte) []byte {
	s := risk.Subject{Mode: elicit.Form}
	for name, text := range map[string]*string{"message": &s.Message, "url": &s.URL} {
		v := member(in, name)
		if v.Exists() && v.Type != gjson.String {
			return missing(dst, name)
		}
		*text = v.String()
		if name == "url" && v.Exists() {
			s.Mode = elicit.URL
		}
	}
	if schema, ok := document(in, "schema"); ok {
		if f := jsontext.Check(schema, jsontext.Limits{}); f != nil {
			return appendProblem(dst, elicit.FromFault(f))
		}
		s.Fields = riskFields(gjson.ParseBytes(schema))
	}
	dst = append(dst, `{"findings":`...)
	return append(elicit.AppendList(dst, risk.Inspect(&s)), '}')
}

// riskFields reads the texts of a requested schema. A boolean or a choice is closed: nothing can be typed into it.
func riskFields(schema gjson.Result) (fields []risk.Field) {
	member(schema, "properties").ForEach(func(name, p gjson.Result) bool {
		kind := member(p, "type").String()
		fields = append(fields, risk.Field{
			Name: name.String(), Title: text(p, "title"), Description: text(p, "description"),
			Closed: kind == "boolean" || kind == "array" || member(p, "enum").Exists() || member(p, "oneOf").Exists(),
		})
		return true
	})
	return fields
}

func text(in gjson.Result, name string) string {
	if v := member(in, name); v.Type == gjson.String {
		return v.String()
	}
	return ""
}
