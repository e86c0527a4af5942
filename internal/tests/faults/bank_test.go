//go:build unix

package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	goredis "github.com/redis/go-redis/v9"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/postgres"
	"github.com/elicit-engine/elicit/store/redis"
	"github.com/elicit-engine/elicit/store/sqlite"
)

// TestMain lets this program be a process of a server, too.
func TestMain(m *testing.M) {
	if text := os.Getenv("ELICIT_FAULT_PROCESS"); text != "" {
		fmt.Fprintln(os.Stderr, serve(text))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// setup is what a process of the server gets in its environment.
type setup struct {
	Kind   string   `json:"kind"` // of the store: sqlite, redis or postgres
	Path   string   `json:"path"` // of the file, of the socket, or what pgx takes
	Keys   []string `json:"keys"` // of the ring; the first seals
	Skew   int64    `json:"skew"` // of its clock, in milliseconds
	Ledger string   `json:"ledger"`
}

// want is what a client sends to a process.
type want struct {
	Call      string          `json:"call"` // the name of the call, for its handler
	Principal string          `json:"principal"`
	Keyed     bool            `json:"keyed"`
	Sure      bool            `json:"sure"`   // the handler asks a second time
	Rounds    bool            `json:"rounds"` // the client has rounds; otherwise a model passes on its answer
	State     string          `json:"state,omitempty"`
	Responses json.RawMessage `json:"responses,omitempty"`
	Said      *ask.Submission `json:"said,omitempty"`
}

// got is a process's response.
type got struct {
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// open opens the store, when it is there.
func (s setup) open(ctx context.Context) (store.Store, error) {
	switch s.Kind {
	case "sqlite":
		return sqlite.Open(ctx, s.Path, sqlite.Options{})
	case "redis":
		client := goredis.NewClient(&goredis.Options{Network: "unix", Addr: s.Path})
		for ; ; time.Sleep(20 * time.Millisecond) { // between two looks
			if h, err := redis.New(ctx, client, redis.Options{}); err == nil {
				return h, nil
			}
		}
	}
	pool, err := pgxpool.New(ctx, s.Path)
	for err == nil {
		if h, err := postgres.New(ctx, pool, postgres.Options{}); err == nil {
			return h, nil
		}
		time.Sleep(20 * time.Millisecond) // between two looks
	}
	return nil, err
}

// serve is a process of a server, which shares a store with others. Its handlers pay by a line in a file, which is
// there when the process has been killed. The processes in TypeScript and Python do the same.
func serve(text string) error {
	var s setup
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return err
	}
	sessions, err := s.open(context.Background())
	if err != nil {
		return err
	}
	var ring []seal.Key
	for _, id := range s.Keys {
		key, err := seal.NewKey(id, bytes.Repeat([]byte(id), seal.MinSecret))
		if err != nil {
			return err
		}
		ring = append(ring, key)
	}
	sealer, err := ask.NewSealer(ring...)
	if err != nil {
		return err
	}
	now := func() time.Time { return time.Now().Add(time.Duration(s.Skew) * time.Millisecond) }
	// A process that is killed takes along what it had of the burst of a principal.
	limits := json.RawMessage(`{"limits":{"per_minute":60000,"burst":6000}}`)
	asker, err := ask.New(ask.Options{Server: "bank", Store: sessions, Seal: sealer, Config: limits, Now: now,
		TTL: 20 * time.Minute})
	if err != nil {
		return err
	}
	ledger, err := os.OpenFile(s.Ledger, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + listener.Addr().String())
	return http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var c want
		if err := json.NewDecoder(r.Body).Decode(&c); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		json.NewEncoder(w).Encode(c.run(asker, ledger)) // a client that is gone asks again
	}))
}

// run runs a call in its process. Its end does not depend on the connection.
func (c want) run(asker *ask.Asker, ledger io.Writer) (g got) {
	ctx := context.Background()
	client := ask.Client{Principal: c.Principal, Version: "2025-06-18"}
	if c.Rounds {
		client.Version, client.Declared.Form = "2026-07-28", true
	}
	arguments, _ := json.Marshal(map[string]any{"call": c.Call, "keyed": c.Keyed, "sure": c.Sure})
	call := &ask.Call{Client: client, Target: "pay", Arguments: arguments, State: c.State, Responses: c.Responses}
	if c.Said != nil {
		var text string
		if call, text = asker.Submit(ctx, client, *c.Said); call == nil {
			return got{Error: text}
		}
	}
	var paid json.RawMessage
	call.Result = func() json.RawMessage { return paid }
	i, err := asker.Do(ctx, *call, func(ctx context.Context) error {
		key := "-"
		if c.Keyed {
			var err error
			if key, err = ask.Key(ctx); err != nil {
				return err
			}
		}
		var said [2]struct{ Answer int }
		for i, message := range []string{"Pay for " + c.Call + "?", "Sure of " + c.Call + "?"} {
			if i == 1 && !c.Sure {
				said[i] = said[0]
				break
			}
			answer, err := ask.Raw(ctx, ask.Question{Mode: elicit.Form, Message: message, Schema: json.RawMessage(
				`{"type":"object","properties":{"answer":{"type":"integer"}},"required":["answer"]}`)})
			if err != nil {
				return err
			}
			if err := json.Unmarshal(answer.Content, &said[i]); err != nil {
				return err
			}
		}
		time.Sleep(time.Duration(rand.IntN(40)) * time.Millisecond) // the work of the handler
		if _, err := fmt.Fprintf(ledger, "%s %d %s %d\n", c.Call, said[0].Answer, key, said[1].Answer); err != nil {
			return err
		}
		time.Sleep(time.Duration(rand.IntN(40)) * time.Millisecond)
		paid = fmt.Appendf(nil, `{"content":[{"type":"text","text":"paid %d"}]}`, said[0].Answer)
		return nil
	})
	switch {
	case err != nil:
		return got{Error: err.Error()}
	case i == nil:
		return got{Result: paid}
	case i.Error != nil:
		return got{Error: string(i.Error)}
	}
	return got{Result: i.Result}
}

