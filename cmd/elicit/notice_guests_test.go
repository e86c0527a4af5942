package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

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
	if err := json.Unmarshal(out, &metadata); err != nil {
		t.Fatal(err)
	}
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
