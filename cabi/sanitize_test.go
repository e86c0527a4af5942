package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/vectors"
)

// address checks every read and write of C, those of Go in C's memory, and undefined behaviour. A leak at the end of
// the program is a failure too.
var address = build{name: "address", library: []string{"-asan"},
	program: []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=all"}}

// threads checks the C side of the library and the program for data races. It assumes that each call synchronises with
// the Go side.
var threads = build{name: "threads", environment: []string{"CGO_CFLAGS=-fsanitize=thread -g -O1",
	"CGO_LDFLAGS=-fsanitize=thread"},
	program: []string{"-fsanitize=thread"}}

// sanitized skips the test if the compiler lacks the sanitizer, or the kernel does not let such a program start. All of
// Go is compiled again for the sanitizer of addresses, so it has its turn at night.
func (b build) sanitized(t *testing.T) {
	t.Helper()
	if len(b.library) > 0 {
		vectors.Night(t)
	}
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

// TestSanitized gives the contract and some vectors to builds with sanitizers, and all vectors at night. The plain
// build runs all of them each time.
func TestSanitized(t *testing.T) {
	t.Parallel()
	some := vectors.Some(vectors.Read(t))
	for _, b := range []build{address, threads} {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			b.sanitized(t)
			t.Run("contract", b.contract)
			t.Run("vectors", func(t *testing.T) { t.Logf("vectors through C with sanitizers: %d", b.vectors(t, some)) })
		})
	}
}

var told = regexp.MustCompile(`(\d+) calls: malloc holds (-?\d+) bytes more, the process (-?\d+) KiB more`)

// TestNothingIsLeftBehind makes 100,000 calls, with errors and with success. Then it measures the memory that malloc
// and the process still hold.
func TestNothingIsLeftBehind(t *testing.T) {
	t.Parallel()
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

// TestNothingLeaks makes the same calls with tools that follow every allocation: the address sanitizer, and valgrind. A
// single lost block fails there, so 100 rounds are enough. It ignores valgrind's reports about Go's own memory. Go's
// collector causes most of those reports, so it runs seldom there.
func TestNothingLeaks(t *testing.T) {
	t.Parallel()
	t.Run("address", func(t *testing.T) {
		t.Parallel()
		address.sanitized(t)
		out, err := exec.Command(address.compiled(t, "test/calls.c"), "100").CombinedOutput()
		if m := told.FindSubmatch(out); err != nil || m == nil || string(m[1]) != "3300" {
			t.Errorf("%v\n%s", err, out)
		}
	})
	t.Run("valgrind", func(t *testing.T) {
		t.Parallel()
		if _, err := exec.LookPath("valgrind"); err != nil {
			t.Skip("valgrind is not installed")
		}
		run := exec.Command("valgrind", "--leak-check=full", "--undef-value-errors=no", "--error-limit=no",
			plain.compiled(t, "test/calls.c"), "100")
		run.Env = append(os.Environ(), "GOGC=800")
		out, err := run.CombinedOutput()
		report := string(out)
		if m := told.FindStringSubmatch(report); err != nil || m == nil || m[1] != "3300" {
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

// TestFuzz calls every function with damaged documents and wrong handles, in a program that checks the promises.
func TestFuzz(t *testing.T) {
	t.Parallel()
	seeds := 1
	if vectors.Nightly() {
		seeds = 3
	}
	for _, b := range []build{plain, address} {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			b.sanitized(t)
			b.fuzz(t, seeds, 50_000)
		})
	}
}

// fuzz makes so many calls with each seed.
func (b build) fuzz(t *testing.T, seeds, calls int) {
	program := b.compiled(t, "test/fuzz.c")
	var feed strings.Builder
	for _, v := range vectors.Read(t) {
		fmt.Fprintf(&feed, "%s %d\n%s\n", v.Op, len(v.In), v.In)
	}
	for seed := range seeds {
		run := exec.Command(program, strconv.Itoa(seed), strconv.Itoa(calls))
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
}
