package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestExample runs the example of ABI.md in Node, unchanged.
func TestExample(t *testing.T) {
	t.Parallel()
	_, rest, found := strings.Cut(string(read(t, "ABI.md")), "```js\n")
	example, _, ended := strings.Cut(rest, "```\n")
	if !found || !ended {
		t.Fatal("ABI.md has no example in JavaScript")
	}
	if lines := strings.Count(example, "\n"); lines >= 60 {
		t.Errorf("the example has %d lines", lines)
	}
	if _, err := exec.LookPath("node"); err != nil {
		absent(t, err.Error())
	}
	program := filepath.Join(t.TempDir(), "example.mjs")
	if err := os.WriteFile(program, []byte(example), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("node", program, path(t, built)).CombinedOutput()
	if want := "Which branch? Branch\naccept { branch: 'main' }\n"; err != nil || string(out) != want {
		t.Errorf("%v\n got %s\nwant %s", err, out, want)
	}
}

// absent skips the test because a host is missing. In CI it fails the test, because a skipped check proves nothing.
func absent(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(why)
	}
	t.Skip(why)
}
