package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/elicit-engine/elicit/engine/abi"
)

// doors measures the engine behind the shared library, from C, C++ and Python, and behind `elicit --stdio`.
func doors() ([]*contest, []row) {
	dir := documents()
	compiler := exec.Command("c++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-I../dist", "-I../bindings/cpp", "-o", dir+"/host",
		"door/host.cpp", "-L../dist", "-lelicit", "-lpthread", "-Wl,-rpath,"+absolutePath("../dist"))
	compiler.Stderr = os.Stderr
	must(compiler.Run())
	host, endHost := teller(dir+"/host", dir)
	python, endPython := teller("../dist/benchenv/bin/python", "door/host.py", dir)
	stdio := newStdio()
	end := func() { endHost(); endPython(); stdio.end(); os.RemoveAll(dir) }

	of := func(tell func(string, int, int) float64, name, what string, times, threads int) *line {
		tell(name, times, threads)
		return &line{name: what, unit: "ns", once: func() float64 { return tell(name, times, threads) / float64(times) }}
	}
	native := nativeCheck()
	c, cpp := of(host, "c-check", "from C", 5000, 1), of(host, "cpp-check", "from C++", 5000, 1)
	checks := &contest{procs: 1, batch: batch, batches: batches, lines: []*line{native, c, cpp}}

	ctypes, form := of(python, "ctypes-check", "by ctypes", 1500, 1), of(python, "form-check", "elicit_engine.Form.check", 1500, 1)
	loads := of(python, "loads", "json.loads of the same bytes", 1500, 1)
	pure, rust := of(python, "jsonschema", "jsonschema 4.26 from bytes", 60, 1), of(python, "jsonschema-rs", "jsonschema-rs 0.60 from bytes", 1500, 1)
	whole := of(python, "eval", "evaluate", 700, 1)
	newPure, newRust := of(python, "new-jsonschema", "jsonschema 4.26 from bytes", 40, 1), of(python, "new-jsonschema-rs", "jsonschema-rs 0.60 from bytes", 60, 1)
	interpreted := &contest{procs: 1, batches: batches, lines: []*line{ctypes, form, loads, pure, rust, whole, newPure, newRust}}

	inputs := questionInputs()
	nativeQuestion := nativeStep(inputs)
	cStep, cppStep := of(host, "c-step", "from C", 100, 1), of(host, "cpp-step", "from C++", 100, 1)
	pyStep, stdStep := of(python, "step", "by ctypes", 100, 1), stdio.question(inputs)
	// The hosts collect garbage on both processors, so the native lines may as well.
	steps := &contest{procs: 2, batch: batch, batches: batches, lines: []*line{nativeQuestion, cStep, cppStep, pyStep, stdStep}}
	nativeOp, cEval, stdEval := nativeEval(), of(host, "c-eval", "from C", 2000, 1), stdio.eval()
	pyEval := of(python, "eval", "by ctypes", 1000, 1)
	evals := &contest{procs: 2, batch: batch, batches: batches, lines: []*line{nativeOp, cEval, pyEval, stdEval}}

	one := of(host, "c-check", "one thread", 6400, 1)
	four, many := of(host, "c-check", "4 threads", 12800, 4), of(host, "c-check", "64 threads", 12800, 64)
	crowds := &contest{procs: 1, batches: batches, lines: []*line{one, four, many}}
	grown := &line{name: "resident memory", unit: "MiB", once: func() float64 {
		host("c-step", 5_000, 1)
		before := host("resident", 0, 1)
		host("c-check", 960_000, 1)
		host("c-step", 20_000, 1) // two calls each
		return (host("resident", 0, 1) - before) / 1024
	}}
	growth := &contest{procs: 1, batches: 1, lines: []*line{grown}, close: end}
	cold, coldRows := loading(dir)
	return []*contest{checks, interpreted, steps, evals, crowds, cold, growth}, append(coldRows,
		row{path: "check through the library, C", ours: c, against: native, most: 1.6, what: "the form's own check in Go"},
		row{path: "check through the library, C++", ours: cpp, against: native, most: 1.6, what: "the form's own check in Go"},
		row{path: "check through the library, Python", ours: ctypes, against: loads, most: 0.6},
		row{path: "check through the library, Python", ours: form, against: pure, most: 0.1},
		row{path: "check through the library, Python", ours: form, against: rust, most: 1},
		row{path: "compile + check through the library, Python", ours: whole, against: newPure, most: 0.5},
		row{path: "compile + check through the library, Python", ours: whole, against: newRust, most: 0.5},
		row{path: "a question asked and answered, C", ours: cStep, against: nativeQuestion, most: 1.6},
		row{path: "a question asked and answered, C++", ours: cppStep, against: nativeQuestion, most: 1.6},
		row{path: "a question asked and answered, Python", ours: pyStep, against: nativeQuestion, most: 2.5},
		row{path: "a question asked and answered, --stdio", ours: stdStep, against: nativeQuestion, most: 4},
		row{path: "an operation without a handle, C", ours: cEval, against: nativeOp, most: 1.6},
		row{path: "an operation without a handle, Python", ours: pyEval, against: nativeOp, most: 3},
		row{path: "an operation without a handle, --stdio", ours: stdEval, against: nativeOp, most: 20},
		row{path: "checks from 4 threads at once", ours: four, against: one, most: 1.5},
		row{path: "checks from 64 threads at once", ours: many, against: one, most: 2},
		row{path: "memory after 10^6 more calls, 20,000 questions among them", ours: grown, kind: absolute, most: 4, what: "resident memory of the C++ host"})
}

