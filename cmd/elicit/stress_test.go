//go:build unix

package main_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/must"
)

// flood returns the text that a test writes to a peer that does not read, in lines of 16 KiB.
func flood() (lines int, text string) {
	text = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` +
		strings.Repeat("x", 16<<10-100) + `"}}`
	if testing.Short() {
		return 64 << 20 / len(text), text
	}
	return 256 << 20 / len(text), text
}

const (
	serverHello = `read hello
echo '{"jsonrpc":"2.0","id":"hello","result":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"serverInfo":{"name":"s","version":"1"}}}'
read ready
`
	serverAsks = `
echo '{"jsonrpc":"2.0","id":1,"method":"elicitation/create",` +
		`"params":{"message":"Go on?","requestedSchema":{"type":"object","properties":{}}}}'
read answer
echo '{"jsonrpc":"2.0","method":"heard","params":'"$answer"'}'
`
	serverStays = "\ncat >/dev/null\n" // until its input ends, so that the test can measure the proxy
	wasAnswered = `{"jsonrpc":"2.0","method":"heard",` +
		`"params":{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{}}}}`
)

// peak returns the most resident memory of a process so far, in MiB; 0 when the system does not report it.
func peak(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, alive := strings.Cut(string(status), "VmHWM:")
	if !alive {
		t.Fatal("the process ended before it was measured")
	}
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	must.OK(t, err)
	return kib >> 10
}

// mostMemory is the most memory that a proxy may use here: for the program itself, the garbage collector and the
// bounded queues.
const mostMemory = 80 // MiB

func TestClientThatStopsReadingHoldsTheServerBack(t *testing.T) {
	p := buildElicit(t)
	n, text := flood()
	yes := answersFile(t, []rule{{Answer: accept(nil)}})
	script := serverHello + serverAsks + `yes "$1" | head -n "$2"` + serverAsks + serverStays
	l := openLines(t, p.behind("answers="+yes, []string{"sh", "-c", script, "sh", text, strconv.Itoa(n)}))
	l.greet(helloNone)
	if got := l.next(); got != wasAnswered {
		t.Fatalf("got %s", clip(got))
	}
	start := peak(t, l.cmd.Process.Pid)
	awaitAsleep(t, l.cmd.Process.Pid) // no test code receives from l.heard, so nothing is read
	stopped := peak(t, l.cmd.Process.Pid)
	begun := time.Now()
	for i := range n {
		if got := l.next(); got != text {
			t.Fatalf("line %d: %s", i, clip(got))
		}
	}
	took := time.Since(begun)
	if got := l.next(); got != wasAnswered {
		t.Errorf("after the flood: %s", clip(got))
	}
	end := peak(t, l.cmd.Process.Pid)
	t.Logf("%d MiB at %.0f MiB/s; most memory before %d MiB, while nothing was read %d MiB, after all %d MiB",
		n*len(text)>>20, float64(n*len(text)>>20)/took.Seconds(), start, stopped, end)
	if end > mostMemory {
		t.Errorf("the proxy took %d MiB of memory, want at most %d", end, mostMemory)
	}
	l.in.Close()
	if code, rest := l.end(); code != 0 || len(rest) > 0 {
		t.Errorf("exit code %d, last lines %q", code, rest)
	}
}

