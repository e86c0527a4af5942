package tck

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEngines puts every case to V8 and to wasmtime, through hosts that share no line with ours.
func TestEngines(t *testing.T) {
	bundle := t.TempDir()
	if err := Bundle(bundle); err != nil {
		t.Fatal(err)
	}
	cases := 0
	for _, kit := range Kits() {
		cases += len(kit.Cases)
	}
	const realparts = "../../testdata/realparts"
	for _, e := range []struct {
		name, needs string
		command     []string
	}{
		{"Node", "", []string{"node", "hosts/in_node.mjs"}},
		{"Node", "", []string{"node", "--no-liftoff", "hosts/in_node.mjs"}}, // V8's other compiler
		{"wasmtime", realparts + "/venv/.installed-from", []string{realparts + "/venv/bin/python", "-B", "hosts/in_wasmtime.py"}},
	} {
		t.Run(e.name, func(t *testing.T) {
			if _, err := exec.LookPath(e.command[0]); err != nil || !exists(e.needs) {
				t.Skip("not installed; run testdata/realparts/setup.sh")
			}
			out, err := exec.Command(e.command[0], append(e.command[1:], bundle)...).CombinedOutput()
			last := lastLine(string(out))
			if want := fmt.Sprintf("%s: %d cases, 0 failed", e.name, cases); err != nil || last != want {
				t.Fatalf("%v: %.6000s", err, out)
			}
			t.Log(last)
		})
	}
}

func exists(file string) bool {
	_, err := os.Stat(filepath.FromSlash(file))
	return file == "" || err == nil
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}
