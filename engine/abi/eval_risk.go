package abi

import (
	"strconv"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/risk"
)

// evalInspect reads {message?, url?, schema?, server?, known_hosts?[], known_servers?[], does?, command?, paths?[],
// outside?} and returns {"findings":[…]}. With a url, it inspects URL mode. It reads only the texts of the schema, so
// that a request is inspected even if its schema does not compile. With content, it inspects only that answer to the
// schema. An input without members has no findings.
func evalInspect(in gjson.Result, dst []byte) []byte {
	s := risk.Subject{Mode: elicit.Form}
	message, url := member(in, "message"), member(in, "url")
	switch {
	case message.Exists() && message.Type != gjson.String:
		return missing(dst, "message")
	case url.Exists() && url.Type != gjson.String:
		return missing(dst, "url")
	// The url decides the mode, so the message is then inspected as that of a page.
	case url.Exists():
		s.Mode, s.URL = elicit.URL, url.Str
	}
	s.Message = message.Str
	if schema, ok := document(in, "schema"); ok {
		// The gate, since gjson reads any bytes. The meaning of the schema is not checked.
		if f := jsontext.Check(schema, jsontext.Limits{}); f != nil {
			return appendProblem(dst, elicit.FromFault(f))
		}
		root := gjson.ParseBytes(schema)
		s.FormTitle, s.FormHelp, s.Fields = text(root, "title"), text(root, "description"), riskFields(root)
	}
	// The findings of an answer are those that the engine warns of before a secret leaves.
	if content, ok := document(in, "content"); ok {
		dst = append(dst, `{"findings":`...)
		return append(elicit.AppendList(dst, risk.InspectAnswer(s.Fields, content)), '}')
	}
	s.Server, s.KnownHosts, s.KnownServers = text(in, "server"), texts(in, "known_hosts"), texts(in, "known_servers")
	s.Does, s.Command, s.Paths = elicit.Deed(text(in, "does")), text(in, "command"), texts(in, "paths")
	if outside := member(in, "outside"); outside.Exists() {
		s.Outside = elicit.Say(outside.Bool())
	}
	dst = append(dst, `{"findings":`...)
	return append(elicit.AppendList(dst, risk.Inspect(&s)), '}')
}

// riskFields reads the texts of a requested schema. A boolean or a choice is closed: a person can type nothing into it.
// Pointers are into the params of elicitation/create, as in the engine's findings: /requestedSchema/properties/x/title.
func riskFields(schema gjson.Result) (fields []risk.Field) {
	properties := member(schema, "properties")
	if !properties.IsObject() {
		return nil
	}
	properties.ForEach(func(name, p gjson.Result) bool {
		at := jsontext.AppendToken([]byte("/requestedSchema/properties"), name.String())
		f := risk.Field{Name: name.String(), Title: text(p, "title"), Description: text(p, "description"),
			Default: text(p, "default"), Pointer: string(at),
			Choices: riskChoices(p, string(at))}
		kind := member(p, "type").String()
		f.Closed = kind == "boolean" || kind == "array" || member(p, "enum").Exists() || member(p, "oneOf").Exists()
		fields = append(fields, f)
		return true
	})
	return fields
}

// riskChoices reads every label that a person can pick, in the spellings of all protocol dates. enum and enumNames of
// 2025-06-18, oneOf and items.anyOf of 2025-11-25. A label that no form shows is read too, which only adds findings.
func riskChoices(p gjson.Result, at string) (choices []risk.Choice) {
	if items := member(p, "items"); items.IsObject() {
		choices = riskChoices(items, at+"/items")
	}
	for _, list := range [...]string{"enum", "enumNames", "oneOf", "anyOf"} {
		i := 0
		member(p, list).ForEach(func(_, v gjson.Result) bool {
			c := risk.Choice{Label: v.Str, Pointer: at + "/" + list + "/" + strconv.Itoa(i)}
			if v.IsObject() {
				c = risk.Choice{Label: text(v, "title"), Pointer: c.Pointer + "/title"}
			}
			choices = append(choices, c)
			i++
			return true
		})
	}
	return choices
}

// "" for a member that is missing or no string. The callers for which that matters look at the member first.
func text(in gjson.Result, name string) string {
	if v := member(in, name); v.Type == gjson.String {
		return v.String()
	}
	return ""
}

func texts(in gjson.Result, name string) (list []string) {
	member(in, name).ForEach(func(_, v gjson.Result) bool {
		if v.Type == gjson.String {
			list = append(list, v.Str)
		}
		return true
	})
	return list
}
