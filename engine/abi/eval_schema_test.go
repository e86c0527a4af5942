package abi

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
)

// TestSchemaProblemsHaveSentences renders every problem that a vector of these families expects. Each code needs a
// template, and each name in a template an argument.
func TestSchemaProblemsHaveSentences(t *testing.T) {
	codes := map[string]bool{}
	for _, family := range []string{"schema", "check", "coerce"} {
		paths, err := filepath.Glob(filepath.Join(vectorRoot, family, "*.json"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no vectors in %s: %v", family, err)
		}
		for _, path := range paths {
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var v struct {
				Want struct {
					Problems []struct {
						Code string
						Args map[string]json.RawMessage
					}
				}
			}
			if err := json.Unmarshal(raw, &v); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			for _, p := range v.Want.Problems {
				codes[p.Code] = true
				problem := elicit.Problem{Code: p.Code}
				for name, arg := range p.Args {
					if strings.ContainsAny(string(arg), "{}") { // braces that are no template's
						arg = json.RawMessage(`"x"`)
					}
					problem.Args = append(problem.Args, elicit.Raw(name, string(arg)))
				}
				text := english.Problem(problem)
				if text == strings.ReplaceAll(p.Code, "_", " ") || strings.ContainsAny(text, "{}") {
					t.Errorf("%s: %s reads %q", path, p.Code, text)
				}
			}
		}
	}
	if len(codes) < 50 {
		t.Errorf("only %d codes were seen", len(codes))
	}
}
