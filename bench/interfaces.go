package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/elicit-engine/elicit/engine/abi"
)

// tickInput is a step without work. It measures the way to the engine and back, and the record of the journal.
const tickInput = `{"event":{"event":"ticked"},"at":4102444800000,` +
	`"random":"0707070707070707070707070707070707070707070707070707070707070707"}`

// outside has the programs that call the engine from outside Go.
type outside struct {
	cpp, python, lua teller // the first speaks C and C++
	stdio            *stdio
}

// interfaces measures the engine behind the shared library, from C, C++, Python and LuaJIT, and behind `elicit
// --stdio`.
func interfaces() (contests []*contest, rows []row) {
	dir := documents()
	compiler := exec.Command("c++", "-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-I../dist", "-I../bindings/cpp",
		"-o", dir+"/host",
		"interface/host.cpp", "-L../dist", "-lelicit", "-lpthread", "-Wl,-rpath,"+absolutePath("../dist"))
	compiler.Stderr = os.Stderr
	must(compiler.Run())
	cpp, endCPP := tell(dir+"/host", dir)
	python, endPython := tell("../dist/benchenv/bin/python", "interface/host.py", dir)
	lua, endLua := tell("sh", "-c", `exec 3<&0 4>&1 </dev/null >/dev/null; `+
		`ELICIT_BENCH=$0 exec nvim --headless -i NONE -u NONE --cmd "set rtp^=$1" -c "luafile interface/host.lua"`,
		dir, absolutePath("../bindings/lua"))
	o := outside{cpp, python, lua, newStdio()}
	for _, part := range []func() (*contest, []row){func() (*contest, []row) { return loading(dir) },
		o.checks, o.interpreted, o.ticks, o.questions, o.evals, o.growth, o.crowds} {
		c, r := part()
		contests, rows = append(contests, c), append(rows, r...)
	}
	contests[len(contests)-1].close = func() { endCPP(); endPython(); endLua(); o.stdio.end(); os.RemoveAll(dir) }
	return contests, rows
}

func (o outside) checks() (*contest, []row) {
	native := nativeCheck()
	c, cpp, lua := o.cpp.line("c-check", "from C", 5000, 1), o.cpp.line("cpp-check", "from C++", 5000, 1),
		o.lua.line("check", "from LuaJIT", 5000, 1)
	path, what := "check through the library, ", "the form's own check in Go"
	return &contest{procs: 1, batch: batch, batches: batches, lines: []*line{native, c, cpp, lua}}, []row{
		{path: path + "C", ours: c, against: native, most: 1.6, what: what},
		{path: path + "C++", ours: cpp, against: native, most: 1.6, what: what},
		{path: path + "LuaJIT", ours: lua, against: native, most: 3, what: what},
	}
}

// interpreted compares the library with the validators that Python programs use.
func (o outside) interpreted() (*contest, []row) {
	ctypes, form := o.python.line("ctypes-check", "by ctypes", 1500, 1), o.python.line("form-check",
		"elicit_engine.Form.check", 1500, 1)
	loads := o.python.line("loads", "json.loads of the same bytes", 1500, 1)
	pure, rust := o.python.line("jsonschema", "jsonschema 4.26 from bytes", 60, 1), o.python.line("jsonschema-rs",
		"jsonschema-rs 0.60 from bytes", 1500, 1)
	whole := o.python.line("eval", "evaluate", 700, 1)
	newPure, newRust := o.python.line("new-jsonschema", "jsonschema 4.26 from bytes", 40, 1),
		o.python.line("new-jsonschema-rs", "jsonschema-rs 0.60 from bytes", 60, 1)
	warm, cold := "check through the library, Python", "compile + check through the library, Python"
	return &contest{procs: 1, batches: batches, lines: []*line{ctypes, form, loads, pure, rust, whole, newPure, newRust}},
		[]row{
			{path: warm, ours: ctypes, against: loads, most: 0.6},
			{path: warm, ours: form, against: pure, most: 0.1},
			{path: warm, ours: form, against: rust, most: 1},
			{path: cold, ours: whole, against: newPure, most: 0.5},
			{path: cold, ours: whole, against: newRust, most: 0.5},
		}
}

