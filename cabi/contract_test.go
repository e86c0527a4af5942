package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestContract runs the C programs that hold the library to its header.
func TestContract(t *testing.T) { plain.contract(t) }

func (b build) contract(t *testing.T) {
	b.checks(t, "test/contract.c", 12)
	b.checks(t, "test/connection.c", 11)
}

// checks runs a program of checks, which prints a line for each of them.
func (b build) checks(t *testing.T, source string, count int) {
	run := exec.Command(b.compiled(t, source))
	var complaints strings.Builder
	run.Stderr = &complaints
	out, err := run.Output()
	for line := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
		verdict, name, _ := strings.Cut(line, " ")
		name, _, _ = strings.Cut(name, ":")
		t.Run(name, func(t *testing.T) {
			if verdict != "ok" {
				t.Error(line)
			}
		})
	}
	if ran := strings.Count(string(out), "\n"); err != nil || ran != count {
		t.Errorf("%s: %d checks ran: %v\n%s", source, ran, err, complaints.String())
	}
}

// TestSlim holds the library without guests to its word: it has the function, and leaves the running to the host.
func TestSlim(t *testing.T) {
	slim := build{name: "slim", library: []string{"-tags", "slim"}}
	program := slim.compiled(t, "test/slim.c")
	if out, err := exec.Command(program).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
	whole, _ := os.Stat(plain.directory(t) + "/libelicit.so.1")
	part, err := os.Stat(slim.directory(t) + "/libelicit.so.1")
	if err != nil || part.Size() > whole.Size()*2/3 {
		t.Errorf("the slim library has %d bytes, the whole one %d (%v)", part.Size(), whole.Size(), err)
	}
}

// TestHeaderIsTheSymbols holds what the header declares against what the library exports, and lets nothing else out.
func TestHeaderIsTheSymbols(t *testing.T) {
	dir := plain.directory(t)
	symbols, err := exec.Command("nm", "-D", "--defined-only", dir+"/libelicit.so.1").Output()
	if err != nil {
		t.Fatal(err)
	}
	exported := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m) T (\w+)`).FindAllStringSubmatch(string(symbols), -1) {
		exported[m[1]] = true
	}
	declared := 0
	for _, m := range regexp.MustCompile(`(?m)^ELICIT_API .*?(\w+)\(`).FindAllStringSubmatch(read(t, "elicit.h"), -1) {
		declared++
		if !exported[m[1]] {
			t.Errorf("elicit.h declares %s, which the library does not export", m[1])
		}
		delete(exported, m[1])
	}
	for name := range exported {
		t.Errorf("the library exports %s, which elicit.h does not declare", name)
	}
	if declared != 13 {
		t.Errorf("%d functions found in elicit.h", declared)
	}
	dynamic, err := exec.Command("readelf", "-d", dir+"/libelicit.so.1").Output()
	if err != nil || !strings.Contains(string(dynamic), "[libelicit.so.1]") {
		t.Errorf("no SONAME libelicit.so.1 (%v)", err)
	}
}

// TestHeaderIsCAndCPlusPlus compiles the header alone in both languages, every warning an error.
func TestHeaderIsCAndCPlusPlus(t *testing.T) {
	for _, language := range []string{"c -std=c99", "c -std=c11", "c++ -std=c++17", "c++ -std=c++20"} {
		t.Run(language, func(t *testing.T) {
			args := append([]string{"-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic", "-x"},
				strings.Fields(language)...)
			if out, err := exec.Command("cc", append(args, "elicit.h")...).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestHeaderShowsTheExamples holds the lines the header shows against the programs they come from.
func TestHeaderShowsTheExamples(t *testing.T) {
	header := read(t, "elicit.h")
	for file, title := range map[string]string{"minimal.c": "AN EXAMPLE", "connection.c": "Two ends and a question"} {
		_, text, _ := strings.Cut(header, " * "+title)
		text = regexp.MustCompile(`(?m)^ \*     .*\n(?: \*     .*\n)*`).FindString(text)
		lines := strings.Split(strings.TrimSpace(text), "\n")
		var shown strings.Builder
		for _, line := range lines {
			line, remark, found := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "*     "), " // ")
			if found {
				line += " /* " + remark + " */"
			}
			shown.WriteString("  " + line + "\n")
		}
		if len(lines) < 5 || !strings.Contains(read(t, "example/"+file), shown.String()) {
			t.Errorf("%s does not hold\n%s", file, shown.String())
		}
	}
}
