//go:build unix

package trustedfile

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

const nobody = 65534

// TestFilesThatCannotBeTrusted makes real files of every kind. Only root can change an owner; another user skips only
// those cases.
func TestFilesThatCannotBeTrusted(t *testing.T) {
	asRoot := os.Geteuid() == 0
	chown := func(path string, uid, gid int) {
		must.OK(t, os.Lchown(path, uid, gid))
	}
	chmod := func(path string, mode fs.FileMode) {
		must.OK(t, os.Chmod(path, mode))
	}
	tests := []struct {
		name            string
		root            bool // only root can make it
		make            func(dir, path string)
		private, policy string // part of the error; "" when Open accepts the file
	}{
		{"ours alone", false, func(_, path string) { chmod(path, 0o600) }, "", ""},
		{"others may read", false, func(_, path string) { chmod(path, 0o644) }, "mode 0644", ""},
		{"the group may read", false, func(_, path string) { chmod(path, 0o640) }, "mode 0640", ""},
		{"the group may write", false, func(_, path string) { chmod(path, 0o620) }, "mode 0620", "mode 0620"},
		{"others may write", false, func(_, path string) { chmod(path, 0o602) }, "mode 0602", "mode 0602"},
		{"two names", false, func(_, path string) {
			must.OK(t, os.Link(path, path+".2"))
		}, "2 names", "2 names"},
		{"a link", false,
			func(dir, path string) { replace(t, path, os.Symlink(filepath.Join(dir, "other"), path+".new")) },
			"symbolic link", "symbolic link"},
		{"a link to nothing", false,
			func(dir, path string) { replace(t, path, os.Symlink(filepath.Join(dir, "none"), path+".new")) },
			"symbolic link", "symbolic link"},
		{"a directory", false,
			func(_, path string) { replace(t, path, os.Mkdir(path+".new", 0o700)) },
			"not a regular file", "not a regular file"},
		{"a pipe that nobody writes to", false,
			func(_, path string) { replace(t, path, syscall.Mkfifo(path+".new", 0o600)) },
			"not a regular file", "not a regular file"},
		{"of another user", true,
			func(_, path string) { chown(path, nobody, nobody) }, "belongs to user 65534", "belongs to user 65534"},
		{"a directory that others may write to", false,
			func(dir, _ string) { chmod(dir, 0o777) }, "replace every file", "replace every file"},
		{"a sticky directory that others may write to", false,
			func(dir, _ string) { chmod(dir, 0o777|fs.ModeSticky) }, "", ""},
		{"a directory of another user", true,
			func(dir, _ string) { chown(dir, nobody, nobody) }, "belongs to user 65534", "belongs to user 65534"},
		{"a sticky directory of another user", true, func(dir, _ string) {
			chmod(dir, 0o777|fs.ModeSticky)
			chown(dir, nobody, nobody)
		}, "belongs to user 65534", "belongs to user 65534"},
		{"a directory that a group may write to", true, func(dir, _ string) {
			chown(dir, os.Geteuid(), nobody)
			chmod(dir, 0o770)
		}, "replace every file", "replace every file"},
	}
	for _, tt := range tests {
		if tt.root && !asRoot {
			t.Logf("%s: not tried, because only root can make it", tt.name)
			continue
		}
		dir := filepath.Join(t.TempDir(), "d")
		path := filepath.Join(dir, "f")
		must.OK(t, os.Mkdir(dir, 0o700))
		for _, name := range []string{path, filepath.Join(dir, "other")} {
			must.Write(t, "{}", name)
		}
		tt.make(dir, path)
		for use, want := range map[Use]string{Private: tt.private, Policy: tt.policy} {
			for _, flags := range []int{os.O_RDONLY, os.O_RDWR | os.O_CREATE | os.O_APPEND} {
				if tt.name == "a directory" && flags != os.O_RDONLY {
					continue // the system itself refuses that
				}
				f, err := Open(path, flags, use)
				if f != nil {
					f.Close()
				}
				if want == "" && err != nil || want != "" && (!IsWrong(err) || !strings.Contains(err.Error(), want)) {
					t.Errorf("%s, use %d, flags %d: got %v, want %q", tt.name, use, flags, err, want)
				}
				if _, err := os.Stat(filepath.Join(dir, "none")); err == nil {
					t.Errorf("%s: a file was made where a link led", tt.name)
				}
			}
		}
	}
}

func replace(t *testing.T, path string, made error) {
	t.Helper()
	if made != nil {
		t.Fatal(made)
	}
	must.OK(t, os.Remove(path))
	must.OK(t, os.Rename(path+".new", path))
}

