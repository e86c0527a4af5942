package house

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/pages"
)

const (
	configPage   = "docs/reference/configuration.md"
	configSchema = "docs/config.schema.json"
)

// member is one JSON member of a configuration, from the Go type and the engine's own tables.
type member struct {
	name, kind string // kind is the JSON type
	text       string // the field's comment, without its first word
	def, unit  string // def is "" if a member that is left out has no default
	least      string
	most       string
	values     []string
	schema     string // of its value, where the type says too little
}

// comments returns the comment of every field of the types in a file, by "Type.Field".
func comments(t *testing.T, file string) map[string]string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	must.OK(t, err)
	found := map[string]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		if s, ok := spec.Type.(*ast.StructType); ok {
			for _, field := range s.Fields.List {
				for _, name := range field.Names {
					found[spec.Name.Name+"."+name.Name] = strings.Join(strings.Fields(field.Doc.Text()), " ")
				}
			}
		}
		return false
	})
	return found
}

// members lists the members of a struct type. A field's comment begins with its name, which the page leaves out.
func members(t *testing.T, of any) (list []member) {
	t.Helper()
	typ, texts := reflect.TypeOf(of), comments(t, map[bool]string{true: "connection.go",
		false: "config.go"}[isConnection(of)])
	for field := range typ.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		text, ok := strings.CutPrefix(texts[typ.Name()+"."+field.Name], field.Name+" ")
		if !ok {
			t.Errorf("%s.%s has no comment that begins with its name", typ.Name(), field.Name)
			continue
		}
		text = strings.TrimPrefix(strings.TrimPrefix(text, "is "), "are ")
		list = append(list, member{name: name, kind: kindOf(field.Type), unit: unit(name), text: strings.ToUpper(text[:1]) +
			text[1:]})
	}
	return list
}

func isConnection(of any) bool {
	switch of.(type) {
	case elicit.Connection, elicit.Session:
		return true
	}
	return false
}

func kindOf(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[elicit.Text]():
		return "string"
	case t == reflect.TypeFor[json.RawMessage](), t.Kind() == reflect.Struct:
		return "object"
	case t.Kind() == reflect.Pointer:
		return kindOf(t.Elem())
	case t.Kind() == reflect.Slice:
		return "array"
	case t.Kind() == reflect.Bool:
		return "boolean"
	case t.Kind() == reflect.Int, t.Kind() == reflect.Int64:
		return "integer"
	}
	return "string"
}

// unit returns what a number counts, by its name.
func unit(name string) string {
	switch name {
	case "message", "schema", "url", "answer", "note", "arguments", "text", "flood_bytes", "max_message":
		return "bytes"
	case "fuel":
		return "steps"
	}
	if strings.HasSuffix(name, "_ms") {
		return "milliseconds"
	}
	return ""
}

// configMembers adds the information in the engine's tables to the members of a type.
func configMembers(t *testing.T, of any, keys []engine.ConfigKey) []member {
	list := members(t, of)
	for i, key := range keys {
		list[i].def, list[i].values = key.Default, key.Values
		if list[i].kind != key.Type {
			t.Errorf("%s is %s here and %s in describe", key.Name, list[i].kind, key.Type)
		}
	}
	return list
}

// connectionMembers adds the bounds of numbers, which describe does not list.
func connectionMembers(t *testing.T) []member {
	list := configMembers(t, elicit.Connection{}, relay.ConfigKeys())
	for i, m := range list {
		if m.kind != "integer" {
			continue
		}
		most := 24 * 3600 * 1000
		if m.unit == "bytes" {
			most = relay.MostMessage
		}
		list[i].least, list[i].most = "0", fmt.Sprint(most)
		for n, right := range map[int]bool{most: true, most + 1: false} {
			doc := fmt.Appendf(nil, `{"server":"s",%q:%d}`, m.name, n)
			if _, problems := relay.ReadConfig(doc); (len(problems) == 0) != right {
				t.Errorf("%s: %v", doc, problems)
			}
		}
	}
	return list
}

func limitMembers(t *testing.T) []member {
	list := members(t, elicit.Limits{})
	for i, l := range engine.Limits() {
		list[i].def, list[i].least, list[i].most = fmt.Sprint(l.Default), fmt.Sprint(l.Least), fmt.Sprint(l.Most)
	}
	return list
}

func guardianMembers(t *testing.T) []member {
	phases := []string{string(guardian.BeforeShow), string(guardian.BeforeSend)}
	known := map[string]member{
		"digest":      {schema: `{"type":"string","pattern":"^[0-9a-f]{64}$"}`},
		"declared":    {schema: `{"$ref":"#/$defs/declared"}`},
		"settings":    {def: "{}"},
		"reads":       {def: "[]", schema: strs},
		"phases":      {schema: list(enum(phases))},
		"audit":       {def: "false"},
		"fuel":        {def: fmt.Sprint(guardian.DefaultFuel), least: "1", most: fmt.Sprint(guardian.MaxFuel)},
		"deadline_ms": {def: fmt.Sprint(guardian.GuestDeadline), least: "1", most: "604800000"},
		"wasi":        {def: "false"}, "reviewer": {def: "false"}, "escalate": {def: "false"}, "host": {def: "false"},
	}
	list := members(t, elicit.Guardian{})
	for i, m := range list {
		k := known[m.name]
		list[i].def, list[i].least, list[i].most, list[i].values, list[i].schema = k.def, k.least, k.most, k.values, k.schema
	}
	return list
}

const strs = `{"type":"array","items":{"type":"string"}}`

func list(items string) string { return `{"type":"array","items":` + items + `}` }

