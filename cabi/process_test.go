package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
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
	must.OK(t, os.WriteFile(again, []byte(must.Text(t, ours)), 0o755))
	for _, args := range [][]string{{"-buildmode=c-shared", "-o", other}, {"-o", program}} {
		build := exec.Command("go", append(append([]string{"build"}, args...), ".")...)
		build.Dir = "testdata/second"
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
