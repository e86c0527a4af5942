//go:build linux

package rivals

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

var oneLine = flag.String("line", "", "a line in Go's quotes that TestRuns runs in each shell instead of drawing lines")

// TestRuns reads lines and runs them with Bash and dash in a sandbox. A reading that claims to be complete has each rm
// that ran. Lines that are open, or that delete something unknown, would tell nothing; few of them run.
func TestRuns(t *testing.T) {
	sandbox := newBox(t)
	if *oneLine != "" {
		line, err := strconv.Unquote(*oneLine)
		must.OK(t, err)
		jobs := []job{{"bash", line}, {"dash", line}, {"sh", line}}
		for i, did := range sandbox.run(jobs) {
			t.Logf("%s: %+v, unseen: %q", jobs[i].Shell, did, unseen(readIn(line), did))
		}
		return
	}
	rows := []*difference{{rival: "dash", why: declares}}
	rules := readGrammar(t)
	drawn, complete, tried, called, stopped, faults := 0, 0, 0, 0, 0, 0
	jobs := []job{{"dash", "a=rm; declare a=echo; $a -rf /x"}} // one for each row
	batches(*runs/8, func(list []*rand.Rand) {
		for _, r := range list {
			one := job{pick(r, "bash", "dash", "sh"), rules.line(r)}
			drawn++
			report := readIn(one.Line)
			if !report.Unknown {
				complete++
			}
			if len(one.Line) < 4000 && (!open(report) || r.Intn(50) == 0) {
				jobs = append(jobs, one)
			}
		}
		for i, did := range sandbox.run(jobs) {
			tried++
			if did.Stopped {
				stopped++
			}
			if len(did.Calls) > 0 {
				called++
			}
			what := unseen(readIn(jobs[i].Line), did)
			if what == "" || allow(rows, jobs[i].Shell, runsOtherwise(jobs[i])) {
				continue
			}
			if faults++; faults > 10 {
				continue // shrinking takes seconds
			}
			one := sandbox.shrink(jobs[i], what)
			t.Errorf("%s runs %q unseen in\n%s\nrepeat: go test ./rivals -run '^TestRuns$' -v -line %s", one.Shell, what,
				one.Line, quoted(strconv.Quote(one.Line)))
		}
		jobs = nil
	})
	t.Logf("%d lines drawn, %d read completely, %d run, rm ran in %d, %d stopped, %d faults", drawn, complete, tried,
		called, stopped, faults)
	if called < drawn/500 {
		t.Errorf("rm ran in %d of %d lines only", called, drawn)
	}
	shown(t, rows)
	if rows[0].seen == 0 {
		t.Errorf("dash no longer runs otherwise: %s", declares)
	}
}

// declares is why dash runs what the reading of Bash does not have: it has no declare, so a variable stays as it was.
const declares = "declare is no command"

func runsOtherwise(one job) string {
	if one.Shell == "dash" && declaration.MatchString(one.Line) {
		return declares
	}
	return ""
}

var declaration = regexp.MustCompile(`\b(declare|typeset)\b`)

func readIn(line string) impact.Report { return impact.Read(line, impact.Options{Cwd: "/w"}) }

// open reports that the reading says that it does not know all commands, or all that they delete.
func open(report impact.Report) bool {
	for _, in := range report.Impacts {
		switch {
		case in.Kind == impact.Executes && (in.How == impact.Built || in.How == impact.Decoded || in.How == impact.Fetched),
			in.Kind == impact.Deletes && in.Free && in.Target == "*":
			return true
		}
	}
	return report.Unknown
}

// unseen is what the first rm ran with that a complete reading does not have: any rm, and the deletion of /x.
func unseen(report impact.Report, did ran) string {
	if open(report) {
		return ""
	}
	for _, c := range did.Calls {
		if !deletes(report, c) {
			return strings.Join(append([]string{"rm"}, c.Args[1:]...), " ")
		}
	}
	return ""
}

func deletes(report impact.Report, c call) bool {
	wanted := ""
	for _, operand := range c.Args[1:] {
		if !path.IsAbs(operand) {
			operand = path.Join(c.Dir, operand)
		}
		if path.Clean(operand) == "/x" {
			wanted = "/x"
		}
	}
	for _, in := range report.Impacts {
		switch {
		case in.Kind == impact.Runs && in.Target == "rm" && wanted == "":
			return true
		case in.Kind != impact.Deletes:
		case wanted == "" || in.Free || in.Target == "/" || path.Join("/w", in.Target) == "/x":
			return true
		case path.Clean(in.Target) == wanted || in.Open && matches(in.Target, wanted):
			return true
		}
	}
	return false
}

// matches compares with a pattern of which only the stars are more than themselves.
func matches(pattern, text string) bool {
	before, after, star := strings.Cut(pattern, "*")
	if !star || !strings.HasPrefix(text, before) {
		return pattern == text
	}
	for i := len(before); i <= len(text); i++ {
		if matches(after, text[i:]) {
			return true
		}
	}
	return false
}