func TestServerThatStopsReadingHoldsTheClientBack(t *testing.T) {
	p := buildElicit(t)
	n, text := flood()
	begin := filepath.Join(t.TempDir(), "begin")
	must.OK(t, syscall.Mkfifo(begin, 0o600))
	yes := answersFile(t, []rule{{Answer: accept(nil)}})
	const counts = `read go <"$1"; echo '{"jsonrpc":"2.0","method":"count","params":{"n":'$(head -c "$2" | wc -c)'}}'`
	script := serverHello + serverAsks + counts + serverAsks + serverStays
	l := openLines(t, p.behind("answers="+yes,
		[]string{"sh", "-c", script, "sh", begin, strconv.Itoa(n * (len(text) + 1))}))
	l.greet(helloNone)
	if got := l.next(); got != wasAnswered {
		t.Fatalf("got %s", clip(got))
	}
	said := make(chan error, 1)
	go func() {
		for range n {
			if _, err := io.WriteString(l.in, text+"\n"); err != nil {
				said <- err
				return
			}
		}
		said <- nil
	}()
	awaitAsleep(t, l.cmd.Process.Pid)
	select {
	case err := <-said:
		t.Fatalf("the client could say everything to a server that reads nothing (%v)", err)
	default:
	}
	stopped := peak(t, l.cmd.Process.Pid)
	begun := time.Now()
	must.OK(t, os.WriteFile(begin, []byte("\n"), 0))
	if got, want := l.next(), `{"jsonrpc":"2.0","method":"count","params":{"n":`+
		strconv.Itoa(n*(len(text)+1))+`}}`; got != want {
		t.Errorf("the server heard %s bytes, want %s", clip(got), want)
	}
	took := time.Since(begun)
	if got := l.next(); got != wasAnswered {
		t.Errorf("after the flood: %s", clip(got))
	}
	end := peak(t, l.cmd.Process.Pid)
	t.Logf("%d MiB at %.0f MiB/s; most memory while nothing was read %d MiB, after all %d MiB",
		n*len(text)>>20, float64(n*len(text)>>20)/took.Seconds(), stopped, end)
	if end > mostMemory {
		t.Errorf("the proxy took %d MiB of memory, want at most %d", end, mostMemory)
	}
	if err := <-said; err != nil {
		t.Error(err)
	}
	l.in.Close()
	l.end()
}

// TestManyRequests sends requests through the program itself, to a server that sends every line back.
func TestManyRequests(t *testing.T) {
	p := buildElicit(t)
	const n = 10_000
	l := openLines(t, p.behind("none", []string{"cat"}))
	begun := time.Now()
	go func() {
		for i := range n {
			if _, err := io.WriteString(l.in, callTool(strconv.Itoa(i), "t")+"\n"); err != nil {
				return
			}
		}
	}()
	for i := range n {
		if got, want := l.next(), callTool(strconv.Itoa(i), "t"); got != want {
			t.Fatalf("got %s want %s", clip(got), want)
		}
	}
	t.Logf("%.0f requests/s there and back; most memory %d MiB", n/time.Since(begun).Seconds(), peak(t, l.cmd.Process.Pid))
	l.in.Close()
	l.end()
}

// asker is a server that asks once for every line after the first, with ids from 1. It repeats every answer to a
// question as a notification.
const asker = `read hello
echo '{"jsonrpc":"2.0","id":"hello","result":{"protocolVersion":"2025-11-25","capabilities":{},` +
	`"serverInfo":{"name":"s","version":"1"}}}'
read ready
n=0
while read line; do
  n=$((n+1))
  echo '{"jsonrpc":"2.0","id":'$n',"method":"elicitation/create",` +
	`"params":{"message":"Größe 文字 '$n'?","requestedSchema":{"type":"object","properties":{}}}}'
  read answer
  echo '{"jsonrpc":"2.0","method":"heard","params":'"$answer"'}'
done
`

// limited returns a command line that limits the size of files, so that the last write is cut in the middle.
func limited(blocks int, command []string) []string {
	return append([]string{"sh", "-c", fmt.Sprintf(`ulimit -f %d; exec "$@"`, blocks), "sh"}, command...)
}

// questions makes the server ask n times, and returns the answers that the server got. Other messages pass between the
// questions.
func (l *lines) questions(n int) (heard []string) {
	l.t.Helper()
	for i := range n {
		l.say(fmt.Sprintf(`{"jsonrpc":"2.0","method":"ask","params":{"n":%d}}`, i))
		heard = append(heard, l.next())
	}
	return heard
}

