package house

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/pages"
)

// TestScriptsAreFresh checks that the packages for JavaScript and Python carry the scripts of store/redis and the
// statements of store/sqlite and store/postgres. With -update it writes them.
func TestScriptsAreFresh(t *testing.T) {
	files, err := filepath.Glob("store/redis/scripts/*.lua")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	slices.Sort(files)
	read := func(file string) string {
		text, err := os.ReadFile(file)
		if err != nil || strings.ContainsAny(string(text), "`\\\"") || strings.Contains(string(text), "${") {
			t.Fatalf("%s cannot be read, or has a character that a literal does not take: %v", file, err)
		}
		return string(text)
	}
	const head = "Code generated from %s by go test ./internal/house -run TestScriptsAreFresh -update; DO NOT EDIT.\n"
	want := map[string]string{}
	write := func(name, js, python string) {
		want["bindings/js/src/store/"+name+".ts"] += js
		want["bindings/python/src/elicit_engine/store/"+name+".py"] += python
	}
	first := fmt.Sprintf(head, "store/redis/scripts")
	write("scripts", "// "+first, "# "+first)
	for _, file := range files {
		name, text := strings.TrimSuffix(filepath.Base(file), ".lua"), read(file)
		write("scripts", fmt.Sprintf("export const %s = `%s`;\n", name, text),
			fmt.Sprintf("%s = \"\"\"%s\"\"\"\n", strings.ToUpper(name), text))
	}
	first = fmt.Sprintf(head, "store/*/statements.sql")
	write("statements", "// "+first, "# "+first)
	for _, store := range []string{"postgres", "sqlite"} {
		var js, python strings.Builder
		for _, block := range strings.Split("\n"+read("store/"+store+"/statements.sql"), "\n-- ")[1:] {
			line, body, _ := strings.Cut(block, "\n")
			name, _, _ := strings.Cut(line, ":")
			fmt.Fprintf(&js, "  %s: `%s`,\n", name, strings.TrimSuffix(body, "\n"))
			fmt.Fprintf(&python, "    \"%s\": \"\"\"%s\"\"\",\n", name, strings.TrimSuffix(body, "\n"))
		}
		write("statements", "export const "+store+": Record<string, string> = {\n"+js.String()+"};\n",
			strings.ToUpper(store)+" = {\n"+python.String()+"}\n")
	}
	for file, want := range want {
		pages.File(t, file, "go test ./internal/house -run TestScriptsAreFresh -update", want, *update)
	}
}