// TestOpenMakesPrivateFiles: a new file has mode 0600, and the error for a missing file is no *Wrong.
func TestOpenMakesPrivateFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if _, err := Open(path, os.O_RDONLY, Private); !os.IsNotExist(err) || IsWrong(err) {
		t.Errorf("got %v", err)
	}
	f, err := Open(path, os.O_RDWR|os.O_CREATE, Private)
	must.OK(t, err)
	defer f.Close()
	if at, err := f.Stat(); err != nil || at.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v", at.Mode(), err)
	}
}

// TestRootMayOwnPolicy: Open accepts a policy of root for every user, but not a file of grants of root.
func TestRootMayOwnPolicy(t *testing.T) {
	at, err := os.Stat("/etc/passwd")
	if err != nil || at.Sys().(*syscall.Stat_t).Uid != 0 || os.Geteuid() == 0 {
		t.Skip("takes a file of root's and another user")
	}
	if f, err := Open("/etc/passwd", os.O_RDONLY, Policy); err != nil {
		t.Error(err)
	} else {
		f.Close()
	}
	if _, err := Open("/etc/passwd", os.O_RDONLY, Private); !IsWrong(err) {
		t.Errorf("got %v", err)
	}
}

func TestTheDirectoryIsPrivate(t *testing.T) {
	uid := os.Geteuid()
	dir := filepath.Join(t.TempDir(), "elicit")
	must.OK(t, makePrivate(dir, uid))
	if err := makePrivate(dir, uid+1); err == nil || !strings.Contains(err.Error(), "belongs to user") {
		t.Errorf("a directory of another user: got %v", err)
	}
	must.OK(t, os.Chmod(dir, 0o770))
	if err := makePrivate(dir, uid); err == nil || !strings.Contains(err.Error(), "chmod 700") {
		t.Errorf("a directory that a group may write to: got %v", err)
	}
	link := filepath.Join(t.TempDir(), "link")
	must.OK(t, os.Symlink(t.TempDir(), link))
	if err := makePrivate(link, uid); err == nil || !strings.Contains(err.Error(), "is not a directory") {
		t.Errorf("a link: got %v", err)
	}
}

// TestALinkToADirectoryOfAnotherUser: who owns a directory above the file that a link leads to can replace the file.
func TestALinkToADirectoryOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can change an owner")
	}
	dir := t.TempDir()
	theirs, link := filepath.Join(dir, "theirs"), filepath.Join(dir, "link")
	must.OK(t, os.MkdirAll(filepath.Join(theirs, "ours"), 0o755))
	must.Write(t, "{}", theirs, "ours", "managed.json")
	must.OK(t, os.Chmod(filepath.Join(theirs, "ours", "managed.json"), 0o644))
	must.OK(t, os.Symlink(filepath.Join(theirs, "ours"), link))
	for owner, want := range map[int]string{nobody: "belongs to user 65534", 0: ""} {
		must.OK(t, os.Chown(theirs, owner, 0))
		f, err := Open(filepath.Join(link, "managed.json"), os.O_RDONLY, System)
		if f != nil {
			f.Close()
		}
		if want == "" && err != nil || want != "" && (!IsWrong(err) || !strings.Contains(err.Error(), want)) {
			t.Errorf("owner %d: got %v, want %q", owner, err, want)
		}
	}
}

const replacedFile = "ELICIT_REPLACED_FILE"

// TestReplaceOutlivesAPowerCut reads in a trace of the process that the text is on the disk before it has the name, and
// the name before Replace returns.
func TestReplaceOutlivesAPowerCut(t *testing.T) {
	if path := os.Getenv(replacedFile); path != "" {
		must.OK(t, Replace(path, func(f *os.File) error { return nil }))
		return
	}
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("strace is a program of Linux")
	}
	if _, err := exec.LookPath("strace"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("strace is not installed")
		}
		t.Skip("strace, which lists the calls of the system, is not installed")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must.OK(t, err)
	self, err := os.Executable()
	must.OK(t, err)
	trace := filepath.Join(t.TempDir(), "trace")
	cmd := exec.Command("strace", "-f", "-y", "-o", trace, "-e", "trace=fsync,rename,renameat,renameat2",
		"-e", "signal=none", self, "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), replacedFile+"="+filepath.Join(dir, "grants"))
	must.Run(t, cmd)
	calls, at := must.Text(t, trace), regexp.QuoteMeta(dir)
	// Other lines may stand between: a call that was interrupted has two, and a thread that ends has one.
	want := `(?s)fsync\(\d+<` + at + `/\.grants[^>]*>.*? = 0\n.*?rename[^\n]*` + at + `/grants".*? = 0\n.*?fsync\(\d+<` +
		at + `>`
	if !regexp.MustCompile(want).MatchString(calls) {
		t.Errorf("the directory is not on the disk when Replace returns:\n%s", calls)
	}
}