func TestJournalThatIsFullFailsClosedAndEverythingElsePasses(t *testing.T) {
	p := buildElicit(t)
	journal := filepath.Join(t.TempDir(), "run.jsonl")
	yes := answersFile(t, []rule{{Answer: accept(nil)}})
	// The limit grows by half a kilobyte each time, so that the cut is at any place in a record, also in a character.
	cuts := 0
	for blocks := 2; blocks < 18; blocks++ {
		name := fmt.Sprintf("%s.%d", journal, blocks-1)
		if blocks == 2 {
			name = journal
		}
		l := openLines(t, limited(blocks, p.behind("answers="+yes, []string{"sh", "-c", asker}, "--journal", journal)))
		l.greet(helloNone)
		refused, accepted := 0, 0
		for _, h := range l.questions(30) {
			switch {
			case strings.Contains(h, `"result":{"action":"accept"`):
				accepted++
				if refused > 0 {
					t.Fatalf("accepted after the journal had failed: %s", h)
				}
			case strings.Contains(h, `"code":-32603`) &&
				strings.Contains(h, "journal_failed") && strings.Contains(h, "the journal could not be written"):
				refused++
			default:
				t.Fatalf("the server heard %s", h)
			}
		}
		l.in.Close()
		if code, rest := l.end(); code != 0 || len(rest) > 0 {
			t.Errorf("exit code %d, last lines %q", code, rest)
		}
		if refused == 0 {
			t.Fatalf("%d blocks held 30 questions: the test is too small", blocks)
		}
		if got := l.errs.String(); strings.Count(got, "the journal cannot be written, so nothing may be decided") != 1 {
			t.Errorf("stderr does not say once why: %s", got)
		}
		cuts += p.wantCut(t, name, accepted)
	}
	if cuts < 10 {
		t.Errorf("only %d of 16 journals ended in a cut record", cuts)
	}
}

// wantCut reads a journal whose disk was full. log and replay must name the record that is cut, if there is one. The
// complete records must have every answer that the server got, and no other. It returns the number of cut records.
func (p parts) wantCut(t *testing.T, journal string, accepted int) int {
	t.Helper()
	text := must.Read(t, journal)
	cut := len(text) > 0 && text[len(text)-1] != '\n'
	for _, verb := range []string{"log", "replay"} {
		out, err := exec.Command(p.elicit, verb, journal).CombinedOutput()
		if cut != (err != nil) || cut && !strings.Contains(string(out), "is cut off in the middle") {
			t.Errorf("%s of a journal with a cut record %v: %v\n%s", verb, cut, err, clip(string(out)))
		}
	}
	out, _ := exec.Command(p.elicit, "log", "--json", journal).Output()
	told := 0
	for l := range strings.Lines(string(out)) {
		var rec struct {
			Effects []struct{ Effect, Outcome string }
		}
		if err := json.Unmarshal([]byte(l), &rec); err != nil {
			t.Fatalf("%v: %s", err, l)
		}
		for _, e := range rec.Effects {
			if e.Effect == "reply" && e.Outcome == "accept" {
				told++
			}
		}
	}
	if told != accepted {
		t.Errorf("%s tells of %d accepted questions, the server was given %d", journal, told, accepted)
	}
	if cut {
		return 1
	}
	return 0
}

func TestJournalThatMayNotBeWrittenFailsClosedFromTheStart(t *testing.T) {
	p := buildElicit(t)
	dir := t.TempDir()
	must.OK(t, os.Chmod(dir, 0o555))
	yes := answersFile(t, []rule{{Answer: accept(nil)}})
	line := p.behind("answers="+yes, []string{"sh", "-c", asker}, "--journal", filepath.Join(dir, "j"))
	t.Setenv("XDG_CONFIG_HOME", "/no-configuration") // nobody may not look into that of the tests
	l := openLinesAs(t, line, nobody(t, p.elicit, yes))
	l.greet(helloNone)
	for _, h := range l.questions(3) {
		contains(t, "answer", h, `"code":-32603`, "journal_failed")
	}
	l.in.Close()
	if code, _ := l.end(); code != 0 {
		t.Errorf("exit code: got %d want the server's 0", code)
	}
	contains(t, "stderr", l.errs.String(), "the journal cannot be written", "permission denied",
		"every question is refused")
}

// nobody returns another user for a process, who can read these files. It is for tests of permissions, because root can
// open every directory.
func nobody(t *testing.T, files ...string) *syscall.SysProcAttr {
	t.Helper()
	if os.Getuid() != 0 {
		return nil
	}
	for _, f := range files {
		for dir := filepath.Dir(f); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
			must.OK(t, os.Chmod(dir, 0o755))
		}
		must.OK(t, os.Chmod(f, 0o755))
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534, NoSetGroups: true}}
}
