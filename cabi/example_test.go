package main

import (
	"bytes"
	"debug/elf"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

var compiles = regexp.MustCompile(`(?m)^ \*   cc (.*\.c) \$\(pkg-config --cflags --libs elicit(.*)\) -o (\w+)`)

// example compiles an example as the comment in its source says, with the installed files, and returns the program. It
// skips the test if a library that the comment names is missing.
func example(t *testing.T, name string) string {
	t.Helper()
	tool(t, "pkg-config")
	m := compiles.FindStringSubmatch(must.Text(t, "example/"+name+".c"))
	if m == nil || m[3] != name {
		t.Fatalf("%s.c does not say how it is compiled: %q", name, m)
	}
	for library := range strings.FieldsSeq(m[2]) {
		if exec.Command("pkg-config", "--exists", library).Run() != nil {
			t.Skipf("%s is not installed", library)
		}
	}
	at, dir := installed(t), given(t, examples(t)...)
	run(t, dir, []string{"PKG_CONFIG_PATH=" + at + "/lib/pkgconfig"}, "sh", "-ec",
		`eval cc -std=c99 -D_GNU_SOURCE -Wall -Wextra -Werror -pedantic -g `+m[1]+` -o `+name+
			` "$(pkg-config --cflags --libs elicit`+m[2]+`)" -Wl,-rpath,"'`+at+`/lib'"`)
	return filepath.Join(dir, name)
}

func examples(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("example/*.[ch]")
	if err != nil || len(files) < 3 {
		t.Fatalf("%v: %v", files, err)
	}
	return files
}

// TestConnectionExample runs the example in the header: a changed message, one that passes, a question, and the end.
func TestConnectionExample(t *testing.T) {
	t.Parallel()
	out, err := exec.Command(example(t, "connection")).CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	want := []string{`"effect":"append"`, `"effect":"send","to":"server"`, `{"effect":"forward","to":"client"}`,
		`"effect":"show"`,
		`{"effect":"close","end":"server"}`}
	if err != nil || len(lines) != len(want) {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, "ok: ") || !strings.Contains(line, want[i]) {
			t.Errorf("no %s in %s", want[i], line)
		}
	}
}

// TestProxyExample runs the example between a client of the official SDK and a server: the client's person answers,
// policy answers instead, and the time runs out. The shell around the proxy tells with what it ended.
func TestProxyExample(t *testing.T) {
	t.Parallel()
	program := example(t, "proxy")
	server := filepath.Join(t.TempDir(), "demoserver")
	if out, err := exec.Command("go", "build", "-o", server, "../testdata/demoserver").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	client := realPart(t, "client1.mjs", "@modelcontextprotocol/sdk")
	const never = `{"policy":{"user":{"version":1,"approval_policy":"on-request","rules":[` +
		`{"name":"no","when":{"tool":"deploy"},"then":"decline"}]}}}`
	for _, c := range []struct {
		name, config, answer, want string
		asked                      int
	}{
		{"answered", `{}`, `{"action":"accept"}`, "Deployed shop to production.", 1},
		{"refused", `{}`, `{"action":"decline"}`, "Declined", 1},
		{"policy answers", never, `{"action":"accept"}`, "Declined", 0},
		{"time runs out", `{"limits":{"answer_ttl_ms":50}}`, `"never"`, "Cancelled", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			answers := filepath.Join(t.TempDir(), "answers.json")
			if err := os.WriteFile(answers, []byte(`[{"answer":`+c.answer+`}]`), 0o600); err != nil {
				t.Fatal(err)
			}
			run := exec.Command("node", client, "--elicit", "form", "--answers", answers, "--tool", "deploy", "--",
				"sh", "-c", `"$0" "$@"; echo "ended with $?" >&2`, program, c.config, server)
			var said bytes.Buffer
			run.Stderr = &said
			out, err := run.Output()
			var report struct {
				Asked    []json.RawMessage
				Outcomes []json.RawMessage
			}
			if err != nil || json.Unmarshal(out, &report) != nil || len(report.Outcomes) != 1 {
				t.Fatalf("%v: %s\n%s", err, out, said.String())
			}
			if len(report.Asked) != c.asked || !bytes.Contains(report.Outcomes[0], []byte(c.want)) {
				t.Errorf("asked %d times: %s\n%s", len(report.Asked), report.Outcomes[0], said.String())
			}
			if !strings.Contains(said.String(), "ended with 0\n") {
				t.Errorf("the proxy ends with\n%s", said.String())
			}
		})
	}
}

