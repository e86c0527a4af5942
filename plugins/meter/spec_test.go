package meter_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/plugins/meter"
)

// The WebAssembly specification's test suite comes with the sources of wazero, assembled, so none of it lies here.

type command struct {
	Type, Filename, Text, Name string
	Line                       int
	ModuleType                 string `json:"module_type"`
	Action                     struct {
		Type, Field, Module string
		Args                []struct {
			Type  string
			Value any
		}
	}
}

// suite calls each with the commands of every file of the suite.
func suite(t *testing.T, each func(dir string, commands []command)) {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/tetratelabs/wazero").Output()
	must.OK(t, err)
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)),
		"internal/integration_test/spectest/v[12]/testdata/*.json"))
	if err != nil || len(files) < 150 {
		t.Fatalf("found %d files of the specification's tests: %v", len(files), err)
	}
	for _, file := range files {
		var script struct{ Commands []command }
		must.Unmarshal(t, must.Read(t, file), &script)
		each(filepath.Dir(file), script.Commands)
	}
}

func roomy() meter.Limits {
	l := meter.HardLimits()
	l.Imports = []meter.Import{
		{Module: "spectest", Name: "print", Params: ""}, {Module: "spectest", Name: "print_i32", Params: "i"},
		{Module: "spectest", Name: "print_i64", Params: "I"},
		{Module: "spectest", Name: "print_f32", Params: "f"}, {Module: "spectest", Name: "print_f64",
			Params: "F"}, {Module: "spectest", Name: "print_i32_f32", Params: "if"},
		{Module: "spectest", Name: "print_f64_f64", Params: "FF"},
	}
	return l
}

// TestSpecRefusals feeds every module the suite calls invalid or malformed.
func TestSpecRefusals(t *testing.T) {
	refused := 0
	suite(t, func(dir string, commands []command) {
		for _, c := range commands {
			if c.Type != "assert_invalid" && (c.Type != "assert_malformed" || c.ModuleType == "text") {
				continue
			}
			src := must.Read(t, dir, c.Filename)
			if _, no := meter.Rewrite(src, roomy()); no == nil && !allowedSince(dir, c) {
				t.Errorf("%s was rewritten; want a refusal: %s", c.Filename, c.Text)
			}
			refused++
		}
	})
	if refused < 3000 {
		t.Errorf("%d modules refused; the test has lost its subject", refused)
	}
	t.Logf("%d invalid and malformed modules refused", refused)
}

// allowedSince names what version 1 of the specification forbids and version 2, which is ours, allows.
func allowedSince(dir string, c command) bool {
	return strings.Contains(dir, "spectest/v1/") && (c.Text == "invalid result arity" || c.Text == "multiple tables" ||
		c.Filename == "unreached-invalid.87.wasm")
}
