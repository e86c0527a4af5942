package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	goredis "github.com/redis/go-redis/v9"
)

// kinds are the clients. Before 2026-07-28 a request does not tell what its client declared, so that the model passes
// on the answers.
var kinds = []struct {
	name, date string
	modes      *mcp.ElicitationCapabilities
}{
	{"rounds", "2026-07-28", &mcp.ElicitationCapabilities{}},
	{"page", "2026-07-28", &mcp.ElicitationCapabilities{URL: &mcp.URLElicitationCapabilities{}}},
	{"model", "2025-11-25", &mcp.ElicitationCapabilities{}},
	{"model of an older date", "2025-06-18", nil},
}

// worker is a client with its model and its person.
type worker struct {
	*balancer
	t       *testing.T
	session *mcp.ClientSession
	lost    atomic.Int64 // requests whose response never came

	mu    sync.Mutex
	asked map[string]int
}

// RoundTrip repeats a request whose response was lost. An HTTP client that repeats is the hardest case for a server:
// what it did for the lost request counts.
func (w *worker) RoundTrip(r *http.Request) (*http.Response, error) {
	for {
		response, err := http.DefaultTransport.RoundTrip(r)
		if err != nil || response.StatusCode != http.StatusBadGateway {
			return response, err
		}
		_ = response.Body.Close()
		w.lost.Add(1)
		if r.Body, err = r.GetBody(); err != nil {
			return nil, err
		}
	}
}

// says is the person's answer to a question. It tells the question.
func (w *worker) says(message string) map[string]any {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked[message]++
	return map[string]any{"name": strings.ReplaceAll(strings.TrimSuffix(message, "?"), " ", "-")}
}

// answer is the client's part. The person answers on the page before the client says that they consented.
func (w *worker) answer(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	content := w.says(req.Params.Message)
	if req.Params.Mode != "url" {
		return &mcp.ElicitResult{Action: "accept", Content: content}, nil
	}
	w.visit(req.Params.URL, content)
	return &mcp.ElicitResult{Action: "accept"}, nil
}

func (w *worker) visit(url string, content map[string]any) {
	body, err := json.Marshal(map[string]any{"token": url[strings.LastIndex(url, "/")+1:], "content": content})
	if err != nil {
		w.t.Error(err)
		return
	}
	for again := false; ; again = true {
		response, err := http.Post(w.at+"/answer", "application/json", bytes.NewReader(body))
		if err != nil {
			w.t.Error(err)
			return
		}
		text, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		switch status := response.StatusCode; {
		case status == http.StatusBadGateway, status == http.StatusServiceUnavailable:
			continue // the answer may count: the person presses the button again
		case status != http.StatusOK && !again:
			w.t.Errorf("the page of %v says %s", content, text)
		}
		return
	}
}

var (
	question = regexp.MustCompile(`(?s)Question: (.*?)\n\n(?:Ask the person to open this page: (\S+))?`)
	id       = regexp.MustCompile(`"id":"([^"]+)"`)
)

// call makes a call and plays the model. A call that lost a response may fail, and is made again. It returns how often
// it was.
func (w *worker) call(ctx context.Context, name string) (text string, calls int) {
	tool, arguments := "greet", map[string]any{"call": name}
	calls = 1
	for {
		before := w.lost.Load()
		result, err := w.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
		text = fmt.Sprint(err)
		if err == nil {
			text = result.Content[0].(*mcp.TextContent).Text
		}
		asks := question.FindStringSubmatch(text)
		switch {
		case asks != nil:
			content := w.says(asks[1])
			tool, arguments = "elicitation_result", map[string]any{"action": "accept", "content": content,
				"id": id.FindStringSubmatch(text)[1]}
			if asks[2] != "" {
				w.visit(asks[2], content)
				delete(arguments, "content")
			}
		case (err != nil || result.IsError) && w.lost.Load() > before && ctx.Err() == nil:
			tool, arguments = "greet", map[string]any{"call": name}
			calls++
		default:
			return text, calls
		}
	}
}

