package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/vectors"
)

var inC = flag.String("in-c", "", "a directory with libelicit.so.1, built from the C files, for TestInC")

// TestInC runs every vector, every loop and the contract with the library in C. Its compilation takes minutes.
func TestInC(t *testing.T) {
	t.Parallel()
	dir := *inC
	if dir == "" {
		if !vectors.Nightly() {
			t.Skip("./build.sh nightly compiles the library in C, and wasm/amalgam tests what makes it")
		}
		dir = t.TempDir()
		run := exec.Command("../build.sh", "amalgamation", dir, "-O0")
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	b := build{name: "in C", program: []string{"-DELICIT_IN_C"}}
	made.Lock()
	made.dirs[b.name] = func() (string, error) { return dir, nil }
	made.Unlock()
	t.Run("contract", b.contract)
	t.Run("loops", b.loops)
	t.Run("vectors", func(t *testing.T) { t.Logf("vectors through C alone: %d", b.vectors(t, vectors.Read(t))) })
	t.Run("groups", func(t *testing.T) { b.groups(t) })
}

// groups runs the checks of test/groups.c with two copies of the library.
func (b build) groups(t *testing.T) {
	one := filepath.Join(b.directory(t), "libelicit.so.1")
	another := filepath.Join(t.TempDir(), "another.so")
	if err := os.WriteFile(another, []byte(read(t, one)), 0o755); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "groups")
	args := strings.Fields("-std=c99 -D_GNU_SOURCE -Wall -Wextra -Werror -pedantic -O1 -g -I. test/groups.c -ldl -o " +
		program)
	if out, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(program, one, another).CombinedOutput()
	t.Logf("%s", out)
	if err != nil || strings.Count(string(out), "ok ") != 6 {
		t.Error(err)
	}
}