// shrink leaves parts of the line out while the same runs unseen.
func (b *box) shrink(one job, what string) job {
	for n := len(one.Line) / 2; n > 0; {
		var jobs []job
		for i := 0; i+n <= len(one.Line); i += max(1, n/2) {
			if shorter := one.Line[:i] + one.Line[i+n:]; !open(readIn(shorter)) {
				jobs = append(jobs, job{one.Shell, shorter})
			}
		}
		at := -1
		for i, did := range b.run(jobs) {
			if at < 0 && unseen(readIn(jobs[i].Line), did) == what {
				at = i
			}
		}
		if at < 0 {
			n /= 2
		} else {
			one, n = jobs[at], min(n, len(jobs[at].Line))
		}
	}
	return one
}

// job is a line for a shell. ran is what it did there: each rm that it started, and that it had to be ended.
type (
	job struct{ Shell, Line string }
	ran struct {
		Calls   []call
		Stopped bool
	}
	call struct {
		Dir  string
		Args []string
	}
)

// marker is a directory that only the sandbox has.
const marker = "/elicit-sandbox"

// tools are the programs of the sandbox beside its shells.
const tools = "env xargs find nice nohup timeout cat tee chmod sed head tail tr printf echo true false mkdir ls " +
	"cut sort uniq seq awk touch cp mv ln basename dirname test expr rev fold paste stdbuf setsid base64 grep wc id " +
	"yes tac dd truncate"

// TestMain is also what runs within the sandbox: the program that runs lines, and each rm and sudo there.
func TestMain(m *testing.M) {
	switch name := filepath.Base(os.Args[0]); {
	case name == "run-lines":
		runLines()
	case sandboxed() && (name == "sudo" || name == "doas"):
		if program, err := exec.LookPath(strings.Join(os.Args[1:min(2, len(os.Args))], "")); err == nil {
			_ = syscall.Exec(program, os.Args[1:], os.Environ())
		}
		os.Exit(127)
	case sandboxed():
		logCall()
	default:
		os.Exit(m.Run())
	}
}

// sandboxed reports that this process may do what it likes: its root is a file system in memory with the marker, and
// has no /etc.
func sandboxed() bool {
	const tmpfs = 0x01021994
	var root syscall.Statfs_t
	_, mark := os.Stat(marker)
	_, etc := os.Stat("/etc")
	return mark == nil && os.IsNotExist(etc) && syscall.Statfs("/", &root) == nil && root.Type == tmpfs
}

// box is a sandbox of bubblewrap, for one user without rights.
type box struct {
	t    *testing.T
	self string // a copy of this program that every user may read
	args []string
}

// newBox skips the test where there can be no sandbox.
func newBox(t *testing.T) *box {
	t.Helper()
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		without(t, err)
	}
	dir, err := os.MkdirTemp("", "box")
	must.OK(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	must.OK(t, os.Chmod(dir, 0o755))
	self, err := os.Executable()
	must.OK(t, err)
	program, err := os.ReadFile(self)
	must.OK(t, err)
	b := &box{t: t, self: dir + "/self"}
	must.OK(t, os.WriteFile(b.self, program, 0o755))
	b.args = strings.Fields(bwrap + " --unshare-all --die-with-parent --new-session --as-pid-1 --clearenv --tmpfs /" +
		" --dir " + marker + " --dir /bin --dir /usr --symlink /bin /usr/bin --ro-bind-try /lib /lib" +
		" --ro-bind-try /lib64 /lib64 --ro-bind-try /usr/lib /usr/lib --ro-bind-try /usr/lib64 /usr/lib64")
	for _, tool := range strings.Fields("bash dash " + tools) {
		path, err := exec.LookPath(tool)
		if err == nil {
			path, err = filepath.EvalSymlinks(path)
		}
		must.OK(t, err)
		b.args = append(b.args, "--ro-bind", path, "/bin/"+tool)
	}
	for _, name := range []string{"/stub/rm", "/stub/sudo", "/stub/doas", "/bin/rm", "/run-lines"} {
		b.args = append(b.args, "--ro-bind", b.self, name)
	}
	b.args = append(b.args, strings.Fields("--symlink dash /bin/sh --dev /dev --proc /proc --size 8000000 --tmpfs /tmp"+
		" --size 8000000 --tmpfs /w --size 1000000 --tmpfs /log --remount-ro / --chdir / /run-lines")...)
	if _, err := b.try(nil); err != nil {
		without(t, err)
	}
	return b
}

// without ends a test that can have no sandbox. It fails at night, when bubblewrap must be there.
func without(t *testing.T, err error) {
	t.Helper()
	if vectors.Nightly() {
		t.Fatal("lines run only in a sandbox: ", err)
	}
	t.Skip("lines run only in a sandbox: ", err)
}

