package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

var update = flag.Bool("update", false, "write component/bindgen/boundary.txt")

// TestGlueFitsTheWIT compares the component's hand-written exports and imports with those that the Bytecode Alliance's
// wit-bindgen-go generates from elicit.wit. Names and parameters must be the same. The generator takes as long to
// compile as the engine, so boundary.txt keeps what it generated from this WIT in this version.
func TestGlueFitsTheWIT(t *testing.T) {
	t.Parallel()
	const kept = "component/bindgen/boundary.txt"
	from := fmt.Sprintf("%x", sha256.Sum256([]byte(must.Text(t, "elicit.wit")+must.Text(t, "component/bindgen/go.mod"))))
	text := must.Text(t, kept)
	if *update || vectors.Nightly() || !strings.HasPrefix(text, from) {
		generated := from + "\n" + generate(t)
		if *update {
			must.OK(t, os.WriteFile(kept, []byte(generated), 0o644))
		} else if generated != text {
			t.Errorf("%s is old: go test ./wasm -run TestGlueFitsTheWIT -update", kept)
		}
		text = generated
	}
	want := map[string]string{}
	for line := range strings.Lines(text[len(from)+1:]) {
		name, parameters, _ := strings.Cut(strings.TrimSuffix(line, ")\n"), "(")
		want[name] = parameters
	}
	got := boundary(t, "component")
	if len(want) < 12 {
		t.Fatalf("only %d functions generated: %v", len(want), want)
	}
	delete(got, "export cabi_realloc") // belongs to the canonical ABI and not to the world
	for name, parameters := range want {
		ours, there := got[name]
		delete(got, name)
		// The glue does not import functions that it never calls.
		if !there && (strings.Contains(name, "[resource-rep]") || strings.Contains(name, "[resource-drop]")) {
			continue
		}
		if ours != parameters {
			t.Errorf("%s takes (%s), the WIT wants (%s)", name, ours, parameters)
		}
	}
	for name := range got {
		if strings.HasPrefix(name, "export") || strings.Contains(name, "elicit:") {
			t.Errorf("%s is not in the WIT", name)
		}
	}
}

// generate runs the generator, and returns a line for each function.
func generate(t *testing.T) string {
	t.Helper()
	made := t.TempDir()
	wit, err := filepath.Abs("elicit.wit")
	must.OK(t, err)
	run := exec.Command("go", "run", "go.bytecodealliance.org/cmd/wit-bindgen-go", "generate", "--world", "elicit",
		"--package-root", "made", "--out", made, wit)
	run.Dir, run.Env = "component/bindgen", append(os.Environ(), "GOWORK=off")
	must.Run(t, run)
	var lines strings.Builder
	found := boundary(t, made)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		fmt.Fprintf(&lines, "%s(%s)\n", name, found[name])
	}
	return lines.String()
}

var crossing = regexp.MustCompile(`(?m)^//go:wasm(export|import) (.+)\n(?://.*\n)*func \w+\((.*?)\)`)

// boundary lists the functions that cross into the host under dir, each with the core types of its parameters.
func boundary(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, m := range crossing.FindAllStringSubmatch(string(text), -1) {
			found[m[1]+" "+m[2]] = coreTypes(m[3])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// coreTypes returns the core WebAssembly types of a parameter list.
func coreTypes(parameters string) string {
	var types []string
	waiting := 0
	for part := range strings.SplitSeq(parameters, ",") {
		words := strings.Fields(part)
		switch {
		case len(words) == 0:
			continue
		case len(words) == 1 && !strings.ContainsAny(words[0], "*") && words[0] != "rep":
			waiting++ // a name whose type follows a later name
			continue
		}
		kind := "i32"
		if words[len(words)-1] == "uint64" {
			kind = "i64"
		}
		for range waiting + 1 {
			types = append(types, kind)
		}
		waiting = 0
	}
	return strings.Join(types, " ")
}
