package abi

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const vectorRoot = "../../testdata/vectors"

type vector struct {
	TCID  string          `json:"tcId"`
	Spec  string          `json:"spec"`
	About string          `json:"about"`
	Op    string          `json:"op"`
	In    json.RawMessage `json:"in"`
	Want  json.RawMessage `json:"want"`
}

// TestVectors runs every vector through Eval, the same function that C, Wasm and the bindings call.
func TestVectors(t *testing.T) {
	ran := map[string]int{}
	err := filepath.WalkDir(vectorRoot, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".json" || filepath.Dir(path) == vectorRoot {
			return err
		}
		rel, _ := filepath.Rel(vectorRoot, strings.TrimSuffix(path, ".json"))
		family := filepath.ToSlash(filepath.Dir(rel))
		ran[family]++
		t.Run(filepath.ToSlash(rel), func(t *testing.T) { runVector(t, path, filepath.ToSlash(rel)) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(ran) == 0 {
		t.Fatal("no vectors ran")
	}
	for family, n := range ran {
		t.Logf("vectors %s: %d", family, n)
	}
}

func runVector(t *testing.T, path, id string) {
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var v vector
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if v.TCID != id || v.Spec == "" || v.About == "" {
		t.Errorf("%s: tcId %q, spec and about must be set and tcId must be the path", path, v.TCID)
	}
	var want bytes.Buffer
	if err := json.Compact(&want, v.Want); err != nil {
		t.Fatal(err)
	}
	const before = "the caller's"
	got, kept := bytes.CutPrefix(Eval(v.Op, v.In, []byte(before)), []byte(before))
	if !kept {
		t.Errorf("%s: %s overwrites what was before its result", path, v.Op)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s (%s)\n got %s\nwant %s", path, v.About, got, want.Bytes())
	}
}
