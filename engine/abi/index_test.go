package abi

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

var update = flag.Bool("update", false, "write testdata/vectors/index.json anew")

// entry is one vector in the index for other languages.
type entry struct {
	TCID   string `json:"tcId"`
	Family string `json:"family"`
	Op     string `json:"op"`
	Spec   string `json:"spec"`
	About  string `json:"about"`
}

// vectorPaths lists every vector file, sorted.
func vectorPaths(t *testing.T) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(vectorRoot, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".json" && filepath.Dir(path) != filepath.Clean(vectorRoot) {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil || len(paths) < 300 {
		t.Fatalf("%d vectors: %v", len(paths), err)
	}
	slices.Sort(paths)
	return paths
}

// TestVectorIndex checks that index.json matches the vectors.
func TestVectorIndex(t *testing.T) {
	index := []byte("[\n")
	seen := map[string]bool{}
	for i, file := range vectorPaths(t) {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var e entry
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		e.Family = path.Dir(e.TCID)
		if seen[e.TCID] {
			t.Errorf("%s: tcId %s stands in another file too", file, e.TCID)
		}
		seen[e.TCID] = true
		if i > 0 {
			index = append(index, ",\n"...)
		}
		var line bytes.Buffer
		enc := json.NewEncoder(&line)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(e); err != nil {
			t.Fatal(err)
		}
		index = append(index, bytes.TrimSpace(line.Bytes())...)
	}
	index = append(index, "\n]\n"...)
	file := filepath.Join(vectorRoot, "index.json")
	if *update {
		if err := os.WriteFile(file, index, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, index) {
		t.Errorf("%s is stale; run: go test ./engine/abi -run TestVectorIndex -update", file)
	}
}

// TestVectorSchema checks every vector against the schema for other languages.
func TestVectorSchema(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(vectorRoot, "vector.schema.json"))
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
	for _, file := range vectorPaths(t) {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var v map[string]any
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber() // some vectors have numbers that no float64 can hold
		if err := dec.Decode(&v); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, name := range []string{"in", "want"} {
			if _, object := v[name].(map[string]any); object {
				v[name] = map[string]any{} // each operation defines the contents
			}
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	ops := doc.Properties["op"].Enum
	for _, op := range Ops() {
		if !slices.Contains(ops, any(op)) {
			t.Errorf("the schema does not know op %s", op)
		}
	}
	for _, wrong := range []string{`{}`, `{"tcId":"a/b","spec":"s","about":"a","op":"guess","in":{},"want":{}}`,
		`{"tcId":"a/b","spec":"s","about":"a","op":"run","in":{},"want":{},"more":1}`} {
		var v any
		if err := json.NewDecoder(strings.NewReader(wrong)).Decode(&v); err != nil || schema.Validate(v) == nil {
			t.Errorf("%s passes the schema (%v)", wrong, err)
		}
	}
}
