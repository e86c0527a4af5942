package schema

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// FuzzCompile checks that no document breaks Compile, that exactly one result is set, that a form keeps no reference to
// its document, and that every form can be filled and checked.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{form8, `{}`, `[]`,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/a"}}}`,
		`{"type":"object","properties":{"a":{"anyOf":[{"type":"null"},{"anyOf":[{"type":"null"},{"type":"string"}]}]}}}`,
		`{"type":"object","properties":{"a":{"type":"number","multipleOf":1e-999,"minimum":1e999}}}`,
		`{"type":"object","properties":{"a":{"type":["null","string"],"enum":[null],"enumNames":["x"]}}}`,
		`{"type":"object","properties":{"a":{"type":"string","pattern":"^(?=.*\\d)[a-z]{2,}(x|y)*$","default":"ab1"}}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object",` +
			`"properties":{"a":{"allOf":[{"$ref":"#/definitions/a"},
			{"pattern":"a"},{"allOf":[{"pattern":"b"}]}],"default":"ab"}},"definitions":{"a":{"type":"string"}}}`,
		`{"type":"object","properties":{"a":{"type":"array","items":{"oneOf":[{"const":"x"},{"type":"null"}]},` +
			`"default":["x","x"]}}}`} {
		f.Add([]byte(seed), uint8(0))
		f.Add([]byte(seed), uint8(2))
	}
	f.Fuzz(func(t *testing.T, doc []byte, profile uint8) {
		own := bytes.Clone(doc)
		form, problems := Compile(own, Options{Profile: Profile(profile % 3)})
		if (form == nil) == (problems == nil) || len(problems) > maxProblems {
			t.Fatalf("form %v with %d problems", form != nil, len(problems))
		}
		if !json.Valid(elicit.AppendList(nil, problems)) {
			t.Fatalf("problems are not JSON: %s", elicit.AppendList(nil, problems))
		}
		if form == nil {
			return
		}
		before := form.AppendJSON(nil)
		clear(own)
		if after := form.AppendJSON(nil); !bytes.Equal(before, after) || !json.Valid(after) {
			t.Fatalf("the form keeps its document:\n%s\n%s", before, after)
		}
		filled := form.Fill(nil, nil)
		for _, p := range form.Check(filled) {
			if p.Code != "missing" {
				t.Fatalf("defaults alone are not valid: %s in %s", p.AppendJSON(nil), filled)
			}
		}
	})
}

// FuzzCheck checks that an accepted answer is JSON, that both ways of checking agree, that filling twice changes
// nothing, and that problems are JSON too.
func FuzzCheck(f *testing.F) {
	form := compiled(f, form8)
	for _, seed := range []string{form8Good, form8Bad, `{}`, `null`, `{"teams":["network","network"]}`,
		`{"count":1e400}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		problems := form.Check(answer)
		bothWays(t, form, answer)
		if problems == nil && !json.Valid(answer) {
			t.Fatalf("accepted what is not JSON: %q", answer)
		}
		if !json.Valid(elicit.AppendList(nil, problems)) {
			t.Fatalf("problems are not JSON: %s", elicit.AppendList(nil, problems))
		}
		filled := form.Fill(nil, answer)
		if form.Check(filled) != nil {
			return
		}
		if again := form.Fill(nil, filled); !bytes.Equal(filled, again) {
			t.Fatalf("filling twice differs:\n%s\n%s", filled, again)
		}
	})
}

// FuzzCoerce checks that an answer coerced without a problem is valid.
func FuzzCoerce(f *testing.F) {
	form := compiled(f, `{"type":"object","properties":{"n":{"type":"number"},"i":{"type":"integer","maximum":9},
		"b":{"type":"boolean"},"d":{"type":"string","format":"date-time"},"c":{"type":"string","enum":["a","b,c"]},
		"m":{"type":"array","items":{"type":"string","enum":["a","b,c"]}}}}`)
	for _, seed := range []string{"", "1", "-.5", "+", "1,0", "a,b", "b,c", "2026-01-02 03:04 +1", "y", "\u2212\u22121"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for i := range form.Fields {
			content, problems := form.Coerce(nil, []Typed{TypedText(form.Fields[i].Name, text)})
			if !json.Valid(content) {
				t.Fatalf("%q: not JSON: %s", text, content)
			}
			if problems == nil && form.Check(content) != nil {
				t.Fatalf("%q: coerced without a problem, but refused: %s", text, content)
			}
		}
	})
}
