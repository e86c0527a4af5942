package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// realparts is where setup.sh installs the hosts that are not written in Go.
const realparts = "../testdata/realparts/"

// python and java are the commands of the hosts that setup.sh installs.
var (
	python = []string{realparts + "venv/bin/python", "-B", "hosts/vectors.py"}
	// The first compiler alone, because the second costs more than it saves in a minute, and room for all that it makes.
	java = []string{"java", "-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m", "-XX:+UseSerialGC", "-cp",
		realparts + "java/lib/*", "hosts/Vectors.java"}
)

// TestHosts gives every vector to the module under wasmtime, and at night to the component too. Chicory is slow, so it
// gets some, and all at night.
func TestHosts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes a while")
	}
	list, _ := callable(t, string(abi.Describe(nil)))
	const venv, jars = realparts + "venv", realparts + "java/lib"
	for _, host := range []struct {
		name, needs string
		made        func() (string, error)
		file        string
		command     []string
		list        []vector
	}{
		{"wasmtime, raw", venv, built, "elicit.wasm", append(slices.Clone(python), "raw"), list},
		{"Chicory", jars, built, "elicit.wasm", java, vectors.Some(list)},
		{"wasmtime, component", venv, component, "elicit.component.wasm", append(slices.Clone(python), "component"),
			list},
	} {
		t.Run(host.name, func(t *testing.T) {
			if host.file == "elicit.component.wasm" {
				vectors.Night(t)
			}
			t.Parallel()
			if _, err := os.Stat(filepath.Join(host.needs, ".installed-from")); err != nil {
				absent(t, host.needs+" is not installed; run testdata/realparts/setup.sh")
			}
			dir, err := host.made()
			if err != nil {
				t.Fatal(err)
			}
			bundle := filepath.Join(t.TempDir(), "vectors")
			writeBundle(t, bundle, host.list)
			args := append(slices.Clone(host.command[1:]), filepath.Join(dir, host.file), bundle)
			out, err := exec.Command(host.command[0], args...).CombinedOutput()
			if want := fmt.Sprintf("%s: %d vectors, 0 failed\n", host.name, len(host.list)); err != nil || string(out) != want {
				t.Fatalf("%v: %.4000s", err, out)
			}
			t.Logf("%s", out)
		})
	}
}

// writeBundle writes vectors in a format that a host can read without JSON. A vector has four little-endian numbers of
// 32 bits, the operation and three sizes, and then name, input and output.
func writeBundle(t *testing.T, name string, list []vector) {
	t.Helper()
	var out []byte
	for _, v := range list {
		for _, n := range []int{int(v.number), len(v.TCID), len(v.In), len(v.Want)} {
			out = binary.LittleEndian.AppendUint32(out, uint32(n))
		}
		out = append(append(append(out, v.TCID...), v.In...), v.Want...)
	}
	if err := os.WriteFile(name, out, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Logf("bundle of %d vectors: sha256 %x", len(list), sha256.Sum256(out))
}
