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

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/pages"
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
	for _, d := range slices.Concat(goModules(t), npmPackages(t), []dist{adapter(t), compiler(t)}) {
		want.WriteString(d.section())
	}
	compareNotice(t, "NOTICE", want.String())
}

// compareNotice compares a committed file with what it should hold, and writes it if the flag says so.
func compareNotice(t *testing.T, path, want string) {
	t.Helper()
	pages.File(t, filepath.Join("../..", path), "go test ./cmd/elicit -run Notice -update-notice", want, *updateNotice)
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
	must.OK(t, err)
	root := must.Text(t, strings.TrimSpace(string(goroot)), "LICENSE")
	found := map[string]dist{}
	add := func(d dist, in string) {
		if d.in = found[d.name].in; !slices.Contains(d.in, in) {
			d.in = append(d.in, in)
		}
		found[d.name] = d
	}
	for _, s := range shipped {
		add(dist{name: "Go standard library", licence: root}, s.name)
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
			must.OK(t, list.Decode(&p))
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
	text := must.Read(t, "../../wasm/component/wrap/Cargo.lock")
	found := regexp.MustCompile(`name = "` + name + `"\nversion = "(.+)"`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("no %s in Cargo.lock", name)
	}
	return dist{name, string(found[1]), llvmException, []string{"elicit.component.wasm"}}
}

// compiler is TinyGo, whose runtime is in the modules.
func compiler(t *testing.T) dist {
	t.Helper()
	found := regexp.MustCompile(`tinygo_version=(.+)`).FindSubmatch(must.Read(t, "../../scripts/tinygo.sh"))
	if found == nil {
		t.Fatal("no version in scripts/tinygo.sh")
	}
	const name = "github.com/tinygo-org/tinygo"
	get := exec.Command("go", "mod", "download", "-json", name+"@"+string(found[1]))
	get.Dir, get.Env = t.TempDir(), append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	text, err := get.Output()
	var module struct{ Dir string }
	if err != nil || json.Unmarshal(text, &module) != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return dist{name, string(found[1]), licencesIn(t, module.Dir), []string{"elicit.wasm", "elicit.component.wasm"}}
}

// lockedPackages are the packages of a lock file of npm.
func lockedPackages(t *testing.T, path string) map[string]struct{ Version, License string } {
	t.Helper()
	var lock struct {
		Packages map[string]struct{ Version, License string }
	}
	must.Unmarshal(t, must.Read(t, path), &lock)
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
	_, origin, _ := strings.Cut(must.Text(t, file), "mvdan.cc/sh/v3 ")
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

const guestsHead = `The guardians of Elicit
Copyright the Elicit authors. Licensed under the Apache License 2.0; see LICENSE.

Every guardian contains a part of Rust's standard library, which is licensed under
the Apache License 2.0 or the MIT licence. cel.wasm also contains the crates below.
`

// TestGuestsNotice compares plugins/guests/NOTICE with the crates in the guardians. Only one guardian has crates that
// are not of this repository.
func TestGuestsNotice(t *testing.T) {
	t.Parallel()
	crates := map[string]dist{}
	for _, workspace := range []string{"../../plugins", "../../plugins/guests/cel"} {
		for _, crate := range cratesOf(t, workspace) {
			crates[crate.name] = crate
		}
	}
	var want strings.Builder
	want.WriteString(guestsHead)
	for _, d := range inOrder(crates) {
		want.WriteString(d.section())
	}
	compareNotice(t, "plugins/guests/NOTICE", want.String())
}

// cratesOf are the crates that are linked into the guardians of a workspace and come from a registry.
func cratesOf(t *testing.T, workspace string) []dist {
	t.Helper()
	cargo := func(line ...string) []byte {
		cmd := exec.Command("cargo", append(line, "--offline", "--locked")...)
		cmd.Dir = workspace
		out, err := cmd.Output()
		if err != nil && os.Getenv("CI") != "true" {
			t.Skipf("cargo has not fetched the crates: %v", err)
		} else if err != nil {
			t.Fatal(err)
		}
		return out
	}
	const target = "wasm32-unknown-unknown"
	linked := strings.Split(string(cargo("tree", "--workspace", "--target", target, "-e", "normal,no-proc-macro",
		"--prefix", "none", "-f", "{p}")), "\n")
	var metadata struct {
		Packages []struct{ Name, Version, License, Source, Manifest_path string }
	}
	out := cargo("metadata", "--format-version", "1", "--filter-platform", target)
	must.Unmarshal(t, out, &metadata)
	var list []dist
	for _, p := range metadata.Packages {
		if p.Source == "" || !slices.Contains(linked, p.Name+" v"+p.Version) {
			continue
		}
		licence := crateLicence(filepath.Dir(p.Manifest_path))
		if licence == "" {
			licence = "The package says " + p.License + " and holds no text of it."
		}
		list = append(list, dist{p.Name, p.Version, p.License + "\n\n" + licence, []string{"cel.wasm"}})
	}
	return list
}

// crateLicence is the text of a crate's licence. Of several, it is that of the MIT licence, which names the owner.
func crateLicence(dir string) string {
	for _, pattern := range []string{"LICENSE-MIT*", "LICENSE*", "COPYING*"} {
		if files, _ := filepath.Glob(filepath.Join(dir, pattern)); len(files) > 0 {
			text, _ := os.ReadFile(files[0])
			return strings.ReplaceAll(string(text), "\r\n", "\n")
		}
	}
	return ""
}

// llvmException is the licence of the Bytecode Alliance's projects.
const llvmException = `Licensed under the Apache License 2.0, which LICENSE holds, with this exception:

--- LLVM Exceptions to the Apache 2.0 License ----

As an exception, if, as a result of your compiling your source code, portions
of this Software are embedded into an Object form of such source code, you
may redistribute such embedded portions in such Object form without complying
with the conditions of Sections 4(a), 4(b) and 4(d) of the License.

In addition, if you combine or link compiled forms of this Software with
software that is licensed under the GPLv2 ("Combined Software") and if a
court of competent jurisdiction determines that the patent provision (Section
3), the indemnity provision (Section 9) or other Section of the License
conflicts with the conditions of the GPLv2, you may retroactively and
prospectively choose to deem waived or otherwise exclude such Section(s) of
the License, but only in their entirety and only with respect to the Combined
Software.
`

// litLicence is the licence of every package of Lit.
const litLicence = `BSD 3-Clause License

Copyright (c) 2017 Google LLC. All rights reserved.

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this
   list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice,
   this list of conditions and the following disclaimer in the documentation
   and/or other materials provided with the distribution.

3. Neither the name of the copyright holder nor the names of its
   contributors may be used to endorse or promote products derived from
   this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
`
