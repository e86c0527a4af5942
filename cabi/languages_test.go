package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
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