func (b *box) try(jobs []job) (list []ran, err error) {
	input, err := json.Marshal(jobs)
	must.OK(b.t, err)
	c := exec.Command(b.args[0], b.args[1:]...)
	c.Dir, c.Env, c.Stdin = "/", []string{}, bytes.NewReader(input)
	if os.Geteuid() == 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	var fault bytes.Buffer
	c.Stderr = &fault
	out, err := c.Output()
	if err == nil {
		err = json.Unmarshal(out, &list)
	}
	if err == nil && len(list) != len(jobs) {
		err = fmt.Errorf("%d of %d lines ran", len(list), len(jobs))
	}
	if err != nil {
		err = fmt.Errorf("%w: %s", err, fault.String())
	}
	return list, err
}

func (b *box) run(jobs []job) []ran {
	b.t.Helper()
	list, err := b.try(jobs)
	must.OK(b.t, err)
	return list
}

// TestRunsNothingOutside starts what runs lines outside the sandbox.
func TestRunsNothingOutside(t *testing.T) {
	self, err := os.Executable()
	must.OK(t, err)
	for _, name := range []string{"run-lines", "/run-lines"} {
		c := exec.Command(self)
		c.Args, c.Stdin = []string{name}, strings.NewReader(`[{"Shell": "bash", "Line": "true"}]`)
		out, err := c.CombinedOutput()
		if err == nil || string(out) != "this is no sandbox\n" {
			t.Errorf("%s outside the sandbox: %v, %s", name, err, out)
		}
	}
}

// runLines is the first process of the sandbox. It runs each line of its input in directories that are as new.
func runLines() {
	if !sandboxed() || os.Getpid() != 1 {
		fmt.Fprintln(os.Stderr, "this is no sandbox")
		os.Exit(3)
	}
	var jobs []job
	input, err := io.ReadAll(os.Stdin)
	if err == nil {
		err = json.Unmarshal(input, &jobs)
	}
	list := []ran{}
	for i := 0; i < len(jobs) && err == nil; i++ {
		var one ran
		one, err = runLine(jobs[i])
		list = append(list, one)
	}
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(list)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// limit starts a shell with limits: a second, 256 MB, files of 1 MB, 100 processes, 64 files.
const limit = `ulimit -t 1 -d 262144 -f 2048 -p 100 -n 64 -c 0; exec "$@"`

var shells = map[string][]string{
	"bash": {"/bin/bash", "--norc", "--noprofile", "-c"},
	"dash": {"/bin/dash", "-c"},
	"sh":   {"/bin/bash", "--posix", "--norc", "--noprofile", "-c"},
}

func runLine(one job) (did ran, err error) {
	empty("/w")
	empty("/tmp")
	for _, dir := range []string{"/w/h", "/w/d"} {
		_ = os.Mkdir(dir, 0o755)
	}
	for _, file := range []string{"/w/q", "/log/calls"} {
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			return did, err
		}
	}
	null, err := os.OpenFile("/dev/null", os.O_RDWR, 0)
	if err != nil {
		return did, err
	}
	defer null.Close()
	args := append(append([]string{"/bin/dash", "-c", limit, "limit"}, shells[one.Shell]...), one.Line)
	child, err := syscall.ForkExec(args[0], args, &syscall.ProcAttr{Dir: "/w", Sys: &syscall.SysProcAttr{Setsid: true},
		Env:   []string{"PATH=/stub:/bin", "HOME=/w/h", "LANG=C.UTF-8", "FUNCNEST=20"},
		Files: []uintptr{null.Fd(), null.Fd(), null.Fd()}})
	if err != nil {
		return did, err
	}
	did.Stopped = reap(child, 10*time.Second)
	reap(-1, 500*time.Millisecond) // what still runs in the background
	log, err := os.ReadFile("/log/calls")
	for line := range bytes.Lines(log) {
		var c call
		if json.Unmarshal(line, &c) == nil { // the limit of files may have cut it
			did.Calls = append(did.Calls, c)
		}
	}
	return did, err
}

// reap waits for a child, or for all, and kills what lives longer. It reports that it did.
func reap(child int, patience time.Duration) bool {
	var killed bool
	stop := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-time.After(patience):
				killed = true
				_ = syscall.Kill(-1, syscall.SIGKILL)
			case <-stop:
				return
			}
		}
	}()
	for {
		pid, err := syscall.Wait4(-1, nil, 0, nil)
		if pid == child || err == syscall.ECHILD {
			close(stop)
			<-ended
			return killed
		}
	}
}

// empty removes what a directory holds, also where the line took its own rights away.
func empty(dir string) {
	_ = os.Chmod(dir, 0o755)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if path := filepath.Join(dir, e.Name()); e.IsDir() {
			empty(path)
			_ = os.Remove(path)
		} else {
			_ = os.Remove(path)
		}
	}
}

// logCall is rm within the sandbox.
func logCall() {
	dir, _ := os.Getwd()
	line, err := json.Marshal(call{dir, os.Args})
	if err != nil {
		os.Exit(1)
	}
	if log, err := os.OpenFile("/log/calls", os.O_WRONLY|os.O_APPEND, 0); err == nil {
		_, _ = log.Write(append(line, '\n'))
	}
}
