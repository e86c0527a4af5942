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
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/store/sqlite"
)

// TestMain lets this program be a process of a server, too.
func TestMain(m *testing.M) {
	if dir := os.Getenv("ELICIT_FAULT_PROCESS"); dir != "" {
		fmt.Fprintln(os.Stderr, serve(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// want is what a client sends to a process.
type want struct {
	Call      string // the name of the call, for its handler
	Keyed     bool
	Rounds    bool // the client has rounds; otherwise a model passes on its answer
	State     string
	Responses json.RawMessage
	Said      *ask.Submission
}

// got is a process's response.
type got struct {
	Result json.RawMessage
	Error  string
}

// serve is a process of a server, with a file of SQLite that it shares with others. Its handlers pay by a line in a
// file, which is there when the process has been killed.
func serve(dir string) error {
	sessions, err := sqlite.Open(context.Background(), filepath.Join(dir, "db"), sqlite.Options{})
	if err != nil {
		return err
	}
	key, err := seal.NewKey("1", bytes.Repeat([]byte("k"), seal.MinSecret))
	if err != nil {
		return err
	}
	sealer, err := ask.NewSealer(key)
	if err != nil {
		return err
	}
	asker, err := ask.New(ask.Options{Server: "bank", Store: sessions, Seal: sealer,
		Config: roomy})
	if err != nil {
		return err
	}
	ledger, err := os.OpenFile(filepath.Join(dir, "ledger"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
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
	client := ask.Client{Principal: "ann", Version: "2025-06-18"}
	if c.Rounds {
		client.Version, client.Declared.Form = "2026-07-28", true
	}
	arguments, _ := json.Marshal(map[string]any{"call": c.Call})
	call := &ask.Call{Client: client, Target: "pay", Arguments: arguments, State: c.State, Responses: c.Responses}
	if c.Said != nil {
		var text string
		if call, text = asker.Submit(ctx, client, *c.Said); call == nil {
			return got{Error: text}
		}
	}
	paid := fmt.Appendf(nil, `{"paid":%q}`, c.Call)
	call.Result = func() json.RawMessage { return paid }
	i, err := asker.Do(ctx, *call, func(ctx context.Context) error {
		key := "-"
		if c.Keyed {
			var err error
			if key, err = ask.Key(ctx); err != nil {
				return err
			}
		}
		if err := ask.Confirm(ctx, "Pay for "+c.Call+"?"); err != nil {
			return err
		}
		time.Sleep(time.Duration(rand.IntN(40)) * time.Millisecond) // the work of the handler
		if _, err := fmt.Fprintf(ledger, "%s %s\n", c.Call, key); err != nil {
			return err
		}
		time.Sleep(time.Duration(rand.IntN(40)) * time.Millisecond)
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

// bank is a server of several processes, one of which is killed again and again.
type bank struct {
	t     *testing.T
	dir   string
	mu    sync.Mutex
	nodes [3]process
	kills int
}

type process struct {
	cmd *exec.Cmd
	url string
}

func (b *bank) start() (p process) {
	p.cmd = exec.Command(os.Args[0])
	p.cmd.Env, p.cmd.Stderr = append(os.Environ(), "ELICIT_FAULT_PROCESS="+b.dir), os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	if _, err := fmt.Fscanln(out, &p.url); err != nil {
		b.t.Error(err)
	}
	return p
}

func (p process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// kill kills a process, and starts another in its place.
func (b *bank) kill(i int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.nodes[i].kill()
	b.kills++
	b.nodes[i] = b.start()
}

// any is the address of a process. It may be dead already.
func (b *bank) any() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.nodes[rand.IntN(len(b.nodes))].url
}

// send sends a request to some process, until there is a response. The first may be lost.
func (b *bank) send(c want, again *atomic.Int64) (g got, err error) {
	body, err := json.Marshal(c)
	if err != nil {
		return g, err
	}
	client := http.Client{Timeout: 20 * time.Second}
	for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(20 * time.Millisecond) {
		var r *http.Response
		if r, err = client.Post(b.any(), "application/json", bytes.NewReader(body)); err != nil {
			again.Add(1)
			continue
		}
		err = json.NewDecoder(r.Body).Decode(&g)
		r.Body.Close()
		busy := strings.Contains(g.Error, "store") || strings.Contains(string(g.Result), "still runs")
		if err == nil && !busy {
			return g, nil
		}
		again.Add(1)
	}
	return g, fmt.Errorf("no end: %+v, %w", g, err)
}

var saidID = regexp.MustCompile(`"elicit/question":\{"id":"([0-9a-f.]+)"`)

// pays is a client that makes a call and gives the answer of its person. It returns what it reads at last.
func (b *bank) pays(c want, again *atomic.Int64) (string, error) {
	g, err := b.send(c, again)
	if err != nil {
		return "", err
	}
	if c.Rounds {
		var asked struct {
			InputRequests map[string]json.RawMessage
			RequestState  string
		}
		if err := json.Unmarshal(g.Result, &asked); err != nil || len(asked.InputRequests) != 1 {
			return "", fmt.Errorf("no question: %+v", g)
		}
		for key := range asked.InputRequests {
			c.State = asked.RequestState
			c.Responses = fmt.Appendf(nil, `{%q:{"action":"accept","content":{}}}`, key)
		}
	} else {
		id := saidID.FindSubmatch(g.Result)
		if id == nil {
			return "", fmt.Errorf("no question: %+v", g)
		}
		c.Said = &ask.Submission{ID: string(id[1]), Action: elicit.Accept}
	}
	g, err = b.send(c, again)
	return string(g.Result) + g.Error, err
}

// TestKills kills a process each second, while clients pay with calls of rounds and of models, and make each call again
// until they have a response. No call is stuck, and nothing is paid twice. Two thirds of the handlers use the key of
// their call: their clients get the result. A third uses none: what the model reads then is one of two texts.
// ELICIT_FAULT_SECONDS is how long it takes, and ELICIT_FAULT_CLIENTS how many clients there are.
func TestKills(t *testing.T) {
	seconds := setting(t, "ELICIT_FAULT_SECONDS", 6)
	b := &bank{t: t, dir: t.TempDir()}
	for i := range b.nodes {
		b.nodes[i] = b.start()
	}
	t.Cleanup(func() {
		for _, p := range b.nodes {
			p.kill()
		}
	})
	stop := make(chan struct{})
	var again, calls, unknown atomic.Int64
	var all sync.WaitGroup
	for client := range setting(t, "ELICIT_FAULT_CLIENTS", 6) {
		all.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				c := want{Call: fmt.Sprintf("c%d-%d", client, n), Keyed: n%3 > 0, Rounds: rand.IntN(2) == 0}
				calls.Add(1)
				switch read, err := b.pays(c, &again); {
				case err != nil:
					t.Errorf("%+v is stuck: %v", c, err)
				case strings.Contains(read, `"paid"`):
				case !c.Keyed && strings.Contains(read, "The answer was taken; the result is unknown."):
					unknown.Add(1)
				default:
					t.Errorf("%+v: the client reads %s", c, read)
				}
			}
		})
	}
	for i := range seconds {
		time.Sleep(time.Second) // between two kills
		b.kill(i % len(b.nodes))
	}
	close(stop)
	all.Wait()
	ledger, err := os.ReadFile(filepath.Join(b.dir, "ledger"))
	if err != nil {
		t.Fatal(err)
	}
	paid, twice := map[string]string{}, 0
	for line := range strings.Lines(string(ledger)) {
		call, key, _ := strings.Cut(strings.TrimSpace(line), " ")
		if before, was := paid[call]; was && (before != key || key == "-") {
			t.Errorf("%s is paid twice: %q and %q", call, before, key)
		} else if was {
			twice++ // the bank sees the same key, and pays nothing
		}
		paid[call] = key
	}
	t.Logf("%d calls, %d kills, %d made again, %d paid, %d keys given twice, %d unknown", calls.Load(), b.kills,
		again.Load(), len(paid), twice, unknown.Load())
	if again.Load() == 0 || len(paid) == 0 {
		t.Error("the test has lost its subject")
	}
}
