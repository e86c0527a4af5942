package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestCheck lets the check judge a module that is right on one system, and wrong on another in a test or in a package
// that another one imports.
func TestCheck(t *testing.T) {
	files := map[string]string{
		"go.mod":                 "module example.test\n\ngo 1.26\n",
		"main.go":                "package main\n\nimport \"example.test/inner\"\n\nfunc main() { _ = inner.Run() }\n",
		"inner/inner.go":         "package inner\n\nimport \"errors\"\n\nfunc Run() error { return errors.New(\"\") }\n",
		"inner/a_darwin.go":      "package inner\n\nfunc run() { missing() }\n",
		"a_windows_test.go":      "package main\n\nfunc test() { missing() }\n",
		"inner/a_plan9.go":       "package inner\n\nfunc run(n int) bool { return n == 1 || n == 1 }\n",
		"inner/a_wasip1.go":      "//go:build tagged\n\npackage inner\n\nfunc run() { missing() }\n",
		"inner/a_openbsd.go":     "package inner\n\nimport \"example.test/absent\"\n\nvar _ = absent.One\n",
		"inner/b_netbsd.go":      "package inner\n\nimport \"example.test/inner/unix\"\n\nvar _ = unix.One\n",
		"inner/unix/one_unix.go": "//go:build !netbsd\n\npackage unix\n\nconst One = 1\n",
	}
	directory := t.TempDir()
	for name, text := range files {
		path := filepath.Join(directory, name)
		must.OK(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must.Write(t, text, path)
	}
	for _, c := range []struct{ system, arguments, want string }{
		{"linux/amd64", "./...", ""},
		{"windows/amd64", "./...", "undefined: missing"},
		{"windows/amd64", "./inner", ""},
		{"darwin/amd64", ".", "undefined: missing"},
		{"plan9/amd64", "./inner", "redundant or"},
		{"wasip1/wasm", ".", ""},
		{"wasip1/wasm", "-tags=tagged .", "undefined: missing"},
		{"openbsd/amd64", ".", "absent"},
		{"netbsd/amd64", ".", "build constraints exclude all Go files"},
	} {
		var out strings.Builder
		bad, err := check(&out, directory, c.system, strings.Fields(c.arguments))
		if err != nil || (bad > 0) != (c.want != "") || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s %s: %d complaints, %v, want %q:\n%s", c.system, c.arguments, bad, err, c.want, out.String())
		}
	}
	if bad, _ := check(&strings.Builder{}, directory, "linux/amd64", []string{"./absent/..."}); bad == 0 {
		t.Error("a pattern without packages passes")
	}
}