// realPart is a program of testdata/realparts. Without the package that it needs, the test is skipped, but not in CI.
func realPart(t *testing.T, program, needs string) string {
	t.Helper()
	const at = "../testdata/realparts/"
	if _, err := os.Stat(at + "node_modules/" + needs); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip("run testdata/realparts/setup.sh")
	}
	return at + program
}

// TestClientExample lets the example answer the reference server: with a wrong value and its correction, and with both
// ways to refuse.
func TestClientExample(t *testing.T) {
	t.Parallel()
	program := example(t, "client")
	const everything = "@modelcontextprotocol/server-everything"
	server := realPart(t, "node_modules/"+everything+"/dist/index.js", everything)
	const filled = "Ada\ny\n\nnot-mail\n\n1815-12-10\n7\n2.5\nRoss\nPiano, Drums\nhero-3\nfish-1,fish-2\npet-2\n" +
		"ada@example.com\n"
	const aunt = `{"guardians":[{"name":"aunt","phases":["before_show"],"deadline_ms":600000}]}`
	for _, c := range []struct {
		name, typed, config string
		want                []string
	}{
		{"filled", filled, "{}", []string{"! /email", "[accept, because of user]", `\"email\": \"ada@example.com\"`,
			`\"Drums\"`, `\"integer\": 7`}},
		{"declined", "Ada\n!decline\n", "{}", []string{"[decline, because of user]", `\"action\": \"decline\"`}},
		{"put away", "!cancel\n", "{}", []string{"[cancel, because of user]", `\"action\": \"cancel\"`}},
		{"nobody types", "", "{}", []string{"[cancel, because of user]", `\"action\": \"cancel\"`}},
		{"nobody asks the guardian", "", aunt, []string{"[decline, because of guardian]", `\"action\": \"decline\"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			journal := filepath.Join(t.TempDir(), "journal")
			client := exec.Command(program, "-c", c.config, "-j", journal, "trigger-elicitation-request", "node", server,
				"stdio")
			client.Stdin = strings.NewReader(c.typed)
			out, err := client.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, want := range c.want {
				if !bytes.Contains(out, []byte(want)) {
					t.Errorf("no %s in\n%s", want, out)
				}
			}
			verify(t, journal)
		})
	}
	t.Run("the journal is full", func(t *testing.T) {
		client := exec.Command(program, "-j", "/dev/full", "trigger-elicitation-request", "node", server, "stdio")
		client.Stdin = strings.NewReader(filled)
		out, _ := client.CombinedOutput()
		if !bytes.Contains(out, []byte(`"isError":true`)) || bytes.Contains(out, []byte("[accept")) || bytes.Contains(out,
			[]byte("asks:")) {
			t.Errorf("an answer that is not on record came through:\n%s", out)
		}
	})
}

// verify checks with the installed command that the example's records are complete and unchanged.
func verify(t *testing.T, journal string) {
	t.Helper()
	records := strings.TrimSpace(must.Text(t, journal))
	if n := strings.Count(records, "\n") + 1; n < 3 || !json.Valid([]byte(strings.Split(records, "\n")[0])) {
		t.Fatalf("%d records:\n%s", n, records)
	}
	if out, err := exec.Command(installed(t)+"/bin/elicit", "replay", journal).CombinedOutput(); err != nil {
		t.Errorf("replay: %v\n%s", err, out)
	}
}

// TestReadmeProgram compiles and runs the C program of README.md as it stands.
func TestReadmeProgram(t *testing.T) {
	t.Parallel()
	tool(t, "pkg-config")
	_, program, _ := strings.Cut(must.Text(t, "../README.md"), "\n```c\n")
	program, _, found := strings.Cut(program, "\n```\n")
	if !found {
		t.Fatal("README.md has no program in C")
	}
	at, dir := installed(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "readme.c"), []byte(program+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := run(t, dir, []string{"PKG_CONFIG_PATH=" + at + "/lib/pkgconfig"}, "sh", "-ec",
		`eval cc -std=c99 -Wall -Wextra -Werror -pedantic readme.c -o readme `+
			`"$(pkg-config --cflags --libs elicit)" -Wl,-rpath,"'`+at+`/lib'" && ./readme`)
	if !strings.Contains(out, `"name":"days"`) {
		t.Errorf("it prints %s", out)
	}
}

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
