//go:build unix

package main

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"

	"github.com/elicit-engine/elicit/internal/vectors"
)

// TestLateHandlers calls every function of the library while signals come whose handlers were installed after it,
// without a stack of their own: empty ones, and ones with a large frame. ELICIT_LATE_RUNS sets the number of runs.
func TestLateHandlers(t *testing.T) {
	t.Parallel()
	ours := plain.directory(t) + "/libelicit.so.1"
	program := plain.compiled(t, "test/late.c")
	runs := 10
	if vectors.Nightly() {
		runs = 50
	}
	if more, err := strconv.Atoi(os.Getenv("ELICIT_LATE_RUNS")); err == nil {
		runs = more
	}
	died := 0
	for i := range runs {
		frame := []string{"0", "30000"}[i%2]
		out, err := exec.Command(program, ours, frame, "../testdata/guests/no-links.wasm").CombinedOutput()
		if err != nil || len(out) > 0 {
			died++
			t.Errorf("handlers of %s bytes: %v\n%.300s", frame, err, out)
		}
	}
	t.Logf("%d of %d runs failed", died, runs)
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
