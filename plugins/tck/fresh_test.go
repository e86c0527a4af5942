package tck

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
)

// again says how modules are taken from their authors.
const again = "run ./build.sh kits, ./build.sh guests, go test ./plugins/tck -run TestHost -collect ../../dist/guests"

// recorded holds, for each collected module, the fingerprint of the source that it was built from.
const recorded = "testdata/sources.json"

// TestFresh holds that no module is older than its source, that every guardian of ours is here, and that the cases are
// those of the authors.
func TestFresh(t *testing.T) {
	var want map[string]string
	raw, err := os.ReadFile(recorded)
	if err == nil {
		err = json.Unmarshal(raw, &want)
	}
	must.OK(t, err)
	for _, manifest := range glob(t, "../guests/*/guardian.json") {
		if name := filepath.Base(filepath.Dir(manifest)); want[name] == "" {
			t.Errorf("the guardian %s is not in cases/guests.json; %s", name, again)
		}
	}
	for name, source := range want {
		if fingerprint(t, name) != source {
			t.Errorf("modules/%s.wasm is older than its source; %s", name, again)
		}
	}
	for kit, cases := range map[string]func(string) string{"kits": kitCases, "guests": guestCases} {
		var now Kit
		for _, m := range Kits()[kit].Modules {
			if want[m.Name] == "" {
				t.Errorf("%s does not name the source of %s; %s", recorded, m.Name, again)
			}
			for _, c := range authored(t, cases(m.Name)) {
				now.add(t, m.Name, kit == "guests", c)
			}
		}
		same := func(old, now Case) bool {
			old.Used, old.Pages = 0, 0
			return old.Name == now.Name && old.Call == now.Call && old.Text == now.Text && old.Want.Equal(now.Want)
		}
		if !slices.EqualFunc(Kits()[kit].Cases, now.Cases, same) {
			t.Errorf("cases/%s.json has other cases than the authors; %s", kit, again)
		}
	}
}

// TestFingerprint holds that a comment changes nothing and code does.
func TestFingerprint(t *testing.T) {
	of := func(name, text string) string { return string(code(name, []byte(text))) }
	if of("a.rs", "// one\nlet a = 1;\n\n") != of("a.rs", "  let a = 1;\n    // two\n") {
		t.Error("a comment counts")
	}
	if of("a.rs", "let a = 1;\n") == of("a.rs", "let a = 2;\n") || of("a.json", `"// x"`) == of("a.json", `"// y"`) {
		t.Error("code does not count")
	}
}

// fingerprint is the SHA-256 of the source of a module, without comments that have lines of their own.
func fingerprint(t *testing.T, name string) string {
	sum := sha256.New()
	for _, file := range sources(t, name) {
		text := must.Read(t, file)
		sum.Write([]byte(filepath.ToSlash(file) + "\n"))
		sum.Write(code(file, text))
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// comments are the endings of source files, and what begins a comment there.
var comments = map[string]string{
	".rs": "//", ".c": "//", ".h": "//", ".ts": "//", ".mjs": "//", ".sh": "#", ".toml": "#",
	".json": "", ".lock": "",
}

func code(file string, text []byte) []byte {
	mark := comments[filepath.Ext(file)]
	var out []byte
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && (mark == "" || !bytes.HasPrefix(line, []byte(mark))) {
			out = append(append(out, line...), '\n')
		}
	}
	return out
}

// sources lists the files that a module is built from, in order.
func sources(t *testing.T, name string) (files []string) {
	const pdk = "../pdk/"
	var places []string
	if kit, ok := strings.CutPrefix(name, "hosts-"); ok {
		places = []string{pdk + kit + "/template"}
	} else {
		at := "../guests/" + name
		places = []string{at + "/src", at + "/guardian.json", at + "/Cargo.toml"}
		places = append(places, pdk+"rust/template/elicit-guardian", pdk+"rust/template/abi.sh")
		if name == "cel" {
			places = append(places, at+"/Cargo.lock")
		} else {
			places = append(places, "../Cargo.toml", "../guests/reading")
		}
	}
	for _, place := range places {
		err := filepath.WalkDir(place, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && slices.Contains([]string{"target", "node_modules", "cases"}, d.Name()) {
				return fs.SkipDir
			}
			if _, known := comments[filepath.Ext(path)]; known && !d.IsDir() {
				files = append(files, path)
			}
			return nil
		})
		must.OK(t, err)
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// newest is the time when the source of a module last changed.
func newest(t *testing.T, name string) (last time.Time) {
	for _, file := range sources(t, name) {
		info, err := os.Stat(file)
		must.OK(t, err)
		if info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}
