package house

import (
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestShippedCodeImportsNoTest keeps what only tests need out of the code that is built into a program.
func TestShippedCodeImportsNoTest(t *testing.T) {
	checked := 0
	for name, text := range sources(t) {
		if path.Ext(name) != ".go" || isTest(name) || isBelow(name, aside) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		must.OK(t, err)
		checked++
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			inner := strings.TrimPrefix(imported, "github.com/elicit-engine/elicit/")
			if imported == "testing" || strings.Contains(imported+"/", "/tests/") || isBelow(inner, harnesses) {
				t.Errorf("%s imports %s: move it to a test, or below a directory called tests", name, imported)
			}
		}
	}
	if checked < 500 {
		t.Fatalf("only %d files checked: the test has lost its subject", checked)
	}
}
