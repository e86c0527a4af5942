package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestContract runs the C programs that test the promises of the header.
func TestContract(t *testing.T) {
	t.Parallel()
	plain.contract(t)
}

func (b build) contract(t *testing.T) {
	b.checks(t, "test/contract.c", 12)
	b.checks(t, "test/connection.c", 11)
	b.checks(t, "test/next.c", 8)
}

// checks runs a program of checks. The program prints a line for each check.
func (b build) checks(t *testing.T, source string, count int) {
	run := b.command(t, source)
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

// TestSlim tests the library without guests: it has the function elicit_guest, and the host runs the guardians. The
// sizes of both are budgets of docs/reference/performance.md.
func TestSlim(t *testing.T) {
	t.Parallel()
	slim := build{name: "slim", library: []string{"-tags", "slim"}}
	program := slim.compiled(t, "test/slim.c")
	if out, err := exec.Command(program).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
	whole, _ := os.Stat(plain.directory(t) + "/libelicit.so.1")
	part, err := os.Stat(slim.directory(t) + "/libelicit.so.1")
	if err != nil || whole.Size() > 14_650_000 || part.Size() > 10_800_000 {
		t.Errorf("the whole library has %d bytes, the slim one %d (%v)", whole.Size(), part.Size(), err)
	}
}

// TestHeaderIsTheSymbols compares the functions of the header with the symbols of the library. Neither has others.
func TestHeaderIsTheSymbols(t *testing.T) {
	t.Parallel()
	dir := plain.directory(t)
	symbols, err := exec.Command("nm", "-D", "--defined-only", dir+"/libelicit.so.1").Output()
	must.OK(t, err)
	exported := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m) T (\w+)`).FindAllStringSubmatch(string(symbols), -1) {
		exported[m[1]] = true
	}
	declared := 0
	prototype := regexp.MustCompile(`(?m)^ELICIT_API .*?(\w+)\(`)
	for _, m := range prototype.FindAllStringSubmatch(must.Text(t, "elicit.h"), -1) {
		declared++
		if !exported[m[1]] {
			t.Errorf("elicit.h declares %s, which the library does not export", m[1])
		}
		delete(exported, m[1])
	}
	for name := range exported {
		t.Errorf("the library exports %s, which elicit.h does not declare", name)
	}
	if declared != 15 {
		t.Errorf("%d functions found in elicit.h", declared)
	}
	dynamic, err := exec.Command("readelf", "-d", dir+"/libelicit.so.1").Output()
	if err != nil || !strings.Contains(string(dynamic), "[libelicit.so.1]") {
		t.Errorf("no SONAME libelicit.so.1 (%v)", err)
	}
}

// TestHeaderIsCAndCPlusPlus compiles the header alone in both languages. Every warning is an error.
func TestHeaderIsCAndCPlusPlus(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"c -std=c99", "c -std=c11", "c++ -std=c++17", "c++ -std=c++20"} {
		t.Run(language, func(t *testing.T) {
			args := append([]string{"-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic", "-x"},
				strings.Fields(language)...)
			must.Run(t, exec.Command("cc", append(args, "elicit.h")...))
		})
	}
}

// TestHeaderShowsTheExamples compares the code in the header with the programs that it comes from.
func TestHeaderShowsTheExamples(t *testing.T) {
	t.Parallel()
	header := must.Text(t, "elicit.h")
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
		if len(lines) < 5 || !strings.Contains(must.Text(t, "example/"+file), shown.String()) {
			t.Errorf("%s does not hold\n%s", file, shown.String())
		}
	}
}
