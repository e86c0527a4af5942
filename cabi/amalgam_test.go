package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

var builtInC = flag.String("in-c", "", "a directory with libelicit.so.1 made of the C files, and core/libelicit.so.1")

// TestInC runs every vector, every loop and the contract with the library in C, and the vectors of the module core with
// its library. The compilation takes minutes.
func TestInC(t *testing.T) {
	t.Parallel()
	t.Run("full", func(t *testing.T) {
		b := inC(t)
		t.Run("contract", b.contract)
		t.Run("loops", b.loops)
		t.Run("vectors", func(t *testing.T) { t.Logf("vectors through C alone: %d", b.vectors(t, vectors.Read(t))) })
		t.Run("groups", func(t *testing.T) { b.groups(t) })
		t.Run("fuzz", func(t *testing.T) { b.fuzz(t, 20, 500_000) })
		b.small(t, 10<<20)
	})
	t.Run("core", func(t *testing.T) {
		b := inC(t, "core")
		b.small(t, 3<<20)
		var list []vectors.Vector
		for _, v := range vectors.Read(t) {
			reads := !strings.Contains(string(v.In), `"command`) // the module reads no commands
			if reads && !slices.Contains(abi.OpsWithout(abi.Core), v.Op) {
				list = append(list, v)
			}
		}
		t.Logf("vectors through the module core in C: %d", b.vectors(t, list))
	})
}

// TestInCSanitized runs every vector, every loop once and damaged documents with all of the C under the address
// sanitizer, which also watches the memory of the module, and stops at undefined behaviour. Calls in place of code for
// each access halve the compilation.
func TestInCSanitized(t *testing.T) {
	t.Parallel()
	b := inC(t, "-fsanitize=address,undefined", "-fsanitize-undefined-trap-on-error",
		"--param=asan-instrumentation-with-call-threshold=0")
	b.program = append(b.program, address.program...)
	t.Run("loops", b.loops)
	t.Run("vectors", func(t *testing.T) { t.Logf("vectors through C with sanitizers: %d", b.vectors(t, vectors.Read(t))) })
	t.Run("fuzz", func(t *testing.T) { b.fuzz(t, 1, 500_000) })
}

// inC compiles the library of a module, or takes the one that -in-c names. Flags for the compiler may follow.
func inC(t *testing.T, module ...string) build {
	dir, flags := *builtInC, []string{"-O2"}
	if i := slices.IndexFunc(module, func(s string) bool { return s[0] == '-' }); i >= 0 {
		module, flags = module[:i], append([]string{"-O0"}, module[i:]...)
	}
	if dir != "" && len(flags) == 1 {
		dir = filepath.Join(append([]string{dir}, module...)...)
	} else {
		if !vectors.Nightly() {
			t.Skip("./build.sh nightly compiles the library in C, and wasm/amalgam tests what makes it")
		}
		dir = t.TempDir()
		args := slices.Concat([]string{"amalgamation"}, module, []string{dir}, flags)
		must.Run(t, exec.Command("../build.sh", args...))
	}
	b := build{name: "in C " + strings.Join(append(module, flags...), ""), program: []string{"-DELICIT_IN_C"}}
	made.Lock()
	made.dirs[b.name] = func() (string, error) { return dir, nil }
	made.Unlock()
	return b
}

// small tests the size of the library without its names of hidden functions, which a program needs no more.
func (b build) small(t *testing.T, most int64) {
	stripped := filepath.Join(t.TempDir(), "libelicit.so.1")
	if out, err := exec.Command("strip", "-o", stripped, filepath.Join(b.directory(t), "libelicit.so.1")).
		CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	is, err := os.Stat(stripped)
	must.OK(t, err)
	if is.Size() > most {
		t.Errorf("%d bytes, at most %d", is.Size(), most)
	}
	t.Logf("%s has %d bytes", b.name, is.Size())
}

// groups runs the checks of test/groups.c with two copies of the library.
func (b build) groups(t *testing.T) {
	one := filepath.Join(b.directory(t), "libelicit.so.1")
	another := filepath.Join(t.TempDir(), "another.so")
	must.OK(t, os.WriteFile(another, []byte(must.Text(t, one)), 0o755))
	program := filepath.Join(t.TempDir(), "groups")
	args := strings.Fields("-std=c99 -D_GNU_SOURCE -Wall -Wextra -Werror -pedantic -O1 -g -I. test/groups.c -ldl -o " +
		program)
	must.Run(t, exec.Command("cc", args...))
	out, err := exec.Command(program, one, another).CombinedOutput()
	t.Logf("%s", out)
	if err != nil || strings.Count(string(out), "ok ") != 6 {
		t.Error(err)
	}
}