func enum(values []string) string {
	doc, _ := json.Marshal(values)
	return `{"enum":` + string(doc) + `}`
}

// table writes the members as a table of Markdown.
func table(dst *strings.Builder, list []member) {
	dst.WriteString("| member | type | default | least | most | meaning |\n|---|---|---|---|---|---|\n")
	code := func(s string) string {
		if s == "" {
			return ""
		}
		return "`" + s + "`"
	}
	for _, m := range list {
		kind, text := m.kind, m.text
		if m.unit != "" {
			kind += ", " + m.unit
		}
		if m.values != nil {
			text += " One of `" + strings.Join(m.values, "`, `") + "`."
		}
		fmt.Fprintf(dst, "| `%s` | %s | %s | %s | %s | %s |\n", m.name, kind, code(m.def), code(m.least), code(m.most), text)
	}
}

// configurationPage returns docs/reference/configuration.md.
func configurationPage(t *testing.T) string {
	t.Helper()
	var p strings.Builder
	p.WriteString(pageIntro)
	table(&p, configMembers(t, elicit.Config{}, engine.ConfigKeys()))
	p.WriteString(pagePolicy)
	table(&p, members(t, elicit.Policies{}))
	p.WriteString(pageLimits)
	table(&p, limitMembers(t))
	p.WriteString(pageGuardians)
	table(&p, guardianMembers(t))
	p.WriteString("\nThe member `declared` has these members:\n\n")
	table(&p, members(t, elicit.Declared{}))
	p.WriteString(pageConnection)
	table(&p, connectionMembers(t))
	p.WriteString("\nThe member `session` has these members:\n\n")
	table(&p, members(t, elicit.Session{}))
	return p.String()
}

// object returns the schema of an object with these members and no others.
func object(title string, list []member, required ...string) string {
	var p strings.Builder
	fmt.Fprintf(&p, `{"description":%q,"type":"object","additionalProperties":false,`, title)
	if required != nil {
		doc, _ := json.Marshal(required)
		fmt.Fprintf(&p, `"required":%s,`, doc)
	}
	p.WriteString(`"properties":{`)
	for i, m := range list {
		if i > 0 {
			p.WriteByte(',')
		}
		text, _ := json.Marshal(m.text)
		schema := m.schema
		if schema == "" {
			schema = fmt.Sprintf(`{"type":%q}`, m.kind)
		}
		if m.values != nil {
			schema = enum(m.values)
		}
		fmt.Fprintf(&p, `%q:{"description":%s,%s`, m.name, text, schema[1:len(schema)-1])
		for _, extra := range [][2]string{{"default", m.def}, {"minimum", m.least}, {"maximum", m.most}} {
			if extra[1] != "" {
				fmt.Fprintf(&p, `,%q:%s`, extra[0], extra[1])
			}
		}
		p.WriteByte('}')
	}
	p.WriteString(`}}`)
	return p.String()
}

// schemaFile returns docs/config.schema.json.
func schemaFile(t *testing.T) []byte {
	t.Helper()
	top := configMembers(t, elicit.Config{}, engine.ConfigKeys())
	inner := map[string]string{
		"servers": strs, "grants": list(`{"$ref":"#/$defs/grant"}`), "guardians": list(`{"$ref":"#/$defs/guardian"}`),
		"limits": `{"$ref":"#/$defs/limits"}`, "policy": `{"$ref":"#/$defs/policy"}`,
	}
	for i := range top {
		top[i].schema = inner[top[i].name]
	}
	policies := members(t, elicit.Policies{})
	for _, p := range policies {
		if !strings.HasSuffix(p.name, "_text") {
			continue // a path is no document
		}
		p.name, p.schema = strings.TrimSuffix(p.name, "_text"), `{"$ref":"policy.schema.json"}`
		policies = append(policies, p)
	}
	declared := members(t, elicit.Declared{})
	for i := range declared {
		declared[i].schema = strs
	}
	doc := object("The configuration of an engine. docs/reference/configuration.md explains every member.", top)
	doc = `{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Elicit configuration",` + doc[1:len(doc)-1] +
		`,"$defs":{"limits":` + object("Bounds of an engine.", limitMembers(t)) +
		`,"policy":` + object("Policy by layer, as a document or as its exact text.", policies) +
		`,"guardian":` + object("What an operator lets one guardian do.", guardianMembers(t), "name") +
		`,"declared":` + object("What a module's manifest says it wants.", declared) +
		`,"grant":` + grantSchema + `}}`
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(doc), "", "  "); err != nil {
		t.Fatalf("%v\n%s", err, doc)
	}
	return append(out.Bytes(), '\n')
}

const grantSchema = `{"description":"A remembered answer, as a remember effect told it.","type":"object",
	"additionalProperties":false,"required":["id","digest","server","message","scope"],"properties":{
	"id":{"type":"string"},"digest":{"type":"string","pattern":"^[0-9a-f]{64}$"},"principal":{"type":"string"},
	"server":{"type":"string"},"identity":{"type":"string"},"tool":{"type":"string"},"message":{"type":"string"},
	"scope":{"const":"always"},"expires_at":{"description":"Milliseconds since 1970.","type":"integer","minimum":0}}}`

// TestConfigurationIsFresh checks that the page and the schema match the types. -update writes them.
func TestConfigurationIsFresh(t *testing.T) {
	for name, want := range map[string][]byte{configPage: []byte(configurationPage(t)), configSchema: schemaFile(t)} {
		pages.File(t, name, "go test ./internal/house -run TestConfigurationIsFresh -update", string(want), *update)
	}
}
