package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
)

// realparts is where setup.sh installs the hosts that are not written in Go.
const realparts = "../testdata/realparts/"

// TestHosts gives every vector to the module under wasmtime and under Chicory.
func TestHosts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	bundle := filepath.Join(t.TempDir(), "vectors")
	count := writeBundle(t, bundle)
	for _, host := range []struct{ name, stamp, program, setting, source string }{
		{"wasmtime", realparts + "venv/.installed-from", realparts + "venv/bin/python", "-B", "hosts/vectors.py"},
		{"Chicory", realparts + "java/lib/.installed-from", "java", "-cp=" + realparts + "java/lib/*", "hosts/Vectors.java"},
	} {
		t.Run(host.name, func(t *testing.T) {
			if _, err := os.Stat(host.stamp); err != nil {
				absent(t, host.name+" is not installed; run testdata/realparts/setup.sh")
			}
			setting := strings.Split(host.setting, "=")
			out, err := exec.Command(host.program, append(setting, host.source, path(t, built), bundle)...).CombinedOutput()
			if want := fmt.Sprintf("%s: %d vectors, 0 failed\n", host.name, count); err != nil || string(out) != want {
				t.Fatalf("%v: %.4000s", err, out)
			}
			t.Logf("%s", out)
		})
	}
}

// writeBundle writes all vectors so that a host needs no JSON reader: four little-endian numbers of 32 bits, the
// operation and three sizes, then name, input and output. It returns how many there are.
func writeBundle(t *testing.T, name string) int {
	t.Helper()
	list := vectors(t, string(abi.Describe(nil)))
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
	return len(list)
}
