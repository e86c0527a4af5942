package vectors_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// TestVectorSchema checks every vector against the schema for other languages.
func TestVectorSchema(t *testing.T) {
	var doc jsonschema.Schema
	must.Unmarshal(t, must.Read(t, vectors.Root(t), "vector.schema.json"), &doc)
	schema, err := doc.Resolve(nil)
	must.OK(t, err)
	for _, given := range vectors.Read(t) {
		var v map[string]any
		dec := json.NewDecoder(bytes.NewReader(given.Text))
		dec.UseNumber() // some vectors have numbers that no float64 can hold
		if err := dec.Decode(&v); err != nil {
			t.Fatalf("%s: %v", given, err)
		}
		for _, name := range []string{"in", "want"} {
			if _, object := v[name].(map[string]any); object {
				v[name] = map[string]any{} // each operation defines the contents
			}
		}
		if err := schema.Validate([]any{v}); err != nil {
			t.Errorf("%s: %v", given, err)
		}
	}
	ops := doc.Items.Properties["op"].Enum
	for _, op := range abi.Ops() {
		if !slices.Contains(ops, any(op)) {
			t.Errorf("the schema does not know op %s", op)
		}
	}
	for _, wrong := range []string{`{}`, `[]`, `[{}]`,
		`[{"tcId":"a/b","spec":"s","about":"a","op":"guess","in":{},"want":{}}]`,
		`{"tcId":"a/b","spec":"s","about":"a","op":"run","in":{},"want":{}}`,
		`[{"tcId":"a/b","spec":"s","about":"a","op":"run","in":{},"want":{},"more":1}]`} {
		var v any
		if err := json.NewDecoder(strings.NewReader(wrong)).Decode(&v); err != nil || schema.Validate(v) == nil {
			t.Errorf("%s passes the schema (%v)", wrong, err)
		}
	}
}

// TestParseTells: what is wrong in a file is told with the place of the vector.
func TestParseTells(t *testing.T) {
	const good = `{"tcId":"step/a","spec":"s","about":"b","op":"run","in":{"x": 1.0 },"want":{}}`
	list, err := vectors.Parse("step/t.json", []byte("["+good+"]"))
	if err != nil || len(list) != 1 || list[0].String() != "step/t.json#a" || string(list[0].In) != `{"x": 1.0 }` {
		t.Fatalf("%v %v", list, err)
	}
	for text, want := range map[string]string{
		good:   "step/t.json is no list",
		"[{}]": `step/t.json, element 0: tcId is ""`,
		"[" + good + "," + strings.Replace(good, "step/", "other/", 1) + "]": `element 1: tcId is "other/a"`,
		"[" + strings.Replace(good, `"op"`, `"oq"`, 1) + "]":                 `step/t.json#a, element 0: json: unknown field`,
		"[" + strings.Replace(good, `"spec":"s",`, "", 1) + "]":              "step/t.json#a: a vector has spec, about",
		"[" + strings.Replace(good, `,"want":{}`, "", 1) + "]":               "step/t.json#a: a vector has spec, about",
	} {
		if _, err := vectors.Parse("step/t.json", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
}
