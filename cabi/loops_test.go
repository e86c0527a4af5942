package main

import (
	"bufio"
	"os"
	"testing"

	"github.com/elicit-engine/elicit/internal/hostscript"
	"github.com/elicit-engine/elicit/internal/loops"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

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
		t.Error(err)
	}
	t.Logf("vectors through the loop of C: %d", len(scripts))
}
