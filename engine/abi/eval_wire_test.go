package abi

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// FuzzWire checks that decode and encode answer every input with one valid JSON document.
func FuzzWire(f *testing.F) {
	files, err := filepath.Glob(filepath.Join(vectorRoot, "wire", "*.json"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no wire vectors to start from: %v", err)
	}
	seen, scalar := map[string]bool{}, regexp.MustCompile(`:\s*("(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*)`)
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		var v vector
		if err := json.Unmarshal(raw, &v); err != nil {
			f.Fatal(err)
		}
		// Long inputs are slow to vary and add nothing, and many vectors differ only in one word.
		if shape := v.Op + scalar.ReplaceAllString(string(v.In), ":0"); len(v.In) < 4096 && !seen[shape] {
			seen[shape] = true
			f.Add(v.Op == "encode", []byte(v.In))
		}
	}
	f.Fuzz(func(t *testing.T, encode bool, in []byte) {
		op := "decode"
		if encode {
			op = "encode"
		}
		out := Eval(op, in, nil)
		if fault := jsontext.Check(out, jsontext.Limits{Bytes: 64 << 20, Depth: 1000, Members: 1 << 22}); fault != nil {
			t.Fatalf("%s %s\nis answered with %s\n%v", op, in, out, fault)
		}
	})
}
