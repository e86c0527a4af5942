package commands

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
)

// observed is what a line did when bash ran it.
type observed struct {
	Line string `json:"line"`

	// Writes are files and directories that are there afterwards and were not, or have other bytes, another mode, owner
	// or time. Writes to a place where nobody may write count as well. Deletes are gone. Paths below the project are
	// relative to it, and "~" is the home.
	Writes  []string `json:"writes,omitempty"`
	Deletes []string `json:"deletes,omitempty"`

	// Reads are the files below the home that were opened, without what the table own has, and without those of the
	// project that git compares and the line does not name.
	Reads []string `json:"reads,omitempty"`

	Programs []string `json:"programs,omitempty"` // that the kernel started, without directories and the first bash
	Network  bool     `json:"network,omitempty"`
}

const (
	home    = "/home/me"
	project = home + "/project"
	patient = 20 * time.Second
)

// sandbox is a place that a line can ruin: a home with a project, an /etc, a /tmp and a /var/spool of its own, and no
// network. The rest of the machine can be read only.
type sandbox struct {
	dir    string // keeps the state before each line
	places []string
}

func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	for _, program := range []string{"bwrap", "strace", "bash", "git", "python3", "perl", "make", "jq", "curl"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("the sandbox needs %s (Debian: bubblewrap strace git python3 perl make jq curl)", program)
		}
	}
	s := &sandbox{dir: t.TempDir(), places: []string{home, "/etc", "/tmp", "/var/spool"}}
	for _, place := range s.places {
		must.OK(t, os.MkdirAll(s.before(place), 0o755))
	}
	for name, text := range furniture {
		path := s.before(name)
		must.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(text, "#!") {
			mode = 0o755
		}
		must.OK(t, os.WriteFile(path, []byte(text), mode))
	}
	// Programs of the machine are found through these.
	for _, name := range []string{"alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d"} {
		run(t, "cp", "-a", "/etc/"+name, s.before("/etc"))
	}
	must.Run(t, s.bash(t, s.dir+"/before", "", prepare))
	return s
}

func (s *sandbox) before(place string) string { return filepath.Join(s.dir, "before", place) }

// bash is the command that runs a line on the state in dir. With a directory for traces, strace follows it.
func (s *sandbox) bash(t *testing.T, dir, traces, line string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patient)
	t.Cleanup(cancel)
	args := []string{"--unshare-all", "--die-with-parent", "--new-session", "--uid", "1000", "--gid", "1000",
		"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/home", "--tmpfs", "/root"}
	if root := os.Getenv("GOROOT"); root != "" {
		args = append(args, "--ro-bind-try", root, root)
	}
	for _, place := range s.places {
		args = append(args, "--bind", filepath.Join(dir, place), place)
	}
	args = append(args, "--chdir", project, "--clearenv",
		"--setenv", "HOME", home, "--setenv", "USER", "me", "--setenv", "LANG", "C.UTF-8",
		"--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin")
	if traces != "" {
		args = append(args, "--bind", traces, "/mnt", "strace", "-ff", "-qq", "-y", "-s", "400", "-o", "/mnt/t",
			"-e", "signal=none", "-e", "trace="+calls)
	}
	cmd := exec.CommandContext(ctx, "bwrap", append(args, "bash", "--norc", "--noprofile", "-c", line)...)
	cmd.WaitDelay = time.Second
	return cmd
}

const calls = "clone,clone3,fork,vfork,execve,openat,open,creat,unlink,unlinkat,rmdir,rename,renameat,renameat2," +
	"mkdir,mkdirat,chmod,fchmod,fchmodat,chown,lchown,fchown,fchownat,symlink,symlinkat,link,linkat,truncate," +
	"utimensat,mknod,mknodat,connect"

// run runs a line and tells what it did.
func (s *sandbox) run(t *testing.T, line string) observed {
	t.Helper()
	dir, err := os.MkdirTemp(s.dir, "line")
	must.OK(t, err)
	defer os.RemoveAll(dir)
	traces := filepath.Join(dir, "traces")
	must.OK(t, os.Mkdir(traces, 0o777))
	run(t, "cp", "-a", s.dir+"/before/.", dir)
	was := s.snapshot(t, dir)
	cmd := s.bash(t, dir, traces, line)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err = cmd.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Errorf("%s: %v", line, err)
	}
	if testing.Verbose() && err != nil {
		t.Logf("%s: %v: %.200s", line, err, said.String())
	}
	is := s.snapshot(t, dir)
	out := observed{Line: line}
	for path, state := range is {
		if was[path] != state {
			out.Writes = append(out.Writes, shown(path))
		}
	}
	for path := range was {
		if _, there := is[path]; !there {
			out.Deletes = append(out.Deletes, shown(path))
		}
	}
	out.follow(t, traces, was)
	out.Writes, out.Deletes = roots(out.Writes), roots(out.Deletes)
	out.Reads, out.Programs = slices.DeleteFunc(roots(out.Reads), insideGit), sorted(out.Programs)
	return out
}

