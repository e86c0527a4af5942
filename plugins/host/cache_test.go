package host

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/internal/assemble"
)

// TestCache loads one guest from what an earlier process kept, whole, cut short, and overwritten.
func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "code")
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
	file := must.Write(t, "", t.TempDir(), "file")
	h := New(Options{Compiler: true, CacheDir: file})
	defer h.Close()
	if h.CacheFault() == nil {
		t.Error("a file is a directory")
	}
	if r := h.Evaluate(Evaluation{Digest: load(t, h, assemble.Saying(pass).Bytes(), false)}); string(r.Output) != pass {
		t.Errorf("got %s", same(r))
	}
}

// TestCacheOfOthers holds that no code comes from a directory that another user could have written or replaced.
func TestCacheOfOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes")
	}
	open := filepath.Join(t.TempDir(), "open")
	private := filepath.Join(t.TempDir(), "private")
	for dir, mode := range map[string]os.FileMode{open: 0o777, private: 0o700} {
		must.OK(t, errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, mode)))
	}
	must.OK(t, os.Symlink(private, private+"-link"))
	for _, dir := range []string{open, filepath.Join(open, "below"), filepath.Join(open, "far", "below"),
		private + "-link"} {
		h := New(Options{Compiler: true, CacheDir: dir})
		if h.CacheFault() == nil {
			t.Errorf("%s is used", dir)
		}
		if r := h.Evaluate(Evaluation{Digest: load(t, h, assemble.Saying(pass).Bytes(), false)}); string(r.Output) != pass {
			t.Errorf("%s: %s", dir, same(r))
		}
		h.Close()
	}
	if list, err := os.ReadDir(private); err != nil || len(list) > 0 {
		t.Errorf("%v, %v", list, err)
	}
}

// TestFullCache holds that a directory with more than maxCache bytes is emptied.
func TestFullCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "code")
	old := filepath.Join(dir, "wazero-old", "big")
	must.OK(t, os.MkdirAll(filepath.Dir(old), 0o700))
	f, err := os.Create(old)
	must.OK(t, err)
	must.OK(t, errors.Join(f.Truncate(maxCache+1), f.Close()))
	h := New(Options{Compiler: true, CacheDir: dir})
	h.Close()
	if h.CacheFault() != nil {
		t.Skip(h.CacheFault())
	}
	if _, err := os.Stat(old); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want no file", err)
	}
}
