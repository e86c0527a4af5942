package abi

import (
	"bytes"
	"testing"

	"github.com/elicit-engine/elicit/internal/vectors"
)

// TestVectors runs every vector through Eval, the same function that C, Wasm and the bindings call.
func TestVectors(t *testing.T) {
	ran := map[string]int{}
	for _, v := range vectors.Read(t) {
		ran[v.Family()]++
		t.Run(v.TCID, func(t *testing.T) {
			const before = "the caller's"
			got, kept := bytes.CutPrefix(Eval(v.Op, v.In, []byte(before)), []byte(before))
			if !kept {
				t.Errorf("%s: %s overwrites what was before its result", v, v.Op)
			}
			if want := v.Output(); !bytes.Equal(got, want) {
				t.Errorf("%s (%s)\n got %s\nwant %s", v, v.About, got, want)
			}
		})
	}
	for family, n := range ran {
		t.Logf("vectors %s: %d", family, n)
	}
}