// snapshot has a line for each file and directory: what it is, and what is in it.
func (s *sandbox) snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, place := range s.places {
		must.OK(t, filepath.WalkDir(filepath.Join(dir, place), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return nil //nolint:nilerr // a directory without permission
			}
			info, err := entry.Info()
			if err != nil {
				return nil //nolint:nilerr
			}
			name := strings.TrimPrefix(path, dir)
			switch state := info.Mode().String(); {
			case entry.IsDir():
				all[name] = state
			case entry.Type() == fs.ModeSymlink:
				to, _ := os.Readlink(path)
				all[name] = state + to
			default:
				text, _ := os.ReadFile(path)
				all[name] = fmt.Sprintf("%s %x %d", state, sha256.Sum256(text), info.ModTime().UnixNano())
			}
			return nil
		}))
	}
	return all
}

var (
	call     = regexp.MustCompile(`^(\w+)\((.*)\)\s+= (-?\d+)(?:<(.*?)>)?(?: (E\w+))?`)
	fileDir  = regexp.MustCompile(`(?:AT_FDCWD|\d+)<([^>]*)>, "((?:[^"\\]|\\.)*)"`)
	onlyPath = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
)

// follow reads the traces of all processes.
func (o *observed) follow(t *testing.T, traces string, was map[string]string) {
	t.Helper()
	files, err := filepath.Glob(traces + "/t.*")
	must.OK(t, err)
	if len(files) == 0 {
		t.Fatalf("%s: no trace", o.Line)
	}
	first, inherited := true, map[string]string{}  // a process begins as what its parent was
	slices.SortFunc(files, func(a, b string) int { // by number
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	for _, file := range files {
		text, err := os.ReadFile(file)
		must.OK(t, err)
		program := inherited[filepath.Ext(file)]
		for line := range strings.Lines(string(text)) {
			m := call.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			name, args, failed := m[1], m[2], m[5]
			switch {
			case strings.HasSuffix(name, "fork"), strings.HasPrefix(name, "clone"):
				inherited["."+m[3]] = program
			case name == "execve" && failed == "":
				path := onlyPath.FindStringSubmatch(args)[1]
				program = filepath.Base(path)
				if !first {
					o.Programs = append(o.Programs, program)
				}
				first = false
			case name == "connect":
				o.Network = o.Network || strings.Contains(args, "AF_INET")
			case name == "openat" && failed == "" && !forWriting(args):
				path := m[4]
				is := strings.HasPrefix(path, home+"/") && was[path] != "" && was[path][0] != 'd'
				named := program != "git" || strings.Contains(o.Line, filepath.Base(path))
				if is && named && !ownFile(program, path) {
					o.Reads = append(o.Reads, shown(path))
				}
			case failed == "EROFS" || failed == "EPERM" || failed == "EACCES":
				o.refused(name, args)
			}
		}
	}
}

// refused notes what a line would have changed outside of the sandbox.
func (o *observed) refused(name, args string) {
	var paths []string
	for _, m := range fileDir.FindAllStringSubmatch(args, -1) {
		if strings.HasPrefix(m[2], "/") {
			paths = append(paths, m[2])
		} else {
			paths = append(paths, filepath.Join(m[1], m[2]))
		}
	}
	if paths == nil {
		for _, m := range onlyPath.FindAllStringSubmatch(args, -1) {
			paths = append(paths, m[1])
		}
	}
	for i, path := range paths {
		path = filepath.Clean(path)
		switch {
		case !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/dev/"):
		case strings.Contains(path, "__pycache__"):
		case name == "openat" && !forWriting(args):
		case name == "unlinkat", name == "unlink", name == "rmdir", strings.HasPrefix(name, "rename") && i == 0:
			o.Deletes = append(o.Deletes, shown(path))
		default:
			o.Writes = append(o.Writes, shown(path))
		}
	}
}

func forWriting(args string) bool {
	return strings.Contains(args, "O_WRONLY") || strings.Contains(args, "O_RDWR")
}

// own has the files that a program reads whatever its words are: its settings, and git's own directory.
var own = map[string][]string{
	"git": {"/.gitconfig", "/.git", "/.config"}, "git-remote-https": {"/.git", "/.gitconfig"}, "ssh": {"/.ssh/config"},
	"node": {"/package.json", "/.npmrc"}, "npm": {"/package.json", "/.npmrc"}, "curl": {"/.curlrc"},
	"git-receive-pack": {"/.gitconfig"}, "git-upload-pack": {"/.gitconfig"}, "make": {"/Makefile"},
}

func ownFile(program, path string) bool {
	return slices.ContainsFunc(own[program], func(part string) bool { return strings.Contains(path, part) })
}

// shown is a path as a reader of the truth wants it.
func shown(path string) string {
	switch {
	case path == project:
		return "."
	case strings.HasPrefix(path, project+"/"):
		return path[len(project)+1:]
	case path == home:
		return "~"
	case strings.HasPrefix(path, home+"/"):
		return "~" + path[len(home):]
	}
	return path
}

// roots sorts paths and takes away those below another one, and what programs do inside of .git.
func roots(paths []string) (out []string) {
	for _, path := range sorted(paths) {
		below := len(out) > 0 && (strings.HasPrefix(path, out[len(out)-1]+"/") ||
			out[0] == "." && path[0] != '~' && path[0] != '/')
		if insideGit(path) && path != ".git/config" && !strings.HasPrefix(path, ".git/hooks/") {
			path = ".git/…"
			below = below || slices.Contains(out, path) || slices.Contains(out, ".git")
		}
		if !below {
			out = append(out, path)
		}
	}
	return out
}

func insideGit(path string) bool { return strings.HasPrefix(path, ".git/") }

func sorted(all []string) []string {
	slices.Sort(all)
	return slices.Compact(all)
}

func run(t *testing.T, words ...string) {
	t.Helper()
	must.Run(t, exec.Command(words[0], words[1:]...))
}

// furniture is what the home, the project and /etc of the sandbox have before each line.
var furniture = map[string]string{
	project + "/README.md":          "# Project\n\nA project for tests.\n",
	project + "/notes.txt":          "alpha\nbeta\ngamma\nbeta\n",
	project + "/my file.txt":        "a name with a blank\n",
	project + "/old.log":            "ERROR one\nINFO two\n",
	project + "/src/main.py":        "import util\nprint(util.double(21))\n",
	project + "/src/util.py":        "def double(n):\n    return 2 * n\n",
	project + "/src/app.js":         "console.log('app')\n",
	project + "/src/hello.c":        "int main(void) { return 0; }\n",
	project + "/src/deep/a.txt":     "a\n",
	project + "/src/deep/b.txt":     "b\n",
	project + "/data/a.csv":         "id,name\n2,bee\n1,ant\n",
	project + "/data/b.json":        "{\"items\": [1, 2, 3]}\n",
	project + "/tests/test_main.py": "def test_it():\n    assert True\n",
	project + "/build/out.o":        "object",
	project + "/build/cache/x.tmp":  "x",
	project + "/.env":               "TOKEN=not-a-secret\n",
	project + "/.gitignore":         "build/\n*.log\n",
	project + "/script.sh":          "#!/bin/bash\necho from-script > script.out\n",
	project + "/package.json":       "{\"name\": \"p\", \"scripts\": {\"make\": \"echo made > made.txt\"}}\n",
	project + "/Makefile":           "all:\n\techo all > all.txt\nclean:\n\trm -rf build\n",
	project + "/commands.txt":       "echo one\necho two\n",
	project + "/list.txt":           "old.log\nnotes.txt\n",
	project + "/fix.patch": "--- a/notes.txt\n+++ b/notes.txt\n@@ -1,4 +1,4 @@\n-alpha\n+ALPHA\n beta\n" +
		" gamma\n beta\n",
	home + "/.ssh/id_rsa":           "-----BEGIN not a key-----\n",
	home + "/.ssh/config":           "Host example\n  HostName 127.0.0.1\n",
	home + "/.aws/credentials":      "[default]\n",
	home + "/.bashrc":               "# start\n",
	home + "/.profile":              "# profile\n",
	home + "/.gitconfig":            "[user]\n\tname = Me\n\temail = me@example.org\n[init]\n\tdefaultBranch = main\n",
	home + "/.claude/settings.json": "{}\n",
	home + "/Documents/plan.txt":    "plan\n",
	"/tmp/t.txt":                    "t\n",
	"/etc/passwd":                   "root:x:0:0:root:/root:/bin/bash\nme:x:1000:1000:Me:/home/me:/bin/bash\n",
	"/etc/group":                    "root:x:0:\nme:x:1000:\n",
	"/etc/hosts": "127.0.0.1 localhost example.org example.com example.net evil.example files.example " +
		"registry.npmjs.org pypi.org github.com\n",
	"/etc/nsswitch.conf":      "passwd: files\ngroup: files\nhosts: files\n",
	"/etc/ssl/openssl.cnf":    "",
	"/etc/cron.d/.keep":       "",
	"/etc/systemd/system/a":   "[Unit]\n",
	"/var/spool/cron/.keep":   "",
	"/etc/profile.d/.keep":    "",
	"/etc/ssh/ssh_config":     "",
	"/etc/shadow":             "root:*:19000:0:99999:7:::\n",
	"/etc/gitconfig":          "",
	"/etc/sudoers.d/.keep":    "",
	"/etc/environment":        "",
	"/etc/ca-certificates/.k": "",
}

// prepare makes what files alone cannot be: a repository with two branches and a change, archives, links.
const prepare = `set -e
git init -q . && git add -A && git commit -q -m first && git branch topic && git tag v1
echo delta >> notes.txt
tar -czf archive.tar.gz data && zip -qr archive.zip data
gzip -c old.log > old.log.gz
ln -s notes.txt link.txt
python3 -c 'import base64; open("blob.b64","wb").write(base64.b64encode(b"echo decoded > decoded.txt\n"))'
sqlite3 db.sqlite 'create table t(a); insert into t values(1)'
git init -q --bare ~/remote.git && git remote add origin ~/remote.git && git push -q origin main
touch -d '2020-01-01' notes.txt README.md src/*.py
`
