//go:build unix

package main_test

import (
	"fmt"
	"io"
	"os"
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
