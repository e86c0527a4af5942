package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/internal/vectors"
)

var optimise = flag.String("optimise", "-O2", "how the C of the module core is compiled for each platform")

type platform struct {
	name   string
	runner []string
	flags  string
}

// platforms has each system for which the C is compiled, by its name in Zig, and the program that runs its programs
// here. Those of macOS are compiled alone.
var platforms = []platform{
	{"x86_64-linux-gnu.2.17", []string{"env"}, ""},
	{"x86_64-linux-musl", []string{"env"}, "-static"},
	{"aarch64-linux-gnu.2.17", []string{"qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"}, ""},
	{"aarch64-linux-musl", []string{"qemu-aarch64"}, "-static"},
	{"x86_64-windows-gnu", []string{"wine"}, "-DELICIT_STATIC"},
	{"x86_64-macos", nil, ""},
	{"aarch64-macos", nil, ""},
}

// TestPlatforms compiles the C of the small module and of the module core for each platform. Where a program for that
// is here, it runs the small module, and gives the other one all its vectors. The part that is written by hand is C11
// without extensions and has no warning.
func TestPlatforms(t *testing.T) {
	vectors.Night(t)
	run(t, "bash", "-c", "cd ../.. && . scripts/setup.sh && . scripts/portable.sh && zig_cc amd64")
	zig, err := filepath.Abs("../../dist/zig/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	core := t.TempDir()
	run(t, "../../build.sh", "amalgamation", "core", core)
	source, err := filepath.Abs("../../cabi/test/vectors.c")
	if err != nil {
		t.Fatal(err)
	}
	in, want := coreVectors(t)
	sources := smallModule(t)
	t.Setenv("WINEDEBUG", "-all")
	for _, p := range platforms {
		t.Run(p.name, func(t *testing.T) {
			t.Chdir(sources)
			cc := []string{"-m", "ziglang", "cc", "-target", p.name, "-std=c11", "-O1"}
			for _, file := range byHand {
				flags := strings.Fields("-Wall -Wextra -Werror -pedantic-errors -c -o one.o " + p.flags + " " + file)
				run(t, zig, append(slices.Clone(cc), flags...)...)
			}
			program := filepath.Join(t.TempDir(), "groups.exe")
			all, _ := filepath.Glob("*.c")
			run(t, zig, slices.Concat(cc, strings.Fields("-w -lm -lpthread "+p.flags+" -o "+program), all)...)
			library := p.library(t, zig, core)
			vectors := filepath.Join(t.TempDir(), "vectors.exe")
			run(t, zig, append(cc, strings.Fields("-w -I"+core+" -o "+vectors+" "+source+" "+library+" -lm -lpthread "+
				p.flags)...)...)
			if p.runner == nil {
				t.Log("compiled, and not run")
				return
			}
			if out, err := exec.Command(p.runner[0], append(p.runner[1:], program)...).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
			served := exec.Command(p.runner[0], append(p.runner[1:], vectors)...)
			served.Stdin = bytes.NewReader(in)
			if got, err := served.Output(); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%v: %d bytes of answers, and %d are wanted", err, len(got), len(want))
			}
		})
	}
}

// library compiles the C in a directory for the platform.
func (p platform) library(t *testing.T, zig, sources string) string {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(sources)); err != nil {
		t.Fatal(err)
	}
	run(t, "make", "-s", "-C", dir, "-j", "2", "CC="+zig+" -m ziglang cc -target "+p.name, "AR="+zig+" -m ziglang ar",
		"CFLAGS="+*optimise+" -fno-sanitize=all "+p.flags)
	return filepath.Join(dir, "libelicit.a")
}

// coreVectors returns the vectors of the module core as vectors.c reads them, and its answers.
func coreVectors(t *testing.T) (in, want []byte) {
	count := 0
	for _, v := range vectors.Read(t) {
		if strings.Contains(string(v.In), `"command`) || slices.Contains(abi.OpsWithout(abi.Core), v.Op) {
			continue // the module reads no commands
		}
		in = fmt.Appendf(in, "%s %d\n%s\n", v.Op, len(v.In), v.In)
		want = fmt.Appendf(want, "%d\n%s\n", len(v.Output()), v.Output())
		count++
	}
	t.Logf("vectors of the module core: %d", count)
	return in, want
}

// byHand lists the files that are compiled without extensions and without a warning.
var byHand = []string{"host.c", "module.c", "elicit.c", "groups.c"}

// smallModule makes the C library of echo.wat, with the program that tests it.
func smallModule(t *testing.T) (sources string) {
	t.Helper()
	dir := t.TempDir()
	module, sources := filepath.Join(dir, "echo.wasm"), filepath.Join(dir, "c")
	run(t, "wat2wasm", "testdata/echo.wat", "-o", module)
	program := read(t, "testdata/groups.c")
	t.Chdir("../..")
	if err := amalgamate(module, sources); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(sources, "groups.c"), program, 0o644); err != nil {
		t.Fatal(err)
	}
	return sources
}
