package main_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var updateNotice = flag.Bool("update-notice", false, "write NOTICE anew")

// shipped are the programs and libraries that this repository ships as binaries, for each system, and what they are
// called in NOTICE.
var shipped = []struct{ system, arch, cgo, path, name string }{
	{"linux", "amd64", "0", "./cmd/elicit", "elicit"}, {"darwin", "amd64", "0", "./cmd/elicit", "elicit"},
	{"windows", "amd64", "0", "./cmd/elicit", "elicit"}, {"linux", "amd64", "1", "./cabi", "libelicit"},
	{"wasip1", "wasm", "0", "./wasm", "elicit.wasm"},
	{"wasip1", "wasm", "0", "./wasm/component", "elicit.component.wasm"},
}

// dist is a module or package whose code is part of the shipped files named in `in`.
type dist struct {
	name, version, licence string
	in                     []string
}

// section is the part of NOTICE about one module or package.
func (d dist) section() string {
	line := strings.Repeat("=", 80)
	title := strings.TrimSpace(d.name + " " + d.version)
	in, licence := strings.Join(d.in, ", "), strings.TrimSpace(d.licence)
	return fmt.Sprintf("\n%s\n%s\nin %s\n%s\n\n%s\n", line, title, in, line, licence)
}

// TestNotice compares NOTICE with the modules in the shipped files, because their licences must be shipped with them.
// After a change of a dependency: go test ./cmd/elicit -run TestNotice -update-notice
func TestNotice(t *testing.T) {
	t.Parallel()
	var want strings.Builder
	want.WriteString(noticeHead)
	for _, d := range slices.Concat(goModules(t), npmPackages(t), []dist{adapter(t)}) {
		want.WriteString(d.section())
	}
	compareNotice(t, "NOTICE", want.String())
}

// compareNotice compares a committed file with what it should hold, and writes it if the flag says so.
func compareNotice(t *testing.T, path, want string) {
	t.Helper()
	file := filepath.Join("../..", path)
	if *updateNotice {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%s is stale; run go test ./cmd/elicit -run Notice -update-notice", path)
	}
}

const noticeHead = `Elicit
Copyright the Elicit authors. Licensed under the Apache License 2.0; see LICENSE.

The shipped files contain the modules and packages below. Each section names the
files that contain it, and gives its licence. The wheel contains libelicit, the npm
package contains elicit.wasm, and the playground contains elicit.wasm and Lit. The
archives of the command and the packages for Debian contain elicit and
elicit-browser.wasm, which has nothing that elicit.wasm has not.
The guardians inside elicit have the notices of plugins/guests/NOTICE, which is
NOTICE.guardians in archives.
`

// goModules are the standard library and the modules linked into the shipped packages on any system we build for.
func goModules(t *testing.T) []dist {
	t.Helper()
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]dist{}
	add := func(d dist, in string) {
		if d.in = found[d.name].in; !slices.Contains(d.in, in) {
			d.in = append(d.in, in)
		}
		found[d.name] = d
	}
	for _, s := range shipped {
		add(dist{name: "Go standard library", licence: string(root)}, s.name)
		cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Module", s.path)
		cmd.Dir, cmd.Env = "../..", append(os.Environ(), "GOOS="+s.system, "GOARCH="+s.arch, "CGO_ENABLED="+s.cgo)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list %s for %s: %v", s.path, s.system, err)
		}
		for list := json.NewDecoder(bytes.NewReader(out)); list.More(); {
			var p struct {
				ImportPath string
				Module     *struct {
					Path, Version, Dir string
					Main               bool
					Replace            *struct{ Path string }
				}
			}
			if err := list.Decode(&p); err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(p.ImportPath, "/engine/internal/shell") {
				d := dist{name: "mvdan.cc/sh/v3/syntax", licence: licencesIn(t, "../../engine/internal/shell")}
				d.version = versionIn(t, "../../engine/internal/shell/parser.go")
				add(d, s.name)
			}
			if m := p.Module; m != nil && !m.Main && m.Replace == nil {
				add(dist{name: m.Path, version: m.Version, licence: licencesIn(t, m.Dir)}, s.name)
			}
		}
	}
	return inOrder(found)
}

// npmPackages are those that the page of --ui browser is built from.
func npmPackages(t *testing.T) []dist {
	t.Helper()
	packages := lockedPackages(t, "../../bindings/js/package-lock.json")
	found := map[string]dist{}
	for _, name := range []string{"lit", "lit-element", "lit-html", "@lit/reactive-element", "@lit-labs/ssr-dom-shim"} {
		p := packages["node_modules/"+name]
		if p.License != "BSD-3-Clause" {
			t.Errorf("%s has the licence %q", name, p.License)
		}
		in := []string{"the page of elicit", "the page of ask/page", "the playground"}
		found[name] = dist{name, p.Version, litLicence, in}
	}
	return inOrder(found)
}

// adapter is the part of the component that turns the calls of WASI's first preview into those of its second.
func adapter(t *testing.T) dist {
	t.Helper()
	const name = "wasi-preview1-component-adapter-provider"
	text, err := os.ReadFile("../../wasm/component/wrap/Cargo.lock")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`name = "` + name + `"\nversion = "(.+)"`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("no %s in Cargo.lock", name)
	}
	return dist{name, string(found[1]), llvmException, []string{"elicit.component.wasm"}}
}

// lockedPackages are the packages of a lock file of npm.
func lockedPackages(t *testing.T, path string) map[string]struct{ Version, License string } {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct{ Version, License string }
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		t.Fatal(err)
	}
	return lock.Packages
}

func inOrder(found map[string]dist) []dist {
	var list []dist
	for _, d := range found {
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b dist) int { return strings.Compare(a.name, b.name) })
	return list
}

// versionIn is the version of the module that a file was copied from.
func versionIn(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, origin, _ := strings.Cut(string(text), "mvdan.cc/sh/v3 ")
	version, _, _ := strings.Cut(origin, ";")
	return version
}

// licencesIn is the text of all files of a module that tell its licence.
func licencesIn(t *testing.T, dir string) string {
	t.Helper()
	var texts []string
	for _, pattern := range []string{"LICENSE*", "LICENCE*", "COPYING*", "NOTICE*"} {
		files, _ := filepath.Glob(filepath.Join(dir, pattern))
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil {
				texts = append(texts, strings.ReplaceAll(string(text), "\r\n", "\n"))
			}
		}
	}
	if len(texts) == 0 {
		t.Errorf("no licence in %s", filepath.Base(dir))
	}
	return strings.Join(texts, "\n")
}
