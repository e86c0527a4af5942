package risk

import (
	"encoding/json"
	"flag"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/internal/pages"
	"github.com/elicit-engine/elicit/internal/vectors"
)

var update = flag.Bool("update", false, "write the table of docs/reference/flagged.md, and laid_out.go")

// TestDocument checks that the page has the checks as the code has them. -update writes them.
func TestDocument(t *testing.T) {
	var b strings.Builder
	b.WriteString("| code | severity | what it means | source |\n|---|---|---|---|\n")
	for _, d := range Docs() {
		about := strings.ReplaceAll(d.About, "|", "\\|")
		b.WriteString("| `" + d.Code + "` | " + string(d.Severity) + " | **" + d.Title + ".** " + about + " | " +
			d.Spec + " |\n")
	}
	pages.Section(t, "../../docs/reference/flagged.md", "checks", "go test ./engine/risk -run TestDocument -update",
		b.String(), *update)
}

// TestDocsComplete checks that every check has a row, English and a vector, and that no vector names an unknown check.
func TestDocsComplete(t *testing.T) {
	produced, against := readVectors(t)
	var codes []string
	for _, d := range Docs() {
		if d.Title == "" || d.About == "" || d.Spec == "" || d.Severity.Rank() > elicit.Critical.Rank() {
			t.Errorf("%s: row is not complete: %+v", d.Code, d)
		}
		if slices.Contains(codes, d.Code) {
			t.Errorf("%s: two checks with this code", d.Code)
		}
		codes = append(codes, d.Code)
		fallback := strings.ReplaceAll(d.Code, "_", " ")
		if got := english.Finding(elicit.Finding{Code: d.Code}); got == fallback {
			t.Errorf("%s: no English; add a sentence to findings in engine/english/tables_findings.go", d.Code)
		}
		if produced[d.Code] == 0 {
			t.Errorf("%s: no vector in testdata/vectors/risk wants it", d.Code)
		}
		if against[d.Code] == 0 {
			t.Errorf("%s: no vector named %s-not-SOMETHING shows where it stays silent", d.Code,
				strings.ReplaceAll(d.Code, "_", "-"))
		}
	}
	for code := range produced {
		if !slices.Contains(codes, code) {
			t.Errorf("%s: found in a vector, but no check in checkList has this code", code)
		}
	}
}

// readVectors counts the vectors that want each code, and those named CODE-not-… that do not want it.
func readVectors(t *testing.T) (produced, against map[string]int) {
	t.Helper()
	produced, against = map[string]int{}, map[string]int{}
	for _, v := range vectors.Read(t, "risk") {
		var want struct{ Findings []struct{ Code string } }
		if err := json.Unmarshal(v.Want, &want); err != nil {
			t.Fatalf("%s: %v", v, err)
		}
		silent, _, negative := strings.Cut(v.Name(), "-not-")
		silent = strings.ReplaceAll(silent, "-", "_")
		for _, f := range want.Findings {
			produced[f.Code]++
			if negative && f.Code == silent {
				t.Errorf("%s: is to show that %s stays silent, but wants it", v, silent)
			}
		}
		if negative {
			against[silent]++
		}
	}
	return produced, against
}

// TestEnglishUsesArguments renders every finding of hostile requests. No template may name an argument that is not
// sent.
func TestEnglishUsesArguments(t *testing.T) {
	rendered := map[string]bool{}
	for _, s := range hostile() {
		for _, f := range append(Inspect(&s), InspectAnswer(nil, []byte(`{"a":"`+pastedCard+`"}`))...) {
			rendered[f.Code] = true
			if line := english.Finding(elicit.Finding{Code: f.Code, Args: f.Args}); strings.Contains(line, "{") {
				t.Errorf("%s: template names an argument that is not sent: %s", f.Code, line)
			}
		}
	}
	for _, d := range Docs() {
		if !rendered[d.Code] {
			t.Errorf("%s: none of the hostile subjects produces it; add one to hostile in risk_test.go", d.Code)
		}
	}
}
