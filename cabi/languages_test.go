package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/hostscript"
	"github.com/elicit-engine/elicit/internal/loops"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// TestLanguages holds a conversation through the examples for languages that call C and have no package. The library is
// libelicit and, where ./build.sh in_c has made it, the one in C.
func TestLanguages(t *testing.T) {
	t.Parallel()
	libraries := map[string]string{"libelicit": plain.directory(t)}
	if _, err := os.Stat("../dist/in-c/libelicit.so.1"); err == nil {
		libraries["in C"] = "../dist/in-c"
	}
	for program, source := range map[string]string{"ruby": "example/client.rb", "php": "example/client.php"} {
		for name, dir := range libraries {
			t.Run(program+"/"+name, func(t *testing.T) {
				t.Parallel()
				converses(t, program, source, filepath.Join(dir, "libelicit.so.1"))
			})
		}
	}
}

func converses(t *testing.T, program, source, library string) {
	if _, err := exec.LookPath(program); err != nil && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	library, err := filepath.Abs(library)
	must.OK(t, err)
	journal := filepath.Join(t.TempDir(), "journal")
	limit, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	run := exec.CommandContext(limit, program, source, journal, "snapshot", "sh", "testdata/asking.sh")
	run.WaitDelay = time.Second
	run.Env = append(os.Environ(), "ELICIT_LIBRARY="+library)
	run.Stdin = strings.NewReader("99\ny\n7\ny\n")
	out, err := run.CombinedOutput()
	wants := []string{"demo asks: Keep it for how long?\n  Days?\n", "/days: too_high\n", `"kept for 7 days"`}
	for _, want := range wants {
		if err != nil || !strings.Contains(string(out), want) {
			t.Fatalf("%v, without %q:\n%s", err, want, out)
		}
	}
	records := strings.Split(strings.TrimSuffix(must.Text(t, journal), "\n"), "\n")
	for _, record := range records {
		if len(records) < 4 || !strings.HasPrefix(record, "{") || !strings.HasSuffix(record, "}") {
			t.Errorf("the journal has %q", records)
		}
	}
}

// unoptimised returns the directory where ./build.sh in_c has left Elicit in C.
func unoptimised(t *testing.T, programs ...string) string {
	t.Helper()
	dir, err := filepath.Abs("../dist/in-c")
	if err == nil {
		_, err = os.Stat(filepath.Join(dir, "libelicit.a"))
	}
	for _, program := range programs {
		if _, missing := exec.LookPath(program); missing != nil {
			err = missing
		}
	}
	if err != nil && os.Getenv("CI") == "" {
		t.Skipf("run ./build.sh in_c first, which takes a minute: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	return dir
}

// script runs functions of the scripts of build.sh.
func script(t *testing.T, line string, args ...string) {
	t.Helper()
	run := exec.Command("bash", append([]string{"-c", "set -euo pipefail; " +
		"for part in setup build portable java; do . scripts/$part.sh; done; " + line, "java"}, args...)...)
	run.Dir = ".."
	must.Run(t, run)
}

// TestJava makes the jar, at night twice, and runs the example, the checks, the loop and the vectors with it. The
// virtual machine checks what the C side does with it.
func TestJava(t *testing.T) {
	t.Parallel()
	archive := filepath.Join(unoptimised(t, "javac", "jar"), "libelicit.a")
	dir := t.TempDir()
	script(t, `jni "$(go env GOARCH)" "$1/native" cc "$2" && jar_of "$1" "$1/native" && try_jar "$1"/*.jar`, dir, archive)
	t.Run("again", func(t *testing.T) {
		vectors.Night(t)
		script(t, `jar_of "$1/again" "$1/native" && cmp "$1"/*.jar "$1"/again/*.jar`, dir)
	})
	found, _ := filepath.Glob(filepath.Join(dir, "*.jar"))
	tests := filepath.Join(dir, "tests")
	sources, _ := filepath.Glob("../bindings/java/src/test/java/dev/elicit/*.java")
	must.Run(t, exec.Command("javac", append([]string{"-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC",
		"-Xlint:all", "-Werror", "-cp", found[0], "-d", tests}, sources...)...))
	java := []string{"java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xcheck:jni", "-Xmx1g",
		"-cp", found[0] + ":" + tests}
	t.Run("checks", func(t *testing.T) {
		out, err := exec.Command(java[0], append(java[1:], "dev.elicit.ElicitTest")...).CombinedOutput()
		t.Logf("%s", out)
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		for _, line := range lines { // a warning of the virtual machine is one more
			if err != nil || len(lines) < 10 || !strings.HasPrefix(line, "ok ") {
				t.Fatal(err, line)
			}
		}
	})
	t.Run("kept", func(t *testing.T) {
		kept := "../testdata/kept/0.1/"
		out, err := exec.Command("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", found[0],
			kept+"client.java").CombinedOutput()
		_, want, _ := strings.Cut(must.Text(t, kept+"want.txtar"), "-- client.java --\n")
		if want, _, _ = strings.Cut(want, "-- "); err != nil || string(out) != want || want == "" {
			t.Errorf("the program of version 0.1 prints\n%s\nand printed\n%s", out, want)
		}
	})
	t.Run("vectors", func(t *testing.T) {
		all := vectors.Read(t)
		list := vectors.Some(all)
		run := exec.Command(java[0], append(java[1:], "dev.elicit.Scripts", "vectors")...)
		t.Logf("vectors through Java: %d", served(t, run, list))
		if !t.Failed() {
			must.OK(t, loops.Keep("Java", "vectors", len(list), len(all)))
		}
	})
	scripts, _, err := loops.Read(vectors.Root(t))
	must.OK(t, err)
	sets := map[string][]hostscript.Script{"connections": vectors.Some(scripts), "scenarios": hostscript.Scenarios()}
	for name, list := range sets {
		t.Run(name, func(t *testing.T) {
			r, err := hostscript.Certify(list, append(java, "dev.elicit.Scripts"), hostscript.Patience)
			var told bytes.Buffer
			r.Tell(&told)
			t.Logf("%s through Java: %s", name, told.Bytes())
			if err != nil || !r.Good() || r.Passed < 100 {
				t.Error(err)
			}
			all := map[string]int{"connections": len(scripts), "scenarios": len(list)}[name]
			must.OK(t, loops.Keep("Java", name, r.Passed, all))
		})
	}
}
