//go:build unix

package browser

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/trustedfile"
)

// useSockets gives a test its own directories for sockets. Their paths are short, because a socket's path must be.
func useSockets(t *testing.T) (runtime, temporary string) {
	t.Helper()
	folder := must.ShortDir(t)
	runtime, temporary = filepath.Join(folder, "r"), filepath.Join(folder, "t")
	for _, path := range []string{runtime, temporary} {
		must.OK(t, os.Mkdir(path, 0o700))
	}
	t.Setenv("XDG_RUNTIME_DIR", runtime)
	t.Setenv("TMPDIR", temporary)
	return runtime, temporary
}

func pages(t *testing.T) []Page {
	t.Helper()
	list, err := Pages()
	must.OK(t, err)
	return list
}

func TestAFreshLinkOnDemand(t *testing.T) {
	runtime, _ := useSockets(t)
	d := newRigWith(t, "{}", 0, func(o *Options) { o.Name = "files\x1b[2J" })
	d.ask("1", nameForm)
	first, second := pages(t), pages(t)
	if len(first) != 1 || len(second) != 1 || first[0].Link == second[0].Link {
		t.Fatalf("got %+v, then %+v", first, second)
	}
	if p := first[0]; p.Server != "files<U+001B>[2J" || p.PID != os.Getpid() || p.Waiting != 1 || p.Open {
		t.Errorf("got %+v", p)
	}
	_, token, _ := strings.Cut(second[0].Link, "#")
	d.cookie = d.enterWith(token, "", http.StatusNoContent)
	d.listen().shownID()
	if p := pages(t); len(p) != 1 || !p[0].Open {
		t.Errorf("got %+v", p)
	}
	if strings.Contains(d.notes.String(), "http") {
		t.Errorf("a link is printed: %s", d.notes)
	}
	entries, err := os.ReadDir(filepath.Join(runtime, "elicit"))
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v, %v", entries, err)
	}
	if at, err := entries[0].Info(); err != nil || at.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", at.Mode(), err)
	}
	d.page.Close()
	if left, _ := os.ReadDir(filepath.Join(runtime, "elicit")); len(left) != 0 || len(pages(t)) != 0 {
		t.Errorf("the socket is left: %v", left)
	}
}

// TestSocketsOfOthers: a directory that others can enter is used by nobody.
func TestSocketsOfOthers(t *testing.T) {
	runtime, temporary := useSockets(t)
	folder := filepath.Join(runtime, "elicit")
	must.OK(t, os.Mkdir(folder, 0o700))
	must.OK(t, os.Chmod(folder, 0o711))
	newRig(t, "{}")
	list, err := Pages()
	if len(list) != 1 {
		t.Errorf("a proxy without its first directory uses the second one: %+v in %s", list, temporary)
	}
	if err == nil || !strings.Contains(err.Error(), "has the mode 0711") {
		t.Errorf("got %v", err)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 0 {
		t.Errorf("it is used: %v", entries)
	}
	other := filepath.Join(runtime, "other")
	must.OK(t, os.Mkdir(other, 0o700))
	must.OK(t, os.Remove(folder))
	must.OK(t, os.Symlink(other, folder))
	if err := trustedfile.CheckPrivate(folder); err == nil || !strings.Contains(err.Error(), "is not a directory") {
		t.Errorf("a link to a directory: %v", err)
	}
	if os.Geteuid() == 0 {
		must.OK(t, os.Chown(other, 65534, 65534))
		if err := trustedfile.CheckPrivate(other); err == nil || !strings.Contains(err.Error(), "belongs to user 65534") {
			t.Errorf("a directory of another user: %v", err)
		}
	}
}

// TestSocketsThatDoNotAnswer: a killed proxy leaves a socket, and another program may say anything.
func TestSocketsThatDoNotAnswer(t *testing.T) {
	runtime, _ := useSockets(t)
	newRig(t, "{}")
	folder := filepath.Join(runtime, "elicit")
	dead := filepath.Join(folder, "page-1-dead")
	l, err := net.Listen("unix", dead)
	must.OK(t, err)
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	l.Close()
	liar, err := net.Listen("unix", filepath.Join(folder, "page-2-liar"))
	must.OK(t, err)
	defer liar.Close()
	go func() {
		if c, err := liar.Accept(); err == nil {
			_, _ = c.Write([]byte(`{"link":"javascript:0"}` + "\n" + strings.Repeat("x", mostPageInfo)))
			c.Close()
		}
	}()
	if list := pages(t); len(list) != 1 {
		t.Errorf("got %+v", list)
	}
	if _, err := os.Lstat(dead); !os.IsNotExist(err) {
		t.Errorf("the socket of a proxy that is gone is left: %v", err)
	}
}