// works makes calls until there are enough.
func (w *worker) works(ctx context.Context, number func() (string, bool)) {
	for name, more := number(); more; name, more = number() {
		before := w.lost.Load()
		text, calls := w.call(ctx, name)
		lost := int(w.lost.Load() - before)
		w.again.Add(int64(calls - 1))
		if want := fmt.Sprintf("Hello First-name-of-%s Last-name-of-%s", name, name); text != want {
			w.t.Errorf("%s: %q, %d calls, %d responses lost", name, text, calls, lost)
		}
		for _, message := range []string{"First name of " + name + "?", "Last name of " + name + "?"} {
			w.mu.Lock()
			if n := w.asked[message]; n < 1 || n > calls {
				w.t.Errorf("%q was asked %d times in %d calls, %d responses lost", message, n, calls, lost)
			}
			w.mu.Unlock()
		}
	}
}

func setting(t *testing.T, name string, other int) int {
	text := os.Getenv(name)
	if text == "" {
		return other
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// startRedis starts a real server.
func startRedis(t *testing.T) (socket string) {
	if _, err := exec.LookPath("redis-server"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("redis-server is not installed")
		}
		t.Skip("redis-server is not installed")
	}
	dir, err := os.MkdirTemp("", "r") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket = filepath.Join(dir, "s")
	cmd := exec.Command("redis-server", "--port", "0", "--save", "", "--dir", dir, "--unixsocket", socket)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = cmd.Process.Kill(), cmd.Wait() })
	client := goredis.NewClient(&goredis.Options{Network: "unix", Addr: socket})
	defer client.Close()
	for client.Ping(t.Context()).Err() != nil {
		time.Sleep(time.Millisecond) // between two looks
	}
	return socket
}

// TestNodes calls a server of three processes behind a balancer that knows no sessions, while processes are killed.
// ELICIT_FAULT_CALLS is how many calls there are, and ELICIT_FAULT_SEED what begins the random numbers.
func TestNodes(t *testing.T) {
	all, seed := setting(t, "ELICIT_FAULT_CALLS", 120), setting(t, "ELICIT_FAULT_SEED", 1)
	b := newBalancer(t, uint64(seed), startRedis(t))
	ctx, stop := context.WithTimeout(t.Context(), time.Minute+time.Duration(all)*100*time.Millisecond)
	defer stop()
	var calls atomic.Int64
	number := func() (string, bool) {
		n := calls.Add(1)
		return fmt.Sprint("c", n), n <= int64(all)
	}
	var workers, killer sync.WaitGroup
	for i := range 2 * len(kinds) {
		kind := kinds[i%len(kinds)]
		w := &worker{balancer: b, t: t, asked: map[string]int{}}
		options := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{Elicitation: kind.modes}}
		if kind.modes != nil {
			options.ElicitationHandler = w.answer
		}
		var err error
		w.session, err = mcp.NewClient(&mcp.Implementation{Name: "test"}, options).Connect(ctx,
			&mcp.StreamableClientTransport{Endpoint: b.at + "/mcp", HTTPClient: &http.Client{Transport: w}},
			&mcp.ClientSessionOptions{ProtocolVersion: kind.date})
		if err != nil {
			t.Fatal(kind.name, err)
		}
		defer w.session.Close()
		if got := w.session.InitializeResult().ProtocolVersion; got != kind.date {
			t.Errorf("%s: the session speaks %s", kind.name, got)
		}
		workers.Go(func() { w.works(ctx, number) })
	}
	done := make(chan struct{})
	killer.Go(func() {
		for n := int64(1); ; n++ {
			for calls.Load() < n*10 { // a process is killed after ten calls
				select {
				case <-done:
					return
				case <-time.After(time.Millisecond): // between two looks
				}
			}
			b.kill()
		}
	})
	workers.Wait()
	close(done)
	killer.Wait()
	t.Logf("seed %d: %d calls, %d processes killed, %d responses lost, %d calls made again", seed, all,
		b.killed.Load(), b.lost.Load(), b.again.Load())
	if b.killed.Load() == 0 {
		t.Error("no process was killed")
	}
}

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
