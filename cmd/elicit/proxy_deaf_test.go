//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
)

// deafServer reads nothing and ends only by a signal.
var deafServer = []string{"sh", "-c", "echo ready >&2; exec sleep 3600"}

func proxyOf(t *testing.T, server []string, flags ...string) *exec.Cmd {
	t.Helper()
	words := append([]string{"proxy", "--ui", "none", "--policy", "none", "--journal", "none"}, flags...)
	return exec.Command(programtest.Built(t, "./cmd/elicit"), append(append(words, "--"), server...)...)
}

// noise is a notification that pads a stream.
func noise(size int) string {
	return `{"jsonrpc":"2.0","method":"notifications/x","params":{"pad":"` + strings.Repeat("x", size) + `"}}` + "\n"
}

// TestTheClientOfADeafServerMayLeave: the proxy ends, although more waits for the server than it reads from a client
// at once.
func TestTheClientOfADeafServerMayLeave(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 200 << 10, 400 << 10, 2 << 20} {
		cmd := proxyOf(t, deafServer, "--grace", "100ms")
		cmd.Stdin = strings.NewReader(strings.Repeat(noise(1000), size/1000))
		if err := cmd.Run(); err == nil { // it ends by a signal, or the test never ends
			t.Errorf("%d bytes: the server ended by itself", size)
		}
	}
}

// TestADeafServerEndsTheSession: a client that stays and sends more and more does not hang either.
func TestADeafServerEndsTheSession(t *testing.T) {
	t.Parallel()
	cmd := proxyOf(t, deafServer, "--grace", "100ms")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var notes bytes.Buffer
	cmd.Stderr = &notes
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for line := noise(64 << 10); err == nil; {
		_, err = io.WriteString(in, line)
	}
	_ = cmd.Wait()
	if !strings.Contains(notes.String(), "the server has read none of its input for 100ms") {
		t.Errorf("stderr does not say why:\n%s", notes.String())
	}
}

// TestAServerEndsWithAKilledProxy: the server holds the error stream, whose end shows that it is gone.
func TestAServerEndsWithAKilledProxy(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells a program that its parent was killed")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := proxyOf(t, deafServer)
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	for said := ""; !strings.Contains(said, "ready"); {
		b := make([]byte, 1000)
		n, err := r.Read(b)
		if said += string(b[:n]); err != nil {
			t.Fatalf("%v after %q", err, said)
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if _, err := io.ReadAll(r); err != nil { // comes to an end, or the test never ends
		t.Error(err)
	}
}