// bank is a server of several processes in several languages, of which one is killed again and again.
type bank struct {
	t        *testing.T
	setup    setup
	programs [][]string // of each language

	mu     sync.Mutex
	ring   int // the stage of the rotation of its keys
	nodes  []process
	ended  bool
	starts sync.WaitGroup
	counts map[string]int // of what happened
}

// process is one of the server's. Without an address it has not begun.
type process struct {
	cmd  *exec.Cmd
	url  string
	ring int
}

// rings are the stages of two rotations of the keys. Each is in all processes before the next one begins: a new key
// must be known everywhere before one process seals with it.
var rings = [][]string{{"1"}, {"1", "2"}, {"2", "1"}, {"2", "1", "3"}, {"3", "2", "1"}}

// start starts the process i, and says so when it listens.
func (b *bank) start(i int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return
	}
	given := b.setup
	given.Keys, given.Skew = rings[b.ring], int64((i+i/3)%3-1)*4*60*1000 // each language has each of them
	text, err := json.Marshal(given)
	must.OK(b.t, err)
	p := process{cmd: exec.Command(b.programs[i%len(b.programs)][0], b.programs[i%len(b.programs)][1:]...), ring: b.ring}
	library, _ := filepath.Abs("../../../dist/libelicit.so.1")
	source, _ := filepath.Abs("../../../bindings/python/src")
	p.cmd.Env = append([]string{"ELICIT_LIBRARY=" + library, "PYTHONPATH=" + source}, os.Environ()...)
	p.cmd.Env, p.cmd.Stderr = append(p.cmd.Env, "ELICIT_FAULT_PROCESS="+string(text)), os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		b.t.Error(err)
		return
	}
	b.nodes[i] = p
	b.starts.Go(func() {
		var url string
		fmt.Fscanln(out, &url) // it may have been killed
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.nodes[i].cmd == p.cmd {
			b.nodes[i].url = url
		}
	})
}

// kill kills a process that works, and lets another take its place. One that has an older ring of keys goes first.
func (b *bank) kill() {
	b.mu.Lock()
	i := b.draw()
	for other, p := range b.nodes {
		if p.url != "" && p.ring < b.ring {
			i = other
		}
	}
	if i < 0 {
		b.mu.Unlock()
		return
	}
	p := b.nodes[i]
	b.nodes[i] = process{}
	b.counts["kill of "+b.language(i)]++
	b.mu.Unlock()
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
	b.start(i)
}

// pause stops a process for a while. Its clients wait, or ask others.
func (b *bank) pause(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := b.draw()
	if i < 0 {
		return
	}
	b.counts["pause of "+b.language(i)]++
	p := b.nodes[i].cmd.Process
	_ = p.Signal(syscall.SIGSTOP)
	time.AfterFunc(d, func() { _ = p.Signal(syscall.SIGCONT) })
}

// rotate goes on to the next ring of keys, unless a process has an older one than the present.
func (b *bank) rotate() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.nodes {
		if p.cmd == nil || p.ring != b.ring {
			return
		}
	}
	if b.ring++; rings[b.ring][0] != rings[b.ring-1][0] {
		b.counts["new key"]++
	}
}

// count counts a fault, or what else happens.
func (b *bank) count(what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.counts[what]++
}

// language is that of a process.
func (b *bank) language(i int) string {
	return []string{"Go", "TypeScript", "Python"}[i%len(b.programs)]
}

// draw returns a process that works, or -1.
func (b *bank) draw() int {
	from := rand.IntN(len(b.nodes))
	for n := range b.nodes {
		if i := (from + n) % len(b.nodes); b.nodes[i].url != "" {
			return i
		}
	}
	return -1
}

// any is the address of a process and its language, or empty. It may be dead already.
func (b *bank) any() (url, language string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := b.draw(); i >= 0 {
		return b.nodes[i].url, b.language(i)
	}
	return "", ""
}

// end ends all processes.
func (b *bank) end() {
	b.mu.Lock()
	b.ended = true
	for _, p := range b.nodes {
		if p.cmd != nil {
			_ = p.cmd.Process.Kill()
			_ = p.cmd.Wait()
		}
	}
	b.mu.Unlock()
	b.starts.Wait()
}
