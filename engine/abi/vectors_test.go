package abi

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/loops"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// TestVectors runs every vector through Eval, the same function that C, Wasm and the bindings call.
func TestVectors(t *testing.T) {
	ran, all := map[string]int{}, vectors.Read(t)
	for _, v := range all {
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
	if !t.Failed() {
		must.OK(t, loops.Keep("Go", "vectors", len(all), len(all)))
	}
}

var update = flag.Bool("update", false, "put the vectors of each topic in order")

// TestVectorTopics checks how the files of vectors are laid out, so that two authors write the same file: vectors in
// the order of their names, and each outer member on a line of its own. -update writes them so. It changes neither the
// text of in nor that of want.
func TestVectorTopics(t *testing.T) {
	files := map[string][]vectors.Vector{}
	for _, v := range vectors.Read(t) {
		files[v.File] = append(files[v.File], v)
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		for _, v := range files[file] {
			// Who reads a name finds its file without a search.
			if nearest := longest(files, v.TCID); nearest != "" && nearest != file {
				t.Errorf("%s: its name begins with the name of %s; move it there", v, nearest)
			}
		}
		name, want := filepath.Join(vectors.Root(t), file), laidOut(t, files[file])
		if *update {
			must.Write(t, want, name)
		}
		if have, err := os.ReadFile(name); err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is not in order (%v); run: go test ./engine/abi -run TestVectorTopics -update", file, err)
		}
	}
}

// longest returns the file with the longest name whose words begin tcId, and "" for none.
func longest(files map[string][]vectors.Vector, tcID string) string {
	for name := tcID; strings.Contains(name, "/"); name = name[:max(strings.LastIndexAny(name, "-/"), 0)] {
		if _, there := files[name+".json"]; there {
			return name + ".json"
		}
	}
	return ""
}

// laidOut writes vectors as their file has them.
func laidOut(t *testing.T, list []vectors.Vector) []byte {
	t.Helper()
	var out bytes.Buffer
	for i, v := range list {
		var member map[string]json.RawMessage
		if err := json.Unmarshal(v.Text, &member); err != nil {
			t.Fatalf("%s: %v", v, err)
		}
		before := ",\n{"
		if i == 0 {
			before = "[\n{"
		}
		for _, name := range []string{"tcId", "spec", "about", "op", "in", "want"} {
			out.WriteString(before + "\n  \"" + name + "\": ")
			out.Write(member[name])
			before = ","
		}
		out.WriteString("\n}")
	}
	out.WriteString("\n]\n")
	return out.Bytes()
}
