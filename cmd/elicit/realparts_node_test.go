package main_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"
)

// nodeClients are the TypeScript clients of a test, which end with it. One process has all sessions of a client, side
// by side, because Node and an SDK take longer to start than a session takes.
func nodeClients(t *testing.T, drivers string) map[string]*nodeClient {
	t.Helper()
	clients := map[string]*nodeClient{}
	for name, driver := range map[string]string{"ts1": "client1.mjs", "ts2": "client2.mjs"} {
		c := &nodeClient{driver: filepath.Join(drivers, driver), ended: make(chan struct{})}
		clients[name] = c
		t.Cleanup(c.end)
	}
	return clients
}

// nodeClient is a process of a driver with --sessions, which the first session starts.
type nodeClient struct {
	driver string
	ended  chan struct{}
	errs   lockedBuffer // of the driver itself

	start   sync.Once
	mu      sync.Mutex
	in      io.WriteCloser
	waiting map[string]chan []byte // reports by the ids of their sessions; nil when the process has ended
	asked   int
}

// session runs one session with a command line of the driver, and returns its report; false when none came.
func (c *nodeClient) session(t *testing.T, argv []string) ([]byte, bool) {
	t.Helper()
	c.start.Do(func() { c.run(t) })
	came := make(chan []byte, 1)
	c.mu.Lock()
	c.asked++
	id := strconv.Itoa(c.asked)
	line, err := json.Marshal(map[string]any{"id": id, "argv": argv})
	alive := c.waiting != nil
	if err == nil && alive {
		c.waiting[id] = came
		_, err = c.in.Write(append(line, '\n'))
	}
	c.mu.Unlock()
	if err != nil || !alive {
		return nil, false
	}
	select {
	case report, ok := <-came:
		return report, ok
	case <-time.After(patience):
		return nil, false
	}
}

func (c *nodeClient) run(t *testing.T) {
	t.Helper()
	cmd := exec.Command("node", c.driver, "--sessions")
	cmd.Stderr = &c.errs
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	c.in, c.waiting = in, map[string]chan []byte{}
	go c.read(cmd, out)
}

// read gives reports to those who wait for them. At the end of the process nobody waits any more.
func (c *nodeClient) read(cmd *exec.Cmd, out io.Reader) {
	for lines := bufio.NewReaderSize(out, 1<<20); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var report struct{ ID string }
		_ = json.Unmarshal(line, &report) // a line without an id is nobody's
		c.mu.Lock()
		if came := c.waiting[report.ID]; came != nil {
			came <- line
			delete(c.waiting, report.ID)
		}
		c.mu.Unlock()
	}
	c.mu.Lock()
	for _, came := range c.waiting {
		close(came)
	}
	c.waiting = nil
	c.mu.Unlock()
	_ = cmd.Wait()
	close(c.ended)
}

// end ends the process, if one has started. All sessions are over.
func (c *nodeClient) end() {
	if c.in != nil {
		_ = c.in.Close()
		<-c.ended
	}
}
