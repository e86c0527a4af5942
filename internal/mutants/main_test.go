package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestMutants runs the command on a package in which a test notices one mutant, none notices another, and a third does
// not compile.
func TestMutants(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module tiny\n\ngo 1.24\n",
		"tiny.go": "package tiny\n\nvar table = []int{1}\n\nfunc same(a, b int) bool { return a == b }\n\n" +
			"func less(a, b int) bool { return a < b }\n\nfunc most() uint8 { return 255 }\n",
		"tiny_test.go": "package tiny\n\nimport \"testing\"\n\nfunc TestSame(t *testing.T) {\n" +
			"\tif !same(1, 1) || !less(1, 2) || table[0]+int(most()) != 256 {\n\t\tt.Fatal()\n\t}\n}\n",
	} {
		must.Write(t, text, dir, name)
	}
	t.Setenv("GOWORK", "off")
	var out strings.Builder
	must.OK(t, run(&out, options{dir: dir, count: 9, seed: 1}, []string{"."}))
	got := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{"own tests ", "tiny.go:5: == is !=: a == b", "survives ", "tiny.go:7: < is <=: a < b",
		"tiny 2 1 0 1 0 50.0 50.0"} {
		if !strings.Contains(got, want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
		}
	}
	same := filepath.Join(dir, "same.txt")
	for text, want := range map[string]string{
		"tiny.go: func less(a, b int) bool { return a < b } // < is <=: a < b\tnever equal\n":  "tiny 1 1 0 0 1 100.0",
		"other.go: func less(a, b int) bool { return a < b } // < is <=: a < b\tnever equal\n": "tiny 2 1 0 1 0 50.0",
		"tiny.go: func less(a, b int) bool { return a < b } // < is <=: a < b\n":               "",
	} {
		must.Write(t, text, same)
		out.Reset()
		err := run(&out, options{dir: dir, count: 9, seed: 1, own: ". -run TestSame", same: same}, []string{"."})
		got := strings.Join(strings.Fields(out.String()), " ")
		if (err == nil) != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%q: %v, and the report lacks %q:\n%s", text, err, want, out.String())
		}
	}
}

// TestSame checks that each mutant of same.txt has its line in its file.
func TestSame(t *testing.T) {
	same, err := readSame("same.txt")
	must.OK(t, err)
	for name := range same {
		file, rest, _ := strings.Cut(name, ": ")
		lines := strings.Split(string(must.Read(t, filepath.Join("../..", file))), "\n")
		if !slices.ContainsFunc(lines, func(line string) bool {
			line = strings.TrimSpace(line)
			return line != "" && strings.HasPrefix(rest, line+" // ")
		}) {
			t.Errorf("no line of the file is that of %s", name)
		}
	}
}