// documents writes what the hosts read to a directory of its own.
func documents() string {
	dir, err := os.MkdirTemp("", "elicit-bench")
	must(err)
	inputs := questionInputs()
	form := `{"schema":` + string(formText) + `}`
	for name, text := range map[string]string{"answer": string(rightAnswer), "wrong": string(wrongAnswer), "form": form,
		"check": checkInput(), "config": wholeConfig, "opened": inputs[0], "asked": inputs[1], "answered": inputs[2]} {
		must(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

func checkInput() string {
	return `{"schema":` + string(formText) + `,"content":` + string(rightAnswer) + `}`
}

func absolutePath(path string) string {
	absolute, err := filepath.Abs(path)
	must(err)
	return absolute
}

// teller starts a program that is told lines "NAME TIMES THREADS" and answers each with a number.
func teller(program string, args ...string) (tell func(name string, times, threads int) float64, end func()) {
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

func nativeCheck() *line {
	check := elicitForm(formText)
	mustHold(check(rightAnswer) && !check(wrongAnswer), "the form's own check")
	return &line{name: "native", unit: "ns", run: func(n int) {
		for range n {
			check(rightAnswer)
		}
	}}
}

func nativeEval() *line {
	var table abi.Table
	op, input := abi.EvalOp("check"), []byte(checkInput())
	var out []byte
	return &line{name: "natively through the table of handles", unit: "ns", run: func(n int) {
		for range n {
			_, out, _ = table.Call(op, 0, input, out[:0])
		}
		mustHold(bytes.HasPrefix(out, []byte(`{"content":`)), "the operation")
	}}
}

// loading measures the library itself: its size, how long it takes to load, and what it adds to a process.
func loading(dir string) (*contest, []row) {
	compiler := exec.Command("cc", "-std=c99", "-D_GNU_SOURCE", "-O2", "-I../dist", "-o", dir+"/cold", "door/cold.c", "-ldl")
	compiler.Stderr = os.Stderr
	must(compiler.Run())
	info, err := os.Stat("../dist/libelicit.so.1")
	must(err)
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
	size := &line{name: "size", unit: "MB", once: func() float64 { run(); return float64(info.Size()) / 1e6 }}
	load := &line{name: "dlopen", unit: "ms", once: func() float64 { return fields[0] / 1e6 }}
	first := &line{name: "first answer", unit: "ms", once: func() float64 { return fields[1] / 1e6 }}
	memory := &line{name: "memory", unit: "MB", once: func() float64 { return fields[2] * 1024 / 1e6 }}
	return &contest{procs: 2, batches: batches, lines: []*line{size, load, first, memory}}, []row{
		{path: "libelicit.so.1, without guests", ours: size, kind: absolute, most: 4.5, what: "stripped"},
		{path: "loading the library", ours: load, kind: absolute, most: 3, what: "dlopen, a process each"},
		{path: "loading the library", ours: first, kind: absolute, most: 10, what: "dlopen to the first answer, a process each"},
		{path: "what the library adds to a process", ours: memory, kind: absolute, most: 12, what: "resident memory after the first answer"},
	}
}
