package abi

import (
	"regexp"
	"testing"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// FuzzWire checks that decode and encode answer every input with one valid JSON document.
func FuzzWire(f *testing.F) {
	seen, scalar := map[string]bool{}, regexp.MustCompile(`:\s*("(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*)`)
	for _, v := range vectors.Read(f, "wire") {
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
