package main

import (
	"debug/elf"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// prefix installs into a directory and then moves it, once for all tests. No installed file may contain the first path.
var prefix = sync.OnceValues(func() (string, error) {
	first, second := filepath.Join(made.root, "installed"), filepath.Join(made.root, "moved here")
	if out, err := exec.Command("../build.sh", "install", "--prefix", first).CombinedOutput(); err != nil {
		return string(out), err
	}
	return second, os.Rename(first, second)
})

func installed(t *testing.T) string {
	t.Helper()
	dir, err := prefix()
	if err != nil {
		t.Fatalf("%v\n%s", err, dir)
	}
	return dir
}

// tool returns the path of a program. It ends the test if the program is missing.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

// run runs a program in a directory with only the given environment, and returns its output.
func run(t *testing.T, dir string, environment []string, line ...string) string {
	t.Helper()
	c := exec.Command(line[0], line[1:]...)
	c.Dir, c.Env = dir, append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}, environment...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(line, " "), err, out)
	}
	return string(out)
}

// given copies files into a new directory.
func given(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, file := range files {
		must.Write(t, must.Text(t, file), dir, filepath.Base(file))
	}
	return dir
}

// TestCommandNeedsNoCLibrary tests that `elicit --stdio` runs on systems where the library cannot be loaded. The
// command names no dynamic loader, neither glibc's nor any other.
func TestCommandNeedsNoCLibrary(t *testing.T) {
	t.Parallel()
	program, err := elf.Open(installed(t) + "/bin/elicit")
	must.OK(t, err)
	defer program.Close()
	for _, part := range program.Progs {
		if part.Type == elf.PT_INTERP || part.Type == elf.PT_DYNAMIC {
			t.Errorf("the command has a part %s", part.Type)
		}
	}
}

const minimalSays = `{"region":"eu","percent":5} -> {"problems":[]}`

// TestPkgConfig builds the first example as its comment says, with only the installed files.
func TestPkgConfig(t *testing.T) {
	t.Parallel()
	tool(t, "pkg-config")
	at, dir := installed(t), given(t, "example/minimal.c")
	environment := []string{"PKG_CONFIG_PATH=" + at + "/lib/pkgconfig", "LD_LIBRARY_PATH=" + at + "/lib"}
	run(t, dir, environment, "sh", "-ec", `eval cc -std=c99 -Wall -Wextra -Werror -pedantic minimal.c `+
		`"$(pkg-config --cflags --libs elicit)" -o minimal`)
	if out := run(t, dir, environment, "./minimal"); !strings.Contains(out, minimalSays) {
		t.Errorf("minimal says %s", out)
	}
	var described struct{ ABI struct{ Current json.Number } }
	must.Unmarshal(t, run(t, dir, environment, "sh", "-c",
		`echo '{"op":"describe"}' | "`+at+`/bin/elicit" --stdio | sed 's/.*"output"://; s/}$//'`), &described)
	if got := strings.TrimSpace(run(t, dir, environment, "pkg-config", "--variable=abi_version",
		"elicit")); got != string(described.ABI.Current) {
		t.Errorf("elicit.pc says contract %s, the engine %s", got, described.ABI.Current)
	}
}

// TestCMake finds the package as another project would, for C and for C++.
func TestCMake(t *testing.T) {
	t.Parallel()
	tool(t, "cmake")
	at, dir := installed(t), given(t, "example/minimal.c", "../bindings/cpp/test/contract.cpp")
	const project = `cmake_minimum_required(VERSION 3.13)
project(somebody C CXX)
find_package(elicit 0.1 REQUIRED)
find_package(Threads REQUIRED)
add_executable(minimal minimal.c)
target_link_libraries(minimal PRIVATE elicit::elicit)
add_executable(contract contract.cpp)
target_link_libraries(contract PRIVATE elicit::cpp Threads::Threads)
`
	must.Write(t, project, dir, "CMakeLists.txt")
	run(t, dir, nil, "cmake", "-S", ".", "-B", "out", "-DCMAKE_PREFIX_PATH="+at)
	run(t, dir, nil, "cmake", "--build", "out")
	if out := run(t, dir, nil, "out/minimal"); !strings.Contains(out, minimalSays) {
		t.Errorf("minimal says %s", out)
	}
	guest, err := filepath.Abs("../testdata/guests/no-links.wasm")
	must.OK(t, err)
	run(t, dir, []string{"ELICIT_TEST_GUEST=" + guest}, "out/contract")
	newer := strings.Replace(project, "elicit 0.1", "elicit 0.2", 1)
	must.Write(t, newer, dir, "CMakeLists.txt")
	c := exec.Command("cmake", "-S", dir, "-B", filepath.Join(dir, "newer"), "-DCMAKE_PREFIX_PATH="+at)
	if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), "0.2") {
		t.Errorf("a package of 0.1 was taken for 0.2: %v\n%s", err, out)
	}
}
