package abi

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// TestSchemaProblemsHaveSentences renders every problem that a vector of these families expects. Each code needs a
// template, and each name in a template an argument.
func TestSchemaProblemsHaveSentences(t *testing.T) {
	codes := map[string]bool{}
	for _, v := range vectors.Read(t, "schema", "check", "coerce") {
		var want struct {
			Problems []struct {
				Code string
				Args map[string]json.RawMessage
			}
		}
		if err := json.Unmarshal(v.Want, &want); err != nil {
			t.Fatalf("%s: %v", v, err)
		}
		for _, p := range want.Problems {
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
				t.Errorf("%s: %s reads %q", v, p.Code, text)
			}
		}
	}
	if len(codes) < 50 {
		t.Errorf("only %d codes were seen", len(codes))
	}
}
