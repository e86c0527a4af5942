package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// library builds libelicit.so.1 once for all tests, as build.sh does, and names the directory it is in.
var library = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "libelicit")
	if err != nil {
		return "", err
	}
	out, err := exec.Command("../build.sh", "lib", dir).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%v: %s", err, out)
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := library(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// compiled is a program made of one file of test/, linked with the library. More flags may be given, such as sanitizers.
func compiled(t *testing.T, source string, flags ...string) string {
	t.Helper()
	dir, err := library()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(source), filepath.Ext(source)))
	args := []string{"-std=c99", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-g", "-I.", "-o", program, source}
	args = append(append(args, flags...), "-L"+dir, "-lelicit", "-lpthread", "-ldl", "-Wl,-rpath,"+dir)
	if out, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
		t.Fatalf("cc %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return program
}

// TestVectors runs every vector through the shared library from a C program.
func TestVectors(t *testing.T) {
	run := exec.Command(compiled(t, "test/vectors.c"))
	run.Stderr = os.Stderr
	in, _ := run.StdinPipe()
	pipe, _ := run.StdoutPipe()
	out := bufio.NewReaderSize(pipe, 1<<20)
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	ran := 0
	err := filepath.WalkDir("../testdata/vectors", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".json" || filepath.Dir(path) == "../testdata/vectors" {
			return err
		}
		ran++
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var v struct {
			Op       string
			In, Want json.RawMessage
		}
		var want bytes.Buffer
		if err := json.Unmarshal(raw, &v); err != nil {
			return err
		}
		if err := json.Compact(&want, v.Want); err != nil {
			return err
		}
		fmt.Fprintf(in, "%s %d\n%s\n", v.Op, len(v.In), v.In)
		if got, err := oneAnswer(out); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		} else if !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s\n got %s\nwant %s", path, got, want.Bytes())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	in.Close()
	if err := run.Wait(); err != nil {
		t.Error(err)
	}
	if ran == 0 {
		t.Fatal("no vectors ran")
	}
	t.Logf("vectors through C: %d", ran)
}

func oneAnswer(out *bufio.Reader) ([]byte, error) {
	line, err := out.ReadString('\n')
	if err != nil {
		return nil, err
	}
	size, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		return nil, err
	}
	got := make([]byte, size+1)
	_, err = io.ReadFull(out, got)
	return got[:size], err
}

func read(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
