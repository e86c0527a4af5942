package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// address sees every read and write of C, and those that Go makes in C's memory; undefined behaviour as well. A leak at
// the end of the program is a failure too.
var address = build{name: "address", library: []string{"-asan"},
	program: []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=all"}}

// threads sees the C side of the library and the program. Go's own side it takes for synchronised at each call.
var threads = build{name: "threads", environment: []string{"CGO_CFLAGS=-fsanitize=thread -g -O1",
	"CGO_LDFLAGS=-fsanitize=thread"},
	program: []string{"-fsanitize=thread"}}

// sanitized skips where the compiler has no such sanitizer, or the kernel lets no such program start.
func (b build) sanitized(t *testing.T) {
	t.Helper()
	program := t.TempDir() + "/empty"
	compile := exec.Command("cc", append(b.program, "-x", "c", "-", "-o", program)...)
	compile.Stdin = strings.NewReader("int main(void) { return 0; }")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Skipf("no %s sanitizer: %s", b.name, out)
	}
	if out, err := exec.Command(program).CombinedOutput(); err != nil {
		t.Skipf("the %s sanitizer does not run here: %v: %s", b.name, err, out)
	}
}

func TestSanitized(t *testing.T) {
	for _, b := range []build{address, threads} {
		t.Run(b.name, func(t *testing.T) {
			b.sanitized(t)
			t.Run("contract", b.contract)
			t.Run("vectors", func(t *testing.T) { t.Logf("vectors through C with sanitizers: %d", b.vectors(t)) })
		})
	}
}

var told = regexp.MustCompile(`(\d+) calls: malloc holds (-?\d+) bytes more, the process (-?\d+) KiB more`)

// TestNothingIsLeftBehind makes 100,000 calls, in vain and with success, and counts what malloc and the process still
// hold.
func TestNothingIsLeftBehind(t *testing.T) {
	out, err := exec.Command(plain.compiled(t, "test/calls.c"), "4000", "16384").CombinedOutput()
	t.Logf("%s", out)
	m := told.FindStringSubmatch(string(out))
	if err != nil || m == nil {
		t.Fatalf("%v", err)
	}
	if calls, _ := strconv.Atoi(m[1]); calls < 100_000 {
		t.Errorf("%d calls", calls)
	}
	if grown, _ := strconv.Atoi(m[3]); grown > 8<<10 {
		t.Errorf("the process grew by %d KiB", grown)
	}
}

// TestNothingLeaks runs the same 100,000 calls where every allocation is followed: with the address sanitizer, and
// under valgrind, whose complaints about Go's own memory are not looked at. Go's collector makes most of them, so there
// it runs seldom.
func TestNothingLeaks(t *testing.T) {
	t.Run("address", func(t *testing.T) {
		address.sanitized(t)
		out, err := exec.Command(address.compiled(t, "test/calls.c"), "4000").CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
	t.Run("valgrind", func(t *testing.T) {
		if _, err := exec.LookPath("valgrind"); err != nil {
			t.Skip("valgrind is not installed")
		}
		run := exec.Command("valgrind", "--leak-check=full", "--undef-value-errors=no", "--error-limit=no",
			plain.compiled(t, "test/calls.c"), "4000")
		run.Env = append(os.Environ(), "GOGC=800")
		out, err := run.CombinedOutput()
		report := string(out)
		if m := told.FindStringSubmatch(report); err != nil || m == nil || m[1] != "132000" {
			t.Fatalf("%v\n%s", err, tail(report))
		}
		for _, kind := range []string{"definitely", "indirectly"} {
			if !strings.Contains(report, kind+" lost: 0 bytes") {
				t.Errorf("memory is %s lost\n%s", kind, tail(report))
			}
		}
	})
}

func tail(text string) string { return text[max(0, len(text)-2000):] }

// TestFuzz feeds every function with damaged documents and wrong handles, in a program that knows what must come back.
func TestFuzz(t *testing.T) {
	for _, b := range []build{plain, address} {
		t.Run(b.name, func(t *testing.T) {
			b.sanitized(t)
			program := b.compiled(t, "test/fuzz.c")
			var feed strings.Builder
			for _, v := range vectors(t) {
				fmt.Fprintf(&feed, "%s %d\n%s\n", v.Op, len(v.In), v.In)
			}
			for seed := range 3 {
				run := exec.Command(program, strconv.Itoa(seed), "50000")
				run.Stdin = strings.NewReader(feed.String())
				out, err := run.CombinedOutput()
				if err != nil {
					t.Fatalf("seed %d: %v\n%s", seed, err, out)
				}
				for _, status := range []string{"ok", "invalid", "unknown_handle"} {
					m := regexp.MustCompile(`(?m)^` + status + ` (\d+)$`).FindSubmatch(out)
					if m == nil || len(m[1]) < 4 {
						t.Errorf("seed %d: %s came hardly at all\n%s", seed, status, out)
					}
				}
			}
		})
	}
}
