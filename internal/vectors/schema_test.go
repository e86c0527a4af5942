package vectors_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// TestVectorSchema checks every vector against the schema for other languages.
func TestVectorSchema(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(vectors.Root(t), "vector.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc jsonschema.Schema
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	schema, err := doc.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
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
