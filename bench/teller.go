package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// teller is a program that reads lines "NAME TIMES THREADS" and answers each with a number.
type teller func(name string, times, threads int) float64

// tell starts a program. It loads the library in dist.
func tell(program string, args ...string) (t teller, end func()) {
	cmd := exec.Command(program, args...)
	cmd.Stderr, cmd.Env = os.Stderr, append(os.Environ(), "ELICIT_LIBRARY="+absolutePath("../dist/libelicit.so.1"),
		"PYTHONPATH="+absolutePath("../bindings/python/src"))
	in, err := cmd.StdinPipe()
	must(err)
	out, err := cmd.StdoutPipe()
	must(err)
	must(cmd.Start())
	lines := bufio.NewScanner(out)
	return func(name string, times, threads int) float64 {
		fmt.Fprintln(in, name, times, threads)
		if !lines.Scan() {
			must(fmt.Errorf("%s ended early", program))
		}
		took, err := strconv.ParseFloat(lines.Text(), 64)
		must(err)
		return took
	}, func() { in.Close(); cmd.Wait() }
}

// line measures one call, in nanoseconds of the whole program.
func (t teller) line(call, what string, times, threads int) *line {
	t(call, times, threads)
	return &line{name: what, unit: "ns", once: func() float64 { return t(call, times, threads) / float64(times) }}
}

// loading measures the library itself: its size, its loading time, and the memory that it adds to a process.
func loading(dir string) (*contest, []row) {
	compiler := exec.Command("cc", "-std=c99", "-D_GNU_SOURCE", "-O2", "-I../dist", "-o", dir+"/cold", "interface/cold.c",
		"-ldl")
	compiler.Stderr = os.Stderr
	must(compiler.Run())
	slim := exec.Command("../build.sh", "lib", dir+"/slim", "-tags", "slim")
	slim.Stderr = os.Stderr
	must(slim.Run())
	size := func(path string) *line {
		info, err := os.Stat(path)
		must(err)
		return &line{name: "size", unit: "MB", once: func() float64 { return float64(info.Size()) / 1e6 }}
	}
	whole, part := size("../dist/libelicit.so.1"), size(dir+"/slim/libelicit.so.1")
	var fields [3]float64
	run := func() {
		out, err := exec.Command(dir+"/cold", "../dist/libelicit.so.1").Output()
		must(err)
		parts := strings.Fields(string(out))
		if len(parts) != len(fields) {
			must(errors.New("cold printed something else"))
		}
		for i := range fields {
			fields[i], err = strconv.ParseFloat(parts[i], 64)
			must(err)
		}
	}
	load := &line{name: "dlopen", unit: "ms", once: func() float64 { run(); return fields[0] / 1e6 }}
	first := &line{name: "first answer", unit: "ms", once: func() float64 { return fields[1] / 1e6 }}
	memory := &line{name: "memory", unit: "MB", once: func() float64 { return fields[2] * 1024 / 1e6 }}
	return &contest{procs: 2, batches: batches, lines: []*line{whole, part, load, first, memory}}, []row{
		{path: "libelicit.so.1", ours: whole, kind: absolute, most: 14.65, what: "stripped"},
		{path: "libelicit.so.1, slim: without guests", ours: part, kind: absolute, most: 10.8, what: "stripped"},
		{path: "loading the library", ours: load, kind: absolute, most: 3, what: "dlopen, a process each"},
		{path: "loading the library", ours: first, kind: absolute, most: 10,
			what: "dlopen to the first answer, a process each"},
		{path: "what the library adds to a process", ours: memory, kind: absolute, most: 12,
			what: "resident memory after the first answer"},
	}
}
