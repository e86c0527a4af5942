package engine_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/vectors"
)

// TestDocsSecurity keeps the threat table honest: every test and vector it names must exist.
func TestDocsSecurity(t *testing.T) {
	page, err := os.ReadFile("../docs/reference/threats.md")
	if err != nil {
		t.Fatal(err)
	}
	tests, shown := testNames(t), map[string]bool{}
	for _, v := range vectors.Read(t) {
		shown[v.TCID] = true
	}
	rows, named := 0, 0
	for line := range strings.SplitSeq(string(page), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.Contains(cells[3], "`") {
			continue
		}
		rows++
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[3], -1) {
			named++
			name := m[1]
			if file, title, other := strings.Cut(name, " › "); other {
				if text, err := os.ReadFile(filepath.Join("..", file)); err != nil || !strings.Contains(string(text), title) {
					t.Errorf("no test %q in %s", title, file)
				}
			} else if strings.Contains(name, "/") {
				if !shown[name] {
					t.Errorf("no vector %s", name)
				}
			} else if !tests[name] {
				t.Errorf("no test %s", name)
			}
		}
	}
	if rows < 20 || named < rows {
		t.Fatalf("%d rows name %d tests; the table has lost its shape", rows, named)
	}
}

// testNames collects the test and fuzz functions of the whole module.
func testNames(t *testing.T) map[string]bool {
	names := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		src, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(src, -1) {
			names[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
