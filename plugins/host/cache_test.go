package host

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

// TestCache loads one guest from what an earlier process kept, whole, cut short, and overwritten.
func TestCache(t *testing.T) {
	dir := t.TempDir()
	src := assemble.Saying(pass).Bytes()
	ask := func(what string) {
		t.Helper()
		h := New(Options{Compiler: true, CacheDir: dir})
		defer h.Close()
		m, problems := h.Load(src, guest.Options{})
		if problems != nil || h.CacheFault() != nil {
			t.Fatalf("%s: %v, %v", what, problems, h.CacheFault())
		}
		if r := h.Evaluate(Evaluation{Digest: m.Digest}); string(r.Output) != pass {
			t.Errorf("%s: %s", what, same(r))
		}
	}
	ask("nothing kept")
	kept := 0
	change := func(with func([]byte) []byte) {
		filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			kept++
			whole, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path, with(whole), 0o600)
			}
			return err
		})
	}
	change(func(b []byte) []byte { return b })
	if kept == 0 {
		t.Skip("no compiler here")
	}
	ask("kept")
	change(func(b []byte) []byte { return b[:len(b)/2] })
	ask("cut short")
	change(func(b []byte) []byte { return nil })
	ask("emptied")
	change(func(b []byte) []byte { return append([]byte("garbage"), b...) })
	ask("overwritten")
}

// TestNoCache goes on without a directory that cannot be one.
func TestNoCache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h := New(Options{Compiler: true, CacheDir: file})
	defer h.Close()
	if h.CacheFault() == nil {
		t.Error("a file is a directory")
	}
	if r := h.Evaluate(Evaluation{Digest: load(t, h, assemble.Saying(pass).Bytes(), false)}); string(r.Output) != pass {
		t.Errorf("got %s", same(r))
	}
}