// everywhere makes the rows of one call from all hosts, compared with the same call in Go. The hosts collect garbage on
// both processors, so the Go line may do so too.
func (o outside) everywhere(path string, native, stdio *line, call string, times int, most [5]float64) (*contest,
	[]row) {
	lines := []*line{native, o.cpp.line("c-"+call, "from C", times, 1), o.cpp.line("cpp-"+call, "from C++", times, 1),
		o.python.line(call, "by ctypes", times, 1), o.lua.line(call, "from LuaJIT", times, 1), stdio}
	var rows []row
	for i, host := range []string{"C", "C++", "Python", "LuaJIT", "--stdio"} {
		rows = append(rows, row{path: path + ", " + host, ours: lines[i+1], against: native, most: most[i]})
	}
	return &contest{procs: 2, batch: batch, batches: batches, lines: lines}, rows
}

func (o outside) ticks() (*contest, []row) {
	inputs := questionInputs()
	return o.everywhere("a step with nothing to do", nativeTick(inputs), o.stdio.tick(inputs), "tick", 2000,
		[5]float64{1.6, 1.6, 3, 2, 20})
}

func (o outside) questions() (*contest, []row) {
	inputs := questionInputs()
	return o.everywhere("a question asked and answered", nativeStep(inputs), o.stdio.question(inputs), "step", 100,
		[5]float64{1.6, 1.6, 2.5, 2, 4})
}

func (o outside) evals() (*contest, []row) {
	return o.everywhere("an operation without a handle", nativeEval(), o.stdio.eval(), "eval", 700,
		[5]float64{1.6, 1.6, 3, 2, 20})
}

// crowds measures many threads that call at once, each with its own engine.
func (o outside) crowds() (*contest, []row) {
	c := &contest{procs: 1, batches: batches}
	var rows []row
	for _, call := range []struct {
		name, what string
		times      int
	}{{"c-check", "checks", 6400}, {"c-eval", "operations without a handle", 640}, {"c-step", "questions", 320}} {
		one := o.cpp.line(call.name, "one thread", call.times, 1)
		four, many := o.cpp.line(call.name, "4 threads", 2*call.times, 4), o.cpp.line(call.name, "64 threads", 2*call.times,
			64)
		c.lines = append(c.lines, one, four, many)
		rows = append(rows, row{path: call.what + " from 4 threads at once", ours: four, against: one, most: 1.5},
			row{path: call.what + " from 64 threads at once", ours: many, against: one, most: 2})
	}
	return c, rows
}

// growth makes a million calls: 600,000 checks, 100,000 operations, and 150,000 questions of two calls each.
func (o outside) growth() (*contest, []row) {
	grown := &line{name: "resident memory", unit: "MiB", once: func() float64 {
		o.cpp("c-step", 5_000, 1)
		o.cpp("c-eval", 5_000, 1)
		before := o.cpp("resident", 0, 1)
		o.cpp("c-check", 600_000, 1)
		o.cpp("c-eval", 100_000, 1)
		o.cpp("c-step", 150_000, 1)
		return (o.cpp("resident", 0, 1) - before) / 1024
	}}
	return &contest{procs: 1, batches: 1, lines: []*line{grown}},
		[]row{{path: "memory after 10^6 more calls, 150,000 questions among them",
			ours: grown, kind: absolute, most: 4, what: "resident memory of the C++ host"}}
}

// documents writes the hosts' input files to a new directory.
func documents() string {
	dir, err := os.MkdirTemp("", "elicit-bench")
	must(err)
	inputs := questionInputs()
	form := `{"schema":` + string(formText) + `}`
	for name, text := range map[string]string{"answer": string(rightAnswer), "wrong": string(wrongAnswer), "form": form,
		"tick":  tickInput,
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

func nativeTick(inputs []string) *line {
	var table abi.Table
	handle, _, status := table.Open([]byte(wholeConfig), nil)
	mustHold(status == abi.OK, "the configuration is refused")
	var out []byte
	_, status = table.Step(handle, []byte(strings.Replace(inputs[0], `"at":0`, `"at":1`, 1)), nil)
	mustHold(status == abi.OK, "the session is refused")
	input := []byte(tickInput)
	return &line{name: "natively through the table of handles", unit: "ns", run: func(n int) {
		for range n {
			out, status = table.Step(handle, input, out[:0])
		}
		mustHold(status == abi.OK && bytes.HasPrefix(out, []byte(`{"effects":[`)), "the tick")
	}}
}
