//go:build unix

package program

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/internal/must"
)

// pipe makes a named pipe and opens its reading end. A read ends when no process has the writing end any more.
func pipe(t *testing.T) (name string, r *os.File) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "pipe")
	must.OK(t, syscall.Mkfifo(name, 0o600))
	r, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // does not wait for a writer
	must.OK(t, err)
	t.Cleanup(func() { r.Close() })
	return name, r
}

// TestDeadlineEndsAll: a program that runs until its deadline ends, with every process that it started. A busy machine
// may not start the program before the deadline. Then the test gives it twice the time.
func TestDeadlineEndsAll(t *testing.T) {
	for wait := 200 * time.Millisecond; ; wait *= 2 {
		name, r := pipe(t)
		script := `exec 3>` + name + `; (echo began >&3; sleep 60; echo late >&3) & sleep 60`
		said, _ := asked(t, script, effect.Consult{Deadline: time.Now().Add(wait).UnixMilli()})
		if said.Fault != guardian.FaultUnavailable {
			t.Fatalf("%+v", said)
		}
		switch wrote, err := io.ReadAll(r); {
		case err != nil:
			t.Fatal(err)
		case len(wrote) == 0:
		case string(wrote) != "began\n":
			t.Fatalf("what it started went on: %q", wrote)
		default:
			return
		}
	}
}

// TestWithdrawEndsProgram: the answer of a program about a question that has ended is dropped.
func TestWithdrawEndsProgram(t *testing.T) {
	name, r := pipe(t)
	w, err := os.OpenFile(name, os.O_WRONLY, 0) // so that a read waits for the program
	must.OK(t, err)
	defer w.Close()
	answers := make(chan event.Consulted, 2)
	runner := &Runner{Guardians: map[string][]string{"auto": {"sh", "-c", "echo >" + name + "; sleep 60"}},
		Answer: func(a event.Consulted) { answers <- a }}
	runner.Consult(effect.Consult{ID: "a", Guardian: "auto", Deadline: time.Now().Add(time.Minute).UnixMilli()})
	if _, err := r.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	runner.Withdraw("a")
	runner.Close()
	runner.Consult(effect.Consult{ID: "b", Guardian: "auto", Deadline: time.Now().Add(time.Minute).UnixMilli()})
	if said := <-answers; said.ID != "b" || said.Fault != guardian.FaultUnavailable {
		t.Errorf("got %+v; want the one after the end to fail, and nothing of the other", said)
	}
}
