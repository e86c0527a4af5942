package tck

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

const hostile = "../guests/hostile"

// TestAssembled holds that the hostile modules are what their texts say.
func TestAssembled(t *testing.T) {
	if _, err := exec.LookPath("wat2wasm"); err != nil {
		t.Skip("no wat2wasm; it is in the package wabt")
	}
	texts, err := filepath.Glob(filepath.Join(hostile, "*.wat"))
	if err != nil || len(texts) < 30 {
		t.Fatalf("%d texts, %v", len(texts), err)
	}
	var named []string
	for _, text := range texts {
		name := strings.TrimSuffix(filepath.Base(text), ".wat")
		named = append(named, name)
		module := assemble(t, text)
		file := filepath.Join("modules", name+".wasm")
		if *update {
			must.Write(t, module, file)
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, module) {
			t.Errorf("%s is not what wat2wasm makes of %s: %v", file, text, err)
		}
	}
	for _, m := range Kits()["hostile"].Modules {
		if !slices.Contains(named, m.Name) {
			t.Errorf("%s has no text", m.Name)
		}
		named = slices.DeleteFunc(named, func(n string) bool { return n == m.Name })
	}
	if len(named) > 0 {
		t.Errorf("no case names %v", named)
	}
}

// assemble makes a module of a text. The line that begins with ";; elicit.guardian" holds its manifest, because the
// assembler knows no custom sections.
func assemble(t *testing.T, text string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.wasm")
	if said, err := exec.Command("wat2wasm", text, "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("%s: %s", text, said)
	}
	module := must.Read(t, out)
	source := must.Text(t, text)
	const section = "elicit.guardian"
	_, manifest, said := strings.Cut(source, "\n;; "+section+" ")
	if !said {
		return module
	}
	manifest, _, _ = strings.Cut(manifest, "\n")
	content := append(append([]byte{byte(len(section))}, section...), manifest...)
	return append(append(append(module, 0), byte(len(content)&0x7f|0x80), byte(len(content)>>7)), content...)
}
