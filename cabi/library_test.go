package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/elicit-engine/elicit/internal/hostscript"
	"github.com/elicit-engine/elicit/internal/loops"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// build is one way of making the library and the C programs that use it.
type build struct {
	name        string
	library     []string // more flags for the library's go build
	environment []string
	program     []string // more flags for the C compiler
	arch        string   // for an old Linux of that architecture, by build.sh lib_for
}

// plain also refuses warnings of the C side. A packager's compiler may have others, so the library itself does not.
var plain = build{name: "plain", environment: []string{"CGO_CFLAGS=-O2 -g -Werror"}}

// made builds the libraries and has their directories, by the name of the build. Each is built once for all tests.
var made struct {
	sync.Mutex
	root string
	dirs map[string]func() (string, error)
}

// directory builds libelicit.so.1 with build.sh and returns its directory.
func (b build) directory(t *testing.T) string {
	t.Helper()
	made.Lock()
	dir := made.dirs[b.name]
	if dir == nil {
		dir = sync.OnceValues(b.make)
		made.dirs[b.name] = dir
	}
	made.Unlock()
	at, err := dir()
	must.OK(t, err)
	return at
}

func (b build) make() (string, error) {
	dir := filepath.Join(made.root, b.name)
	args := append([]string{"lib", dir}, b.library...)
	if b.arch != "" {
		args = []string{"lib_for", b.arch, dir}
	}
	run := exec.Command("../build.sh", args...)
	run.Env = append(os.Environ(), b.environment...)
	if out, err := run.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v: %s", err, out)
	}
	return dir, nil
}

func TestMain(m *testing.M) {
	made.dirs = map[string]func() (string, error){}
	var err error
	if made.root, err = os.MkdirTemp("", "libelicit"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(made.root)
	os.Exit(code)
}

// compiled compiles a program of one file, C99 or C++, links it with the library and returns its path.
func (b build) compiled(t *testing.T, source string) string {
	t.Helper()
	dir := b.directory(t)
	program := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(source), filepath.Ext(source)))
	compiler, args := "cc", []string{"-std=c99"}
	if b.arch != "" {
		compiler = "../dist/zig/cc-" + b.arch
	}
	if filepath.Ext(source) == ".cpp" {
		compiler, args = "c++", []string{"-I../bindings/cpp"}
	}
	args = append(args, "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-g", "-I.", "-o", program,
		source)
	args = append(append(args, b.program...), "-L"+dir, "-lelicit", "-lpthread", "-ldl", "-Wl,-rpath,"+dir)
	must.Run(t, exec.Command(compiler, args...))
	return program
}

// command runs a program of one file, in an emulator if it is for another architecture.
func (b build) command(t *testing.T, source string) *exec.Cmd {
	program := b.compiled(t, source)
	if b.arch != "arm64" || runtime.GOARCH == "arm64" {
		return exec.Command(program)
	}
	return exec.Command("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", program)
}

// TestVectors runs every vector through the shared library from a C program.
func TestVectors(t *testing.T) {
	t.Parallel()
	all := vectors.Read(t)
	ran := plain.vectors(t, all)
	t.Logf("vectors through C: %d", ran)
	if !t.Failed() {
		must.OK(t, loops.Keep("C", "vectors", ran, len(all)))
	}
}

func (b build) vectors(t *testing.T, list []vectors.Vector) int {
	return served(t, b.command(t, "test/vectors.c"), list)
}

// served gives a program vectors, compares its answers with them byte for byte, and counts them.
func served(t *testing.T, run *exec.Cmd, list []vectors.Vector) int {
	t.Helper()
	run.Stderr = os.Stderr
	in, pipe := must.Start(t, run)
	out := bufio.NewReaderSize(pipe, 1<<20)
	for _, v := range list {
		fmt.Fprintf(in, "%s %d\n%s\n", v.Op, len(v.In), v.In)
		if got, err := oneAnswer(out); err != nil {
			t.Fatalf("%s: %v", v, err)
		} else if want := v.Output(); !bytes.Equal(got, want) {
			t.Errorf("%s\n got %s\nwant %s", v, got, want)
		}
	}
	in.Close()
	if err := run.Wait(); err != nil {
		t.Error(err)
	}
	return len(list)
}

func oneAnswer(out *bufio.Reader) ([]byte, error) {
	line, err := out.ReadString('\n')
	if err != nil {
		return nil, err
	}
	size, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		return nil, err
	}
	got := make([]byte, size+1)
	_, err = io.ReadFull(out, got)
	return got[:size], err
}

const well = `{"ok":true,"warnings":[]}`

func warned(file string) string {
	return `{"ok":false,"warnings":[{"code":"second_go_runtime","detail":"` + file + `"}]}`
}

// TestSecondRuntime loads the library beside other Go runtimes. The self-check reports them, and both still work on
// Linux.
func TestSecondRuntime(t *testing.T) {
	t.Parallel()
	ours := plain.directory(t) + "/libelicit.so.1"
	double := plain.compiled(t, "test/double.c")
	dir := t.TempDir()
	again, other, program := filepath.Join(dir, "again.so"), filepath.Join(dir, "other.so"), filepath.Join(dir, "program")
	must.OK(t, os.WriteFile(again, []byte(must.Text(t, ours)), 0o755))
	for _, args := range [][]string{{"-buildmode=c-shared", "-o", other}, {"-o", program}} {
		build := exec.Command("go", append(append([]string{"build"}, args...), ".")...)
		build.Dir, build.Env = "testdata/second", append(os.Environ(), "CGO_ENABLED=1")
		must.Run(t, build)
	}
	for _, c := range []struct {
		name string
		run  []string
		want []string
	}{
		{"two copies of ours", []string{double, ours, again}, []string{well, warned(again), warned(ours)}},
		{"the same file twice is one copy", []string{double, ours, ours}, []string{well, well, well}},
		{"another library", []string{double, ours, other, "second"}, []string{well, warned(other)}},
		{"the program itself", []string{program, ours}, []string{warned("the program itself")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			out, err := exec.Command(c.run[0], c.run[1:]...).CombinedOutput()
			if want := strings.Join(c.want, "\n") + "\n"; err != nil || string(out) != want {
				t.Errorf("%v\n got %s\nwant %s", err, out, want)
			}
		})
	}
}

// TestLoops runs the vectors of connections and the scenarios of the kit through elicit_next, in a C program.
func TestLoops(t *testing.T) {
	t.Parallel()
	plain.loops(t)
}

func (b build) loops(t *testing.T) {
	scripts, _, err := loops.Read(vectors.Root(t))
	must.OK(t, err)
	run := b.command(t, "test/loop.c")
	run.Stderr = os.Stderr
	in, _ := run.StdinPipe()
	pipe, _ := run.StdoutPipe()
	host := hostscript.Host{In: in, Out: bufio.NewReaderSize(pipe, 1<<20)}
	must.OK(t, run.Start())
	scripts = append(scripts, hostscript.Scenarios()...)
	for _, script := range scripts {
		if wrong, err := host.Run(script); wrong != nil || err != nil {
			t.Fatalf("%v %v", wrong, err)
		}
	}
	in.Close()
	if err := run.Wait(); err != nil {
		t.Fatal(err)
	}
	t.Logf("vectors through the loop of C: %d", len(scripts))
	if b.name == plain.name {
		must.OK(t, loops.KeepScripts("C", scripts, nil))
	}
}
