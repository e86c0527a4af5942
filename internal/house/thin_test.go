package house

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// thin are ceilings of lines: the hosts of the asking side with their adapters in each language, and the drivers of
// stores. Each is what is there, so that it can only fall. The goal is 700 lines for a host, and 200 for a driver.
var thin = map[string]int{
	"ask/*.go ask/gosdk/*.go":                    1366,
	"bindings/js/src/ask/*.ts":                   977,
	"bindings/python/src/elicit_engine/ask/*.py": 1422,
	"store/memory/*.go":                          207,
	"store/sqlite/*.go":                          487,
	"store/postgres/*.go":                        309,
	"store/redis/*.go":                           805,
	"bindings/js/src/store/memory.ts":            120,
	"bindings/js/src/store/sqlite.ts":            263,
	"bindings/js/src/store/postgres.ts":          200,
	"bindings/js/src/store/redis.ts bindings/js/src/store/redis-history.ts": 373,
	"bindings/python/src/elicit_engine/store/memory.py":                     115,
	"bindings/python/src/elicit_engine/store/sqlite.py":                     214,
	"bindings/python/src/elicit_engine/store/postgres.py":                   180,
	"bindings/python/src/elicit_engine/store/redis.py":                      296,
}

// adapters are those for web servers, which are not of a host.
var adapters = []string{"bindings/js/src/ask/page.ts", "bindings/python/src/elicit_engine/ask/asgi.py"}

// TestHostsAreThin holds the code that each language has of its own to a ceiling. What a host decides belongs into the
// engine.
func TestHostsAreThin(t *testing.T) {
	for patterns, most := range thin {
		lines := 0
		for _, pattern := range strings.Fields(patterns) {
			files, err := filepath.Glob(filepath.FromSlash(pattern))
			if err != nil || len(files) == 0 {
				t.Fatalf("%s names no file: %v", pattern, err)
			}
			for _, file := range files {
				lines += linesOf(t, file)
			}
		}
		if lines > most || lines < most-20 {
			t.Errorf("%s has %d lines, at most %d: take something away, or lower a ceiling that is too high", patterns, lines,
				most)
		}
	}
}

func linesOf(t *testing.T, file string) int {
	t.Helper()
	for _, page := range adapters {
		if strings.HasSuffix(filepath.ToSlash(file), page) {
			return 0
		}
	}
	if strings.HasSuffix(file, "_test.go") {
		return 0
	}
	return strings.Count(must.Text(t, file), "\n")
}
