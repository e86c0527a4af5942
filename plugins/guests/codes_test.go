package guests_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// Where a guardian's source gives a finding its code: the second argument of find, and the pairs of links and the hits
// of destructive that become one.
var inSource = regexp.MustCompile(`(?:Severity::\w+|\} else \{ Severity::\w+ \}|find\(\s*severity),\s*` +
	`(?:if \w+ \{ )?"(\w+)"(?: \} else \{ "(\w+)" \})?|Some\(\("(\w+)", "`)

// TestCodes holds that a manifest lists the codes that the source gives its findings, and no other. Where a guardian is
// shown a secret, a code that is not listed becomes "withheld". The code of each verdict of the cases is listed too,
// all but those of cel, whose rules name their own; and every listed code has a case.
func TestCodes(t *testing.T) {
	for _, name := range guestNames(t) {
		t.Run(name, func(t *testing.T) {
			declared := declaredCodes(t, name)
			if source := sourceCodes(t, name); !maps.Equal(source, declared) {
				t.Errorf("the manifest lists %q, the source gives %q", sorted(declared), sorted(source))
			}
			cases := caseCodes(t, name)
			for code := range cases {
				if !declared[code] && name != "cel" {
					t.Errorf("a case has the code %q, which the manifest does not list", code)
				}
			}
			for code := range declared {
				if !cases[code] {
					t.Errorf("no case has the code %q, which the manifest lists", code)
				}
			}
		})
	}
}

func declaredCodes(t *testing.T, name string) map[string]bool {
	var manifest struct{ Codes []string }
	parse(t, filepath.Join(name, "guardian.json"), &manifest)
	codes := map[string]bool{}
	for _, code := range manifest.Codes {
		codes[code] = true
	}
	return codes
}

func sourceCodes(t *testing.T, name string) map[string]bool {
	codes := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(name, "src", "*.rs"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no source: %v", err)
	}
	for _, file := range files {
		for _, match := range inSource.FindAllSubmatch(must.Read(t, file), -1) {
			for _, code := range match[1:] {
				if len(code) > 0 {
					codes[string(code)] = true
				}
			}
		}
	}
	return codes
}

func caseCodes(t *testing.T, name string) map[string]bool {
	codes := map[string]bool{}
	for _, c := range casesOf(t, name) {
		var e struct {
			Verdict struct{ Findings []struct{ Code string } }
		}
		if err := json.Unmarshal(c.Text, &e); err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		for _, f := range e.Verdict.Findings {
			codes[f.Code] = true
		}
	}
	return codes
}

func parse(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

func sorted(codes map[string]bool) []string { return slices.Sorted(maps.Keys(codes)) }
