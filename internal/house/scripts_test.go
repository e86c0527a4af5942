package house

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestScriptsAreFresh checks that the packages for JavaScript and Python carry the scripts of store/redis and the
// statements of store/sqlite. With -update it writes them.
func TestScriptsAreFresh(t *testing.T) {
	files, err := filepath.Glob("store/redis/scripts/*.lua")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	slices.Sort(files)
	var js, python strings.Builder
	const head = "Code generated from store/redis/scripts by go test ./internal/house -run TestScriptsAreFresh -update"
	js.WriteString("// " + head + "; DO NOT EDIT.\n")
	python.WriteString("# " + head + "; DO NOT EDIT.\n")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".lua")
		if strings.ContainsAny(string(text), "`$\\\"") {
			t.Fatalf("%s has a character that a literal does not take", file)
		}
		fmt.Fprintf(&js, "export const %s = `%s`;\n", name, text)
		fmt.Fprintf(&python, "%s = \"\"\"%s\"\"\"\n", strings.ToUpper(name), text)
	}
	statements, err := os.ReadFile("store/sqlite/statements.sql")
	if err != nil || strings.ContainsAny(string(statements), "`$\\\"") {
		t.Fatal("statements.sql cannot be read, or has a character that a literal does not take: ", err)
	}
	made := strings.ReplaceAll(head, "store/redis/scripts", "store/sqlite/statements.sql") + "; DO NOT EDIT.\n"
	for file, want := range map[string]string{
		"bindings/python/src/elicit_engine/store/statements.py": "# " + made + `TEXT = """` + string(statements) + "\"\"\"\n",
		"bindings/js/src/store/statements.ts": "// " + made + "export const statements = `" + string(statements) +
			"`;\n",
		"bindings/js/src/store/scripts.ts":                   js.String(),
		"bindings/python/src/elicit_engine/store/scripts.py": python.String(),
	} {
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, _ := os.ReadFile(file); string(got) != want {
			t.Errorf("%s is stale; run go test ./internal/house -run TestScriptsAreFresh -update", file)
		}
	}
}
