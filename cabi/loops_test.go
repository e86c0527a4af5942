package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/loops"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// TestLoops runs the vectors of connections through elicit_next, in a C program.
func TestLoops(t *testing.T) {
	t.Parallel()
	plain.loops(t)
}

func (b build) loops(t *testing.T) {
	scripts, _, err := loops.Read(vectors.Root(t))
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(b.compiled(t, "test/loop.c"))
	run.Stderr = os.Stderr
	in, _ := run.StdinPipe()
	pipe, _ := run.StdoutPipe()
	host := scriptHost{in, bufio.NewReaderSize(pipe, 1<<20)}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		if err := host.run(script); err != nil {
			t.Fatalf("%s: %v", script.Name, err)
		}
	}
	in.Close()
	if err := run.Wait(); err != nil {
		t.Error(err)
	}
	t.Logf("vectors through the loop of C: %d", len(scripts))
}

// scriptHost is a program that runs scripts, as test/loop.c says.
type scriptHost struct {
	in  io.Writer
	out *bufio.Reader
}

func (h scriptHost) run(script loops.Script) error {
	for i, step := range script.Steps {
		input := step.Bytes()
		if step.Kind == "open" {
			input = step.Opening(script.Relay)
			fmt.Fprintf(h.in, "open %d", script.Keeps)
		} else {
			fmt.Fprint(h.in, step.Kind)
		}
		fmt.Fprintf(h.in, " %d %d %d\n%s", step.At, step.Elapsed, len(input), input)
		items, wait, err := h.items()
		if err != nil {
			return err
		}
		if !slices.Equal(items, step.Want) || wait != step.Wait {
			return fmt.Errorf("step %d: wait %d, want %d\n got %s\nwant %s", i, wait, step.Wait,
				strings.Join(items, "\n     "), strings.Join(step.Want, "\n     "))
		}
	}
	_, err := fmt.Fprint(h.in, "close 0 0 0\n")
	return err
}

// items reads what the program performed, and how long it waits.
func (h scriptHost) items() (items []string, wait int64, err error) {
	items = []string{}
	for {
		line, err := h.out.ReadString('\n')
		if err != nil {
			return nil, 0, err
		}
		line = strings.TrimSpace(line)
		if ms, waits := strings.CutPrefix(line, "wait "); waits {
			wait, err = strconv.ParseInt(ms, 10, 64)
			return items, wait, err
		}
		size, err := strconv.Atoi(line)
		if err != nil {
			return nil, 0, err
		}
		item := make([]byte, size+1)
		if _, err := io.ReadFull(h.out, item); err != nil {
			return nil, 0, err
		}
		items = append(items, string(bytes.TrimSuffix(item, []byte("\n"))))
	}
}
