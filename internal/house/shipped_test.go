package house

import (
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"
	"testing"
)

// suites are the packages outside of tests that may import package testing, each with its reason.
var suites = map[string]string{
	"store/storetest": "certifies the stores of others",
	"plugins/tck":     "certifies the hosts of others",
}

// TestShippedCodeImportsNoTest keeps what only tests need out of the code that is built into a program.
func TestShippedCodeImportsNoTest(t *testing.T) {
	found := map[string]bool{}
	for name, text := range sources(t) {
		if path.Ext(name) != ".go" || isTest(name) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			inner := strings.TrimPrefix(imported, "github.com/elicit-engine/elicit/")
			if imported != "testing" && !strings.Contains(imported+"/", "/tests/") && !isHarness(inner) {
				continue
			}
			if found[path.Dir(name)] = true; suites[path.Dir(name)] == "" {
				t.Errorf("%s imports %s: move it to a test, or below a directory called tests", name, imported)
			}
		}
	}
	for suite := range suites {
		if !found[suite] {
			t.Errorf("%s imports no test: remove it from the list", suite)
		}
	}
}
