// Package must does what a test cannot go on without, and ends the test where it fails.
package must

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// test is a *testing.T, *testing.B or *rapid.T.
type test interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// OK ends the test if there is an error.
func OK(t test, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Read returns what a file holds. Its path may come in parts.
func Read(t test, path ...string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	OK(t, err)
	return text
}

// Text is Read as a string.
func Text(t test, path ...string) string {
	t.Helper()
	return string(Read(t, path...))
}

// Write makes a file that only its owner may read. A file that is there keeps its permissions. The path may come in
// parts, and is returned.
func Write[T ~string | ~[]byte](t test, text T, path ...string) string {
	t.Helper()
	file := filepath.Join(path...)
	OK(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// Unmarshal reads JSON.
func Unmarshal[T ~string | ~[]byte](t test, text T, into any) {
	t.Helper()
	OK(t, json.Unmarshal([]byte(text), into))
}

// Run runs a command to its end, and returns all that it printed.
func Run(t test, command *exec.Cmd) string {
	t.Helper()
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	return string(out)
}

// Start starts a command with pipes to its input and from its output.
func Start(t test, command *exec.Cmd) (to io.WriteCloser, from io.ReadCloser) {
	t.Helper()
	to, err := command.StdinPipe()
	OK(t, err)
	from, err = command.StdoutPipe()
	OK(t, err)
	OK(t, command.Start())
	return to, from
}

// ShortDir makes a folder with a path that leaves room for the name of a socket. It is removed when the test ends.
func ShortDir(t interface {
	test
	Cleanup(func())
}) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "s")
	OK(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
