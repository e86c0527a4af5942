package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// balancer sends each request to the next process, whatever session it belongs to. It replaces processes that are
// killed.
type balancer struct {
	t       *testing.T
	program string
	args    []string
	client  http.Client
	at      string // its own address
	next    atomic.Uint64
	killed  atomic.Int64
	lost    atomic.Int64 // requests whose process was killed before it had answered
	again   atomic.Int64 // calls that had to be made again for that

	mu    sync.Mutex
	rand  *rand.Rand
	nodes [3]*process
}

// process is one of the server's.
type process struct {
	at  string
	cmd *exec.Cmd
}

func newBalancer(t *testing.T, seed uint64, socket string) *balancer {
	b := &balancer{t: t, program: filepath.Join(t.TempDir(), "nodes"), rand: rand.New(rand.NewPCG(seed, 0))}
	if out, err := exec.Command("go", "build", "-o", b.program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	b.client.Transport = &http.Transport{DisableKeepAlives: true} // a request to a process that is gone fails to connect
	web := httptest.NewServer(b)
	t.Cleanup(web.Close)
	b.at = web.URL
	b.args = []string{"--redis", socket, "--secret", strings.Repeat("s", 32), "--page", b.at + "/ask/"}
	for i := range b.nodes {
		b.nodes[i] = b.start()
	}
	t.Cleanup(func() {
		for _, p := range b.nodes {
			p.kill()
		}
	})
	return b
}

func (b *balancer) start() *process {
	p := &process{cmd: exec.Command(b.program, b.args...)}
	p.cmd.Stderr = os.Stderr
	says, err := p.cmd.StdoutPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err == nil {
		p.at, err = bufio.NewReader(says).ReadString('\n')
	}
	if err != nil {
		b.t.Fatal(err)
	}
	p.at = strings.TrimSpace(p.at)
	return p
}

// kill ends a process at once, as kill -9 does.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// kill kills a random process. Another one takes its place.
func (b *balancer) kill() {
	b.mu.Lock()
	i := b.rand.IntN(len(b.nodes))
	old := b.nodes[i]
	b.mu.Unlock()
	old.kill()
	fresh := b.start()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.nodes[i] = fresh
	b.killed.Add(1)
}

// ServeHTTP passes a request to the next process, and to another one if that is gone.
func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for {
		b.mu.Lock()
		at := b.nodes[b.next.Add(1)%uint64(len(b.nodes))].at
		b.mu.Unlock()
		status, header, answer, err := b.pass(r, at, body)
		var dial *net.OpError
		if errors.As(err, &dial) && dial.Op == "dial" { // nobody has seen the request
			time.Sleep(time.Millisecond) // before the next process is tried
			continue
		}
		if err != nil {
			b.lost.Add(1)
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		for name, values := range header {
			w.Header()[name] = values
		}
		w.WriteHeader(status)
		_, _ = w.Write(answer)
		return
	}
}

func (b *balancer) pass(r *http.Request, at string, body []byte) (int, http.Header, []byte, error) {
	out, err := http.NewRequestWithContext(r.Context(), r.Method, at+r.URL.Path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, nil, err
	}
	out.Header = r.Header.Clone()
	response, err := b.client.Do(out)
	if err != nil {
		return 0, nil, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return response.StatusCode, response.Header, answer, err
}
