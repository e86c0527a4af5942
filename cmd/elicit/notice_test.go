package main_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var updateNotice = flag.Bool("update-notice", false, "write NOTICE anew")

// shipped are the programs and libraries that this repository ships as binaries, for each system.
var shipped = []struct{ system, arch, cgo, path string }{
	{"linux", "amd64", "0", "./cmd/elicit"}, {"darwin", "amd64", "0", "./cmd/elicit"},
	{"windows", "amd64", "0", "./cmd/elicit"},
	{"linux", "amd64", "1", "./cabi"}, {"wasip1", "wasm", "0", "./wasm"}, {"wasip1", "wasm", "0", "./wasm/component"},
}

// dist is a module or package whose code is part of a shipped file.
type dist struct {
	name, version, licence string
}

// TestNotice compares NOTICE with the modules in the shipped files, because their licences must be shipped with them.
// After a change of a dependency: go test ./cmd/elicit -run TestNotice -update-notice
func TestNotice(t *testing.T) {
	var want strings.Builder
	want.WriteString(noticeHead)
	for _, d := range slices.Concat(goModules(t), npmPackages(t)) {
		fmt.Fprintf(&want, "\n%s\n%s %s\n%s\n\n%s\n",
			strings.Repeat("=", 80), d.name, d.version, strings.Repeat("=", 80), strings.TrimSpace(d.licence))
	}
	own, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	// A package can only ship files of its own directory, so two directories have copies.
	for path, text := range map[string]string{
		"NOTICE": want.String(), "bindings/js/NOTICE": want.String(), "bindings/python/NOTICE": want.String(),
		"bindings/js/LICENSE": string(own), "bindings/python/LICENSE": string(own),
	} {
		file := filepath.Join("../..", path)
		if *updateNotice {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != text {
			t.Errorf("%s is stale; run go test ./cmd/elicit -run TestNotice -update-notice", path)
		}
	}
}

const noticeHead = `Elicit
Copyright the Elicit authors. Licensed under the Apache License 2.0; see LICENSE.

The elicit command, libelicit and elicit.wasm contain the Go modules below, and the
page of the command contains the npm packages at the end. Each licence follows.
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
	found := map[string]dist{"": {"Go standard library", "", string(root)}}
	for _, s := range shipped {
		cmd := exec.Command("go", "list", "-deps", "-json=Module", s.path)
		cmd.Dir, cmd.Env = "../..", append(os.Environ(), "GOOS="+s.system, "GOARCH="+s.arch, "CGO_ENABLED="+s.cgo)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list %s for %s: %v", s.path, s.system, err)
		}
		for list := json.NewDecoder(bytes.NewReader(out)); list.More(); {
			var p struct {
				Module *struct {
					Path, Version, Dir string
					Main               bool
					Replace            *struct{ Path string }
				}
			}
			if err := list.Decode(&p); err != nil {
				t.Fatal(err)
			}
			if m := p.Module; m != nil && !m.Main && m.Replace == nil {
				found[m.Path] = dist{m.Path, m.Version, licencesIn(t, m.Dir)}
			}
		}
	}
	return inOrder(found)
}

// npmPackages are those that the page of --ui browser is built from.
func npmPackages(t *testing.T) []dist {
	t.Helper()
	text, err := os.ReadFile("../../bindings/js/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct{ Version, License string }
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		t.Fatal(err)
	}
	found := map[string]dist{}
	for _, name := range []string{"lit", "lit-element", "lit-html", "@lit/reactive-element", "@lit-labs/ssr-dom-shim"} {
		p, locked := lock.Packages["node_modules/"+name]
		if !locked || p.License != "BSD-3-Clause" {
			t.Errorf("%s has the licence %q", name, p.License)
		}
		found[name] = dist{name, p.Version, litLicence}
	}
	return inOrder(found)
}

func inOrder(found map[string]dist) []dist {
	var list []dist
	for _, d := range found {
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b dist) int { return strings.Compare(a.name, b.name) })
	return list
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
