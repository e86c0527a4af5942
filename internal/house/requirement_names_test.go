package house

import (
	"regexp"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// TestVectorsExplainRequirementNames: testdata/vectors/README.md explains each short name of a requirement, such as R1,
// that vectors and docs/reference/flagged.md use, and no other.
func TestVectorsExplainRequirementNames(t *testing.T) {
	read := func(file string) string {
		return must.Text(t, file)
	}
	name := regexp.MustCompile(`\b[RCS][0-9]{1,2}\b`)
	used := map[string]bool{}
	for _, v := range vectors.Read(t) {
		for _, n := range name.FindAllString(v.Spec, -1) {
			used[n] = true
		}
	}
	_, table, _ := strings.Cut(read("docs/reference/flagged.md"), "\n## The checks\n")
	table, _, _ = strings.Cut(table, "\n## ")
	for row := range strings.Lines(table) {
		cells := strings.Split(row, " | ")
		for _, n := range name.FindAllString(cells[len(cells)-1], -1) {
			used[n] = true
		}
	}
	_, names, _ := strings.Cut(read("testdata/vectors/README.md"), "\n## Short names of requirements\n")
	explained := map[string]bool{}
	for row := range strings.Lines(names) {
		if cell := name.FindString(row); strings.HasPrefix(row, "| "+cell+" |") && cell != "" {
			explained[cell] = true
		}
	}
	if len(used) < 10 {
		t.Fatalf("found only %d names", len(used))
	}
	for n := range used {
		if !explained[n] {
			t.Errorf("testdata/vectors/README.md does not explain %s", n)
		}
	}
	for n := range explained {
		if !used[n] {
			t.Errorf("testdata/vectors/README.md explains %s, which nothing uses", n)
		}
	}
}
