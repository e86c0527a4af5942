package house

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// TestDocsSecurity keeps the threat table honest: every test and vector it names must exist.
func TestDocsSecurity(t *testing.T) {
	tests, shown := testNames(t), map[string]bool{}
	for _, v := range vectors.Read(t) {
		shown[v.TCID] = true
	}
	rows, named := 0, 0
	for line := range strings.SplitSeq(must.Text(t, "docs/reference/threats.md"), "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.Contains(cells[3], "`") {
			continue
		}
		rows++
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[3], -1) {
			named++
			name := m[1]
			if file, title, other := strings.Cut(name, " › "); other {
				if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), title) {
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

// TestDocsCommands tests that each test which a page tells a reader to run exists. Without one, the command passes.
func TestDocsCommands(t *testing.T) {
	tests, named := testNames(t), 0
	command := regexp.MustCompile(`go test \S+ -run '?((?:Test|Fuzz)\w+)`)
	for _, name := range listedByGit(t, "*.md") {
		for _, found := range command.FindAllStringSubmatch(must.Text(t, name), -1) {
			if named++; !tests[found[1]] {
				t.Errorf("%s: no test has the name %s", name, found[1])
			}
		}
	}
	if named < 8 {
		t.Fatalf("%d commands: the test has lost its subject", named)
	}
}

// testNames collects the test and fuzz functions of the repository.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	for _, name := range listedByGit(t, "*_test.go") {
		src, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, m := range declared.FindAllSubmatch(src, -1) {
			names[string(m[1])] = true
		}
	}
	return names
}
