package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

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
	if err := os.WriteFile(again, []byte(read(t, ours)), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-buildmode=c-shared", "-o", other}, {"-o", program}} {
		build := exec.Command("go", append(append([]string{"build"}, args...), ".")...)
		build.Dir = "testdata/second"
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
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

// TestSignals tests that the library changes neither a program's handlers and mask nor which signals kill it.
func TestSignals(t *testing.T) {
	t.Parallel()
	ours := plain.directory(t) + "/libelicit.so.1"
	program := plain.compiled(t, "test/signals.c")
	t.Run("handlers", func(t *testing.T) {
		if out, err := exec.Command(program, ours).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%v\n%s", err, out)
		}
	})
	for _, n := range []syscall.Signal{syscall.SIGSEGV, syscall.SIGPIPE, syscall.SIGABRT, syscall.SIGTERM,
		syscall.SIGPROF} {
		t.Run("dies of "+n.String(), func(t *testing.T) {
			run := exec.Command(program, ours, strconv.Itoa(int(n)))
			out, _ := run.CombinedOutput()
			if status := run.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != n ||
				len(out) > 0 {
				t.Errorf("%v\n%s", run.ProcessState, out)
			}
		})
	}
}
