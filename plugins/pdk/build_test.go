package pdk

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
	"github.com/elicit-engine/elicit/plugins/guest"
)

// TestBuilds builds every template as `elicit guardian new` leaves it, again at night, and once more after its manifest
// alone has changed. A second build that breaks the module, and one that keeps the old manifest, are both silent at
// build time. Then it becomes one that reads a data document.
func TestBuilds(t *testing.T) {
	if os.Getenv("ELICIT_KITS") == "" {
		t.Skip("the toolchains may be missing: run ./build.sh kits")
	}
	t.Parallel()
	for _, language := range Languages() {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			template, err := Template(language)
			must.OK(t, err)
			for file, text := range template {
				put(t, filepath.Join(dir, file), text)
			}
			first := build(t, dir, language)
			if first.Manifest.Name != "hosts" {
				t.Errorf("it is called %s", first.Manifest.Name)
			}
			if vectors.Nightly() { // by day, the next build shows whether one before it does harm
				if again := build(t, dir, language); again.Digest != first.Digest {
					t.Errorf("the second build is another module: %s, then %s", first.Digest, again.Digest)
				}
			}
			manifest := strings.Replace(string(template["guardian.json"]), `"/request/url"`, `"/request/claim"`, 1)
			put(t, filepath.Join(dir, "guardian.json"), []byte(strings.Replace(manifest, `"hosts"`, `"others"`, 1)))
			changed := build(t, dir, language)
			if changed.Manifest.Name != "others" || changed.Manifest.Reads[0].String() != "/request/claim" {
				t.Errorf("the manifest changed, and the module still has %s %v", changed.Manifest.Name, changed.Manifest.Reads)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "*.o")); left != nil {
				t.Errorf("the build leaves %v", left)
			}
			t.Run("data", func(t *testing.T) { readsData(t, dir, language, template) })
		})
	}
}

func put(t *testing.T, path string, text []byte) {
	t.Helper()
	must.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.OK(t, os.WriteFile(path, text, 0o755))
}

// build runs the kit's command and reads what it made.
func build(t *testing.T, dir, language string) *guest.Module {
	t.Helper()
	cmd := exec.Command("sh", "-c", Build(language))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "npm_config_prefer_offline=true")
	must.Run(t, cmd)
	m, problems := guest.Read(must.Read(t, dir, "guardian.wasm"), guest.Options{WASI: true})
	if problems != nil {
		t.Fatalf("%+v", problems)
	}
	return m
}
