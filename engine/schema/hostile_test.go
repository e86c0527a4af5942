package schema

import (
	"strings"
	"testing"
)

// TestHostileSchemas checks that documents built to be expensive are refused with one clear problem. BenchmarkHostile
// shows that this is quick.
func TestHostileSchemas(t *testing.T) {
	for _, h := range hostile() {
		form, problems := Compile([]byte(h.doc), Options{Limits: h.limits})
		if form != nil || len(problems) == 0 || problems[0].Code != h.want {
			t.Errorf("%s: got %v, want %s", h.name, problems, h.want)
		}
	}
}

func BenchmarkHostile(b *testing.B) {
	for _, h := range hostile() {
		doc := []byte(h.doc)
		b.Run(h.name, func(b *testing.B) {
			for b.Loop() {
				Compile(doc, Options{Limits: h.limits})
			}
		})
	}
}

type hostileSchema struct {
	name, doc, want string
	limits          Limits
}

func hostile() []hostileSchema {
	wide := Limits{Bytes: 8 << 20}
	repeat := func(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+",", n), ",") }
	numbered := func(n int, value string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(`,"f` + string(rune('a'+i%26)) + strings.Repeat("x", i/26%40) + strings.Repeat("y", i/1040) + `":` +
				value)
		}
		return b.String()[1:]
	}
	root := func(properties, more string) string {
		return `{"type":"object","properties":{` + properties + `}` + more + `}`
	}
	nested := `{"enum":[` + manyEnum(900)[1:] + `,"type":"string"}`
	for range 10 {
		nested = `{"anyOf":[{"type":"null"},` + nested + `]}`
	}
	return []hostileSchema{
		{"5000 fields", root(numbered(5000, `{"type":"boolean"}`), ""), "json_size", Limits{}},
		{"5000 fields, wide", root(numbered(5000, `{"type":"boolean"}`), ""), "too_many_fields", wide},
		{"20000 fields", root(numbered(20000, `{}`), ""), "json_members", wide},
		{"100000 choices", root(`"a":{"type":"string","enum":[`+repeat(100_000, `"x"`)+`]}`, ""), "json_members", wide},
		{"9000 choices", root(`"a":{"type":"string","enum":[`+repeat(9_000, `"x"`)+`]}`, ""), "too_many_choices", wide},
		{"deep", strings.Repeat(`{"a":`, 5000), "json_depth", Limits{}},
		{"references to one large union", root(numbered(100, `{"$ref":"#/$defs/a"}`), `,"$defs":{"a":`+nested+`}`),
			"refs_too_large", Limits{}},
		{"unknown required names", root("", `,"required":[`+repeat(6_000, `"nothing"`)+`]`), "unknown_required", Limits{}},
	}
}
